import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Ran, type Sandbox } from '../support/sanbot.ts';
import { root } from '../support/source.ts';
import { copyTree, stepsToKill, twoAtATime } from './kills.ts';
import { FULL } from './store-world.ts';

const ENV = { SANBOT_CONTEXT_WINDOW: '12000', SANBOT_PROVIDER: 'offline' };
const line = (i: number) => `entry ${i}: the quick brown fox reads the log of part ${i % 7} and finds error E${1000 + i}`;
const page = (from: number, count: number) => Array.from({ length: count }, (_, i) => line(from + i)).join('\n');
const TURN = ['--continue', '-p', 'read bulk.txt', '--permission-mode', 'bypass', '--output-format', 'stream-json'];

/** A session that is nearly full: one more result makes the ladder offload and compact in the same turn. */
let prepared: Sandbox;
let sessionId: string;
let steps: readonly string[];

beforeAll(async () => {
  prepared = createSandbox(ENV);
  for (const [name, text] of [
    ['a.txt', page(0, 30)],
    ['b.txt', page(30, 30)],
    ['bulk.txt', page(0, 400)],
  ] as const)
    writeFileSync(join(prepared.cwd, name), text);
  mkdirSync(prepared.home, { mode: 0o700 });
  writeFileSync(join(prepared.home, 'config.json'), JSON.stringify({ compaction: { maxMessages: 6, keepRecentMessages: 4 } }), {
    mode: 0o600,
  });
  await prepared.run(['-p', 'read a.txt', '--permission-mode', 'bypass']);
  for (const prompt of ['we must never delete vendor/lib.ts', 'read b.txt'])
    await prepared.run(['--continue', '-p', prompt, '--permission-mode', 'bypass']);
  sessionId = prepared.names('sessions')[0] ?? '';
  const dry = copyOf(prepared);
  const ran = await failing(dry, { STEPS: join(dry.cwd, 'steps') });
  steps = readFileSync(join(dry.cwd, 'steps'), 'utf8').trim().split('\n');
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('"type":"compacted"') });
}, 60_000);

describe('a disk that is full at any step of a turn that offloads and compacts', () => {
  test.each([
    ['for that one step', 'once'],
    ['in the middle of a write', 'short'],
    ['from there on', 'from'],
  ])(
    '%s: the turn ends with exit code 7 and the reason, or goes on; nothing acknowledged is lost, and the next turn works [D-12, D-14, D-19, P20, C97]',
    async (_, how) => {
      const eligible = steps.flatMap((name, index) => (how !== 'short' || name.endsWith('.write') ? [index + 1] : []));
      const chosen = stepsToKill(eligible.length, { quick: 3, full: 48 }).flatMap((at) => eligible[at - 1] ?? []);
      const problems: string[] = [];
      const codes: Record<string, number> = {};
      await twoAtATime(chosen, async (step) => {
        const { code, wrong } = await failAndCheck(step, how);
        codes[String(code)] = (codes[String(code)] ?? 0) + 1;
        problems.push(...wrong.map((what) => `step ${step} (${steps[step - 1]}): ${what}`));
      });
      console.log(
        `full disk, ${how}: ${chosen.length} of ${eligible.length} steps, exit codes ${JSON.stringify(codes)}, problems: ${problems.length}`,
      );
      expect(problems).toEqual([]);
      expect(codes['7']).toBeGreaterThan(0);
    },
    1_200_000,
  );
});

async function failAndCheck(step: number, how: string): Promise<{ readonly code: number | null; readonly wrong: readonly string[] }> {
  const world = copyOf(prepared);
  const before = world.read(`sessions/${sessionId}/log.jsonl`);
  const ran = await failing(world, { FAIL_AT: String(step), FAIL_ON: how });
  const wrong: string[] = [];
  if (ran.code !== 0 && ran.code !== 7) wrong.push(`exit code ${ran.code}: ${ran.err}`);
  if (ran.code === 7 && !`${ran.err}${ran.out}`.includes('the disk is full')) wrong.push(`it does not say why: ${ran.err}`);
  const log = world.read(`sessions/${sessionId}/log.jsonl`);
  if (!log.startsWith(before)) wrong.push('what was there before has changed');
  for (const id of [...ran.out.matchAll(/"type":"tool_ended","toolUseId":"([^"]+)"/g)].map(([, each]) => each))
    if (!log.includes(`"tool_use_id":"${id}"`)) wrong.push(`the result of ${id} is gone`);
  if (ran.out.includes('"type":"compacted"') && !log.includes('"reason":"compaction"')) wrong.push('the compaction is gone');
  const next = await world.run(['--continue', '-p', 'status']);
  if (next.code !== 0) wrong.push(`the next turn ends with ${next.code}: ${next.err}`);
  if (next.err.includes('cut off')) wrong.push(`the log was torn: ${next.err}`);
  const { findings } = JSON.parse((await world.run(['doctor', '--json'])).out);
  // A body whose record was refused is kept, and moved at the next compaction.
  for (const { kind, path } of findings) if (kind !== 'body_orphan') wrong.push(`afterwards ${kind}: ${path}`);
  return { code: ran.code, wrong };
}

function copyOf(world: Sandbox): Sandbox {
  const copy = createSandbox(ENV);
  copyTree(world.home, copy.home);
  copyTree(world.cwd, copy.cwd);
  const log = join(copy.home, `sessions/${sessionId}/log.jsonl`);
  writeFileSync(log, readFileSync(log, 'utf8').replaceAll(JSON.stringify(world.cwd), JSON.stringify(copy.cwd)));
  return copy;
}

const failing = (world: Sandbox, env: Record<string, string>): Promise<Ran> =>
  world.run(TURN, { env, program: join(root, 'test', 'crash', 'failing-turn.mjs') });

const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

test('the real program on a disk of any free space: it stops and says so, or works; the next turn works when there is space again [D-12, D-13, D-14, P20, C97]', (context) => {
  if (!canMount) context.skip('this system lets no ordinary user mount a disk of its own (unshare -Urm)');
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sanbot-full-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [disk, backup] = [join(base, 'disk'), join(base, 'backup')];
  mkdirSync(disk);
  mkdirSync(backup);
  const levels = FULL ? '48' : '4';
  const script = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"';
  const args = [
    '-Urm',
    'sh',
    '-c',
    script,
    disk,
    process.execPath,
    join(root, 'test', 'crash', 'full-disk-turn.mjs'),
    disk,
    backup,
    levels,
  ];
  const ran = spawnSync('unshare', args, { cwd: root, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const { codes, wrong } = JSON.parse(ran.stdout);
  console.log(`full disk, real program: ${levels} of 48 levels, exit codes ${JSON.stringify(codes)}, problems: ${wrong.length}`);
  expect(wrong).toEqual([]);
  expect(codes['7']).toBeGreaterThan(0);
}, 600_000);
