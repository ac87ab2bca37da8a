import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { age } from '../../crash/kept-home.ts';
import { stepsToKill, tellKills, twoAtATime } from '../../crash/kills.ts';
import { canTrace, lostByPowerCut, traceDriver } from '../../crash/power-cut.ts';
import { copyTree } from '../../support/copied-world.ts';
import { differences, type FolderFacts, factsOf } from '../../support/folder-facts.ts';
import { falseClaims } from '../../support/kept-claims.ts';
import { gitIn } from '../../support/repositories.ts';
import { createSandbox, driver, type Sandbox } from '../../support/sanbot.ts';

const SECRET = 'sk-4711-叶子-0815';

let prepared: Sandbox;
let id: string;
let file: string;
let facts: FolderFacts;

/** What loses objects of git, changes and deletes files, and edits one of them once more. */
const ASKED = [
  'run git branch -D side && git reflog expire --expire=now --all && git gc -q --prune=now',
  `run sed -i s/line/行/ long.txt; rm b.txt`,
  'edit a.txt: one => 一',
];

beforeAll(async () => {
  prepared = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(prepared.cwd, 'long.txt'), Array.from({ length: 900 }, (_, i) => `line ${i}: ${SECRET}`).join('\n'));
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(prepared.cwd, name), 'one\n');
  const git = gitIn(prepared.cwd);
  for (const line of ['init -q', 'add -A', 'commit -qm one', 'checkout -qb side', 'commit -q --allow-empty -m two', 'checkout -q -'])
    git(...line.split(' '));
  facts = factsOf(prepared.cwd);
  for (const [at, prompt] of ['read long.txt', ...ASKED].entries())
    expect(await prepared.run(['-p', prompt, ...(at === 0 ? [] : ['--continue']), '--permission-mode', 'bypass'])).toMatchObject({
      code: 0,
    });
  id = prepared.names('sessions')[0] ?? '';
  file = join(prepared.cwd, '..', 'session.jsonl');
  expect(await prepared.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 0 });
});

/** What is done, in a world with or without the session; how many sessions there are before and after it. */
const moves = [
  { what: 'import', operand: () => file, withSession: false, before: 0, after: 1 },
  { what: 'fork', operand: () => id, withSession: true, before: 1, after: 2 },
  { what: 'purge', operand: () => SECRET, withSession: true, before: 1, after: 1 },
] as const;

test.each(moves)(
  'a process killed at any step of $what leaves no half session, and it can be done again [D-03, S3, S-39]',
  async ({ what, operand, withSession, before, after }) => {
    const act = (kill: number) => {
      const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
      if (withSession) copyTree(prepared.home, world.home);
      const steps = join(world.cwd, 'steps');
      const env = { SANBOT_HOME: world.home, STEPS: steps };
      const again = (k: number) => world.runBinary(['move', String(k), what, operand()], { env, program: driver });
      return again(kill).then((ran) => ({ ran, world, again, steps }));
    };
    const dry = await act(0);
    expect(dry.ran).toMatchObject({ code: 0, err: '' });
    const steps = readFileSync(dry.steps, 'utf8').trim().split('\n').length;
    expect(steps).toBeGreaterThan(5);
    const chosen = stepsToKill(steps, { least: 3 });
    await twoAtATime(chosen, async (kill) => {
      const killed = await act(kill);
      expect(killed.ran.signal).toBe('SIGKILL');
      const { names, run, read } = killed.world;
      const listed = names('sessions').filter((name) => !name.startsWith('.'));
      expect(listed.length === before || listed.length === after, `step ${kill}: ${listed}`).toBe(true);
      const isUnfinished = names('').includes('purge.json');
      if (what !== 'purge') expect(await wrongIn(killed.world), `step ${kill}`).toEqual([]);
      // The next opening does what is left, or clears it away, unasked.
      if (names('').length > 0) age(killed.world.home);
      const opened = await run([...(what === 'purge' ? ['--resume', id] : []), '-p', 'status', '--permission-mode', 'bypass']);
      expect([opened.code, /A purge (?:that )?was interrupted/.test(opened.err)], `step ${kill}`).toEqual([0, isUnfinished]);
      expect(await wrongIn(killed.world, []), `step ${kill}`).toEqual([]);
      expect(names('sessions').filter((name) => name.startsWith('.'))).toEqual([]);
      expect(names('')).not.toContain('purge.json');
      expect(await killed.again(0)).toMatchObject({ code: 0 });
      const all = names('sessions');
      for (const name of all) expect(read(`sessions/${name}/log.jsonl`).includes('"type":"header"')).toBe(true);
      if (what === 'purge') expect(all.map((name) => read(`sessions/${name}/log.jsonl`).includes(SECRET))).toEqual([false]);
      expect(await wrongIn(killed.world), `step ${kill}`).toEqual([]);
    });
    if (what === 'fork') await expectForkToGoBack(dry.world);
    tellKills(what, { kills: chosen.length, steps });
  },
  1_200_000,
);

test.skipIf(!canTrace).each(moves)('$what is safe from a power cut when it is said to be done', ({ what, operand, withSession }) => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  if (withSession) copyTree(prepared.home, world.home);
  const args = ['move', '0', what, operand()];
  const env = { ...world.env, SANBOT_HOME: world.home };
  const { code, err, calls } = traceDriver(args, { folder: dirname(world.home), cwd: world.cwd, env });
  expect({ code, err }).toMatchObject({ code: 0 });
  const { wrong, acknowledged } = lostByPowerCut(calls);
  expect(wrong.map((line) => line.replaceAll(world.home, ''))).toEqual([]);
  expect(acknowledged).toBe(1);
});

const WHILE_WRITTEN = ['stale_lock', 'temporary'];

/** What the doctor finds but for what a process that was killed was writing, and what is claimed to be kept and is not. */
async function wrongIn(world: Sandbox, passing = WHILE_WRITTEN): Promise<readonly string[]> {
  const { findings } = JSON.parse((await world.run(['doctor', '--json'])).out);
  const wrong: readonly { readonly kind: string; readonly path: string }[] = findings;
  return [...wrong.flatMap(({ kind, path }) => (passing.includes(kind) ? [] : [`${kind}: ${path}`])), ...falseClaims(world)];
}

/** Also when the session that it was made from is gone. */
async function expectForkToGoBack(world: Sandbox): Promise<void> {
  const fork = world.names('sessions').find((name) => name !== id) ?? '';
  expect(await world.run(['sessions', 'delete', id, '--yes'], { cwd: prepared.cwd })).toMatchObject({ code: 0 });
  const { cwd } = prepared;
  expect(await world.run(['rollback', '--session', fork, '--to-message', '1', '--files', '--yes'], { cwd })).toMatchObject({ code: 0 });
  expect(differences(facts, factsOf(cwd))).toEqual([]);
}
