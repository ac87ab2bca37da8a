import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { stepsToKill, tellKills, twoAtATime } from '../../crash/kills.ts';
import { copyTree } from '../../support/copied-world.ts';
import { createSandbox, driver, type Sandbox } from '../../support/sanbot.ts';

const SECRET = 'sk-4711-叶子-0815';

let prepared: Sandbox;
let id: string;
let file: string;

beforeAll(async () => {
  prepared = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(prepared.cwd, 'long.txt'), Array.from({ length: 900 }, (_, i) => `line ${i}: ${SECRET}`).join('\n'));
  await prepared.run(['-p', 'read long.txt', '--permission-mode', 'bypass']);
  id = prepared.names('sessions')[0] ?? '';
  file = join(prepared.cwd, 'session.jsonl');
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
    expect(dry.ran).toMatchObject({ code: 0 });
    const steps = readFileSync(dry.steps, 'utf8').trim().split('\n').length;
    expect(steps).toBeGreaterThan(5);
    const chosen = stepsToKill(steps, { least: 3 });
    await twoAtATime(chosen, async (kill) => {
      const killed = await act(kill);
      expect(killed.ran.signal).toBe('SIGKILL');
      const { names, run, read } = killed.world;
      const listed = names('sessions').filter((name) => !name.startsWith('.'));
      expect(listed.length === before || listed.length === after, `step ${kill}: ${listed}`).toBe(true);
      if (what !== 'purge') {
        const found = JSON.parse((await run(['doctor', '--json'])).out);
        const wrong = found.findings.filter(({ kind }: { kind: string }) => !['stale_lock', 'temporary'].includes(kind));
        expect(wrong, `step ${kill}`).toEqual([]);
      } else {
        // The next opening does what is left, unasked.
        const isUnfinished = names('').includes('purge.json');
        const opened = await run(['--resume', id, '-p', 'status', '--permission-mode', 'bypass']);
        expect([opened.code, /A purge (?:that )?was interrupted/.test(opened.err)], `step ${kill}`).toEqual([0, isUnfinished]);
        const found = JSON.parse((await run(['doctor', '--json'])).out);
        expect(
          found.findings.filter(({ kind }: { kind: string }) => kind !== 'stale_lock'),
          `step ${kill}`,
        ).toEqual([]);
        expect(names('')).not.toContain('purge.json');
      }
      expect(await killed.again(0)).toMatchObject({ code: 0 });
      const all = names('sessions').filter((name) => !name.startsWith('.'));
      for (const name of all) expect(read(`sessions/${name}/log.jsonl`).includes('"type":"header"')).toBe(true);
      if (what === 'purge') expect(all.map((name) => read(`sessions/${name}/log.jsonl`).includes(SECRET))).toEqual([false]);
      const last = JSON.parse((await run(['doctor', '--json'])).out);
      expect(
        last.findings.filter(({ kind }: { kind: string }) => !['stale_lock', 'temporary'].includes(kind)),
        `step ${kill}`,
      ).toEqual([]);
    });
    tellKills(what, { kills: chosen.length, steps });
  },
  1_200_000,
);
