import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SessionContext } from '../../../src/domain/session/context.ts';
import { stepsToKill, tellKills, twoAtATime } from '../../crash/kills.ts';
import { copyOfWorld } from '../../support/copied-world.ts';
import { createSandbox, driver, type Ran, type Sandbox } from '../../support/sanbot.ts';

const ENV = { SANBOT_CONTEXT_WINDOW: '12000', SANBOT_PROVIDER: 'offline' };

const bulk = Array.from({ length: 400 }, (_, i) => `entry ${i}: the quick brown fox reads the log of part ${i % 7}`).join('\n');

/** A session in which files were written, a result went to a file, and a compaction took the first messages out of the context. */
let prepared: Sandbox;
let sessionId: string;

beforeAll(async () => {
  prepared = createSandbox(ENV);
  mkdirSync(prepared.home, { mode: 0o700 });
  writeFileSync(join(prepared.home, 'config.json'), JSON.stringify({ compaction: { maxMessages: 6, keepRecentMessages: 4 } }));
  writeFileSync(join(prepared.cwd, 'bulk.txt'), bulk);
  writeFileSync(join(prepared.cwd, '甲.txt'), 'one\ntwo\n');
  await say(prepared, 'read 甲.txt');
  for (const prompt of [
    'edit 甲.txt: one => 1',
    'we must never delete vendor/lib.ts',
    'edit 甲.txt: two => 2',
    'read bulk.txt',
    'read bulk.txt',
    'read bulk.txt',
    'read bulk.txt',
  ])
    expect((await say(prepared, prompt, '--continue')).code).toBe(0);
  sessionId = prepared.names('sessions')[0] ?? '';
  expect(prepared.records(`sessions/${sessionId}/log.jsonl`).some(({ reason }) => reason === 'compaction')).toBe(true);
});

describe('a process killed at any step of its work on files', () => {
  test('has what a file held before a change on disk, named by the log, whenever the file has changed [D-01, D-03]', async () => {
    const dry = copyOfWorld(prepared, ENV);
    const steps = await stepsOf(dry, (env) => turn(dry, 0, 'edit 甲.txt: 1 => 一', env));
    expect(steps).toEqual(expect.arrayContaining(['contents.sync', 'changes.write']));
    const chosen = stepsToKill(steps.length, { least: 3 });
    await twoAtATime(chosen, async (kill) => {
      const world = copyOfWorld(prepared, ENV);
      expect((await turn(world, kill, 'edit 甲.txt: 1 => 一')).signal).toBe('SIGKILL');
      const text = readFileSync(join(world.cwd, '甲.txt'), 'utf8');
      expect(text).toBeOneOf(['1\n2\n', '一\n2\n']);
      const back = await world.run(['rollback', '--session', sessionId, '--to-message', '2', '--files', '--yes', '--json']);
      expect(back).toMatchObject({ code: 0 });
      expect(readFileSync(join(world.cwd, '甲.txt'), 'utf8')).toBe('one\ntwo\n');
      expect((await world.run(['doctor', '--session', sessionId, '--json'])).out).not.toMatch(/version_(changed|missing)/);
    });
    tellKills('an edit, gone back from', { kills: chosen.length, steps: steps.length });
  }, 1_200_000);
});

describe('a rollback killed at any step', () => {
  test.each(['message', 'snapshot'] as const)(
    'to a %s leaves the session fully old or fully new, with the state before it saved, and each file too [D-45, C110]',
    async (to) => {
      const snapshot = String(
        prepared.records(`sessions/${sessionId}/log.jsonl`).find(({ reason }) => reason === 'compaction')?.snapshotId,
      );
      const wish = to === 'message' ? { session: sessionId, message: '2' } : { snapshot };
      const dry = copyOfWorld(prepared, ENV);
      const before = contextOf(dry);
      const steps = await stepsOf(dry, (env) => rollback(dry, 0, wish, env));
      const after = contextOf(dry);
      expect(after).not.toBe(before);
      const chosen = stepsToKill(steps.length, { least: 3 });
      await twoAtATime(chosen, async (kill) => {
        const world = copyOfWorld(prepared, ENV);
        expect((await rollback(world, kill, wish)).signal).toBe('SIGKILL');
        const now = contextOf(world);
        expect([before, after].includes(now), `at step ${kill} (${steps[kill - 1]})`).toBe(true);
        expect(readFileSync(join(world.cwd, '甲.txt'), 'utf8')).toBeOneOf(to === 'message' ? ['1\n2\n', 'one\ntwo\n'] : ['1\n2\n']);
        expect(danglingIn(world)).toEqual([]);
        const opened = await say(world, 'status', '--continue');
        expect(opened).toMatchObject({ code: 0 });
        if (now === after) {
          // Whatever the kill cut off behind the checkpoint is done by the next opening, the outcome last.
          const { out } = await world.run(['history', '--session', sessionId, '--json']);
          expect(JSON.parse(out).filter(({ kind }: { readonly kind: string }) => kind === 'rollback')).toHaveLength(1);
          const undo = String(world.records(`sessions/${sessionId}/log.jsonl`).findLast(({ reason }) => reason === 'rollback')?.snapshotId);
          expect(await world.run(['rollback', '--snapshot', undo, '--yes'])).toMatchObject({ code: 0 });
          expect(contextOf(world)).toBe(before);
        }
      });
      tellKills(`rollback to a ${to}`, { kills: chosen.length, steps: steps.length });
    },
    1_200_000,
  );
});

type Context = Omit<SessionContext, 'messages'> & {
  readonly messages: readonly { readonly stubs?: readonly { readonly body: { readonly sha256: string } }[] }[];
};

/** What a new process would find, judged by the log alone: the newest checkpoint and the messages behind it. */
function contextOf(world: Sandbox): string {
  const { system, shortTermSummary, tools, messages, anchorFloor } = liveContext(world);
  return JSON.stringify([system, shortTermSummary, tools, messages, anchorFloor])
    .replaceAll(JSON.stringify(world.home).slice(1, -1), 'HOME')
    .replaceAll(world.cwd, 'CWD');
}

function liveContext(world: Sandbox): Context {
  const log = world.records(`sessions/${sessionId}/log.jsonl`);
  const from = log.findLastIndex(({ type }) => type === 'checkpoint' || type === 'header');
  const context = log[from]?.context as Context;
  const later = log.slice(from + 1).flatMap((record) => (record.type === 'message' ? [record.message as Context['messages'][number]] : []));
  return { ...context, messages: [...context.messages, ...later] };
}

function danglingIn(world: Sandbox): readonly string[] {
  const hashes = liveContext(world).messages.flatMap(({ stubs }) => (stubs ?? []).map(({ body }) => body.sha256));
  return hashes.filter((sha256) => {
    const path = join(world.home, `sessions/${sessionId}/offloaded/${sha256.slice(0, 32)}.txt`);
    return !existsSync(path) || createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256;
  });
}

async function stepsOf(world: Sandbox, run: (env: Record<string, string>) => Promise<Ran>): Promise<readonly string[]> {
  const file = join(world.home, '..', 'steps');
  expect(await run({ STEPS: file })).toMatchObject({ code: 0 });
  return readFileSync(file, 'utf8').trim().split('\n');
}

/** A turn in this process, which saw no kill. */
const say = (world: Sandbox, prompt: string, ...more: readonly string[]): Promise<Ran> =>
  world.run(['-p', prompt, '--permission-mode', 'bypass', ...more]);

const turn = (world: Sandbox, kill: number, prompt: string, env: Record<string, string> = {}): Promise<Ran> =>
  world.runBinary(['turn', String(kill), prompt], { env, program: driver });

const rollback = (world: Sandbox, kill: number, wish: object, env: Record<string, string> = {}): Promise<Ran> =>
  world.runBinary(['rollback', String(kill), JSON.stringify(wish)], { env, program: driver });
