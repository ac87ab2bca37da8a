import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOfWorld } from '../support/copied-world.ts';
import { createSandbox, driver, type Ran, type Sandbox } from '../support/sanbot.ts';
import { stepsToKill, tellKills, twoAtATime } from './kills.ts';

const ENV = { SANBOT_CONTEXT_WINDOW: '12000', SANBOT_PROVIDER: 'offline' };
const line = (i: number) => `entry ${i}: the quick brown fox reads the log of part ${i % 7} and finds error E${1000 + i}`;
const bulk = Array.from({ length: 400 }, (_, i) => line(i)).join('\n');
const page = (n: number) => Array.from({ length: 30 }, (_, i) => line(n * 30 + i)).join('\n');

/** A session that is nearly full: one more result makes the ladder offload and compact in the same turn. */
let prepared: Sandbox;
let sessionId: string;
let steps: readonly string[];

beforeAll(async () => {
  prepared = createSandbox(ENV);
  writeFileSync(join(prepared.cwd, 'bulk.txt'), bulk);
  for (let n = 0; n < 4; n++) writeFileSync(join(prepared.cwd, `page${n}.txt`), page(n));
  mkdirSync(prepared.home, { mode: 0o700 });
  writeFileSync(join(prepared.home, 'config.json'), JSON.stringify({ compaction: { maxMessages: 6, keepRecentMessages: 4 } }));
  await say(prepared, 'read page0.txt');
  for (const prompt of ['we must never delete vendor/lib.ts', 'read page1.txt']) await say(prepared, prompt, '--continue');
  sessionId = prepared.names('sessions')[0] ?? '';
  const dry = copyOfWorld(prepared, ENV);
  const stepsFile = join(dry.cwd, 'steps');
  const ran = await turn(dry, 0, 'read bulk.txt', { STEPS: stepsFile });
  steps = readFileSync(stepsFile, 'utf8').trim().split('\n');
  expect(ran.code).toBe(0);
  const happened = eventsIn(ran.out).map((event) => event.type);
  expect(happened).toContain('offloaded');
  expect(happened).toContain('compacted');
});

describe('a process killed at any step of a turn that offloads and compacts', () => {
  test('leaves a session that opens, with all that was acknowledged, and no reference to what is not there [D-01, D-03, D-04, S3, F5, X5]', async () => {
    const chosen = stepsToKill(steps.length, { least: 3 });
    const problems = await twoAtATime(chosen, async (kill) =>
      (await killAndCheck(kill)).map((what) => `killed at step ${kill} (${steps[kill - 1]}): ${what}`),
    );
    tellKills('a turn that offloads and compacts', { kills: chosen.length, steps: steps.length, problems: problems.flat().length });
    expect(problems.flat()).toEqual([]);
  }, 1_200_000);
});

async function killAndCheck(kill: number): Promise<readonly string[]> {
  const world = copyOfWorld(prepared, ENV);
  const killed = await turn(world, kill, 'read bulk.txt');
  const wrong: string[] = [];
  if (killed.signal !== 'SIGKILL') wrong.push(`it was not killed but ended with ${killed.code}`);
  const after = await say(world, 'status', '--continue');
  if (after.code !== 0) wrong.push(`the next turn failed with ${after.code}: ${after.err}`);
  return [...wrong, ...missingMessages(world, killed.out), ...danglingReferences(world)];
}

type Message = {
  readonly content: readonly { readonly type: string; readonly tool_use_id?: string }[];
  readonly stubs?: readonly { readonly body: { readonly sha256: string } }[];
};

/** What the dead process said had happened must be in the log: a tool that ended has its result, a compaction its checkpoint. */
function missingMessages(world: Sandbox, out: string): readonly string[] {
  const log = world.records(`sessions/${sessionId}/log.jsonl`);
  const results = new Set(
    log.flatMap((record) => (record.message as Message | undefined)?.content ?? []).map((block) => block.tool_use_id),
  );
  const wrong: string[] = [];
  for (const event of eventsIn(out)) {
    if (event.type === 'tool_ended' && !results.has(String(event.toolUseId))) wrong.push(`the result of ${event.toolUseId} is gone`);
    if (event.type === 'compacted' && !log.some((record) => record.snapshotId === event.snapshotId)) wrong.push('the compaction is gone');
    if (event.type === 'snapshot_written' && !existsSync(join(world.home, `memory/session-summaries/${event.snapshotId}.jsonl`)))
      wrong.push('the snapshot is gone');
  }
  return wrong;
}

function danglingReferences(world: Sandbox): readonly string[] {
  const log = world.records(`sessions/${sessionId}/log.jsonl`);
  const newest = log.findLast((record) => record.type === 'checkpoint');
  const since = newest === undefined ? log : log.slice(log.indexOf(newest));
  const messages = since.flatMap((record) => [
    ...(((record.context as { messages?: Message[] })?.messages ?? []) as Message[]),
    ...(record.message ? [record.message as Message] : []),
  ]);
  const bodies = messages.flatMap((message) => message.stubs ?? []).map((stub) => stub.body.sha256);
  const wrong = bodies.filter((sha256) => {
    const path = join(world.home, `sessions/${sessionId}/offloaded/${sha256.slice(0, 32)}.txt`);
    return !existsSync(path) || createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256;
  });
  const snapshots = log.map((record) => record.snapshotId).filter((id) => id !== undefined);
  const lost = snapshots.filter((id) => !existsSync(join(world.home, `memory/session-summaries/${id}.jsonl`)));
  return [...wrong.map((sha256) => `no body ${sha256.slice(0, 8)} for a stub`), ...lost.map((id) => `no snapshot ${id}`)];
}

const eventsIn = (out: string): readonly Record<string, unknown>[] =>
  out
    .split('\n')
    .filter((text) => text.startsWith('{') && text.endsWith('}'))
    .map((text) => JSON.parse(text));

/** A turn in this process, which saw no kill. */
const say = (world: Sandbox, prompt: string, ...more: readonly string[]): Promise<Ran> =>
  world.run(['-p', prompt, '--permission-mode', 'bypass', ...more]);

const turn = (world: Sandbox, kill: number, prompt: string, env: Record<string, string> = {}): Promise<Ran> =>
  world.runBinary(['turn', String(kill), prompt], { env, program: driver });
