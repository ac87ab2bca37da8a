import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stepsToKill, twoAtATime } from '../../crash/kills.ts';
import { runMany, wrongAfterwards } from '../../crash/many-runs.ts';
import { copyOfWorld } from '../../support/copied-world.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';
import { unsealed } from '../../support/unsealed.ts';

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
  const [ran] = await failing([{ step: 0, how: 'once', world: copyOfWorld(prepared, ENV) }]);
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('"type":"compacted"') });
  steps = ran?.steps ?? [];
});

describe('a disk that is full at any step of a turn that offloads and compacts', () => {
  test.each([
    ['for that one step', 'once'],
    ['in the middle of a write', 'short'],
    ['from there on', 'from'],
  ])(
    '%s: the turn ends with exit code 7 and the reason, or goes on; nothing acknowledged is lost, and the next turn works [D-12, D-14, D-19, P20, C97]',
    async (_, how) => {
      const eligible = steps.flatMap((name, index) => (how !== 'short' || name.endsWith('.write') ? [index + 1] : []));
      const chosen = stepsToKill(eligible.length, { least: 3 }).flatMap((at) => eligible[at - 1] ?? []);
      const tries = chosen.map((step) => ({ step, how, world: copyOfWorld(prepared, ENV) }));
      const ran = await failing(tries);
      const later = await wrongAfterwards(
        tries.map(({ world }) => world),
        HARMLESS,
      );
      const problems = tries.flatMap(({ step, world }, i) =>
        [...whatIsWrong(ran[i], world.home), ...(later[i] ?? [])].map((what) => `step ${step} (${steps[step - 1]}): ${what}`),
      );
      const codes = countedCodes(ran);
      console.log(
        `full disk, ${how}: ${chosen.length} of ${eligible.length} steps, exit codes ${JSON.stringify(codes)}, problems: ${problems.length}`,
      );
      expect(problems).toEqual([]);
      expect(codes['7']).toBeGreaterThan(0);
    },
    1_200_000,
  );
});

/** A body whose record was refused is kept, and moved at the next compaction. */
const HARMLESS = ['body_orphan'];

type Turned = { readonly code: number | null; readonly out: string; readonly err: string };

/** Against what the turn said, and what was there before it. */
function whatIsWrong(ran: Turned | undefined, home: string): readonly string[] {
  if (ran === undefined) return ['nothing is known of it'];
  const wrong: string[] = [];
  if (ran.code !== 0 && ran.code !== 7) wrong.push(`exit code ${ran.code}: ${ran.err}`);
  if (ran.code === 7 && !`${ran.err}${ran.out}`.includes('the disk is full')) wrong.push(`it does not say why: ${ran.err}`);
  const path = `sessions/${sessionId}/log.jsonl`;
  const log = readFileSync(join(home, path), 'utf8');
  const cwd = /"cwd":"([^"]*)"/.exec(log)?.[1] ?? '';
  if (!unsealed(log).startsWith(unsealed(prepared.read(path)).replaceAll(prepared.cwd, cwd)))
    wrong.push('what was there before has changed');
  for (const id of [...ran.out.matchAll(/"type":"tool_ended","toolUseId":"([^"]+)"/g)].map(([, each]) => each))
    if (!log.includes(`"tool_use_id":"${id}"`)) wrong.push(`the result of ${id} is gone`);
  if (ran.out.includes('"type":"compacted"') && !log.includes('"reason":"compaction"')) wrong.push('the compaction is gone');
  return wrong;
}

function countedCodes(ran: readonly Turned[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const { code } of ran) codes[String(code)] = (codes[String(code)] ?? 0) + 1;
  return codes;
}

const failing = (tries: readonly { readonly step: number; readonly how: string; readonly world: Sandbox }[]) =>
  runMany(tries.map(({ step, how, world: { cwd, env } }) => ({ cwd, env, args: TURN, failAt: step, how })));

const canMount = spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

test('the real program on a disk of any free space: it stops and says so, or works; the next turn works when there is space again [D-12, D-13, D-14, P20, C97]', async (context) => {
  if (!canMount) context.skip('this system lets no ordinary user mount a disk of its own (unshare -Urm)');
  const base = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sanbot-full-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const levels = stepsToKill(LEVELS, { least: 4 }).map((level) => (level - 1) * 4096);
  const halves = [0, 1].map((half) => levels.filter((_, i) => i % 2 === half));
  const ran = (await twoAtATime(halves, (those) => onSmallDisk(base, those))).flat();
  const later = await wrongAfterwards(
    ran.map(({ home }) => ({ cwd: prepared.cwd, env: { ...prepared.env, SANBOT_HOME: home } })),
    HARMLESS,
  );
  const wrong = ran.flatMap((turn, i) =>
    [...whatIsWrong(turn, turn.home), ...(later[i] ?? [])].map((what) => `${turn.free} bytes free: ${what}`),
  );
  const codes = countedCodes(ran);
  console.log(`full disk, real program: ${ran.length} of ${LEVELS} levels, exit codes ${JSON.stringify(codes)}, problems: ${wrong.length}`);
  expect(wrong).toEqual([]);
  expect(ran).toHaveLength(levels.length);
  expect(codes['7']).toBeGreaterThan(0);
  // What is derived takes nothing of the space that a session needs: more of it is never worse.
  const enough = Math.min(...ran.filter(({ code }) => code === 0).map(({ free }) => free));
  expect(enough).toBeLessThan(LEVELS * 4096);
  expect(ran.filter(({ code, free }) => code !== 0 && free > enough)).toEqual([]);
}, 600_000);

/** Every number of free pages of 4 KiB, from none to half as many again as the turn takes. */
const LEVELS = 32;

type OnDisk = Turned & { readonly free: number /** What the disk held afterwards, elsewhere. */; readonly home: string };

/** One turn of the real program on a disk of its own at each of these numbers of free bytes. */
async function onSmallDisk(base: string, levels: readonly number[]): Promise<readonly OnDisk[]> {
  const disk = mkdtempSync(join(base, 'disk-'));
  const wish = { disk, base, levels, home: prepared.home, cwd: prepared.cwd, env: prepared.env, args: TURN };
  const { stdout } = await promisify(execFile)('unshare', [
    '-Urm',
    'sh',
    '-c',
    'mount -t tmpfs -o size=4m none "$0" && exec "$@"',
    disk,
    process.execPath,
    join(root, 'test', 'crash', 'full-disk-turn.mjs'),
    JSON.stringify(wish),
  ]);
  return JSON.parse(stdout);
}
