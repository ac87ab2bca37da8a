import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { age, createKeptHome, deskAt, FOLDERS, type KeptHome, page, type Shown, signedIn, signInsIn } from '../../crash/kept-home.ts';
import { stepsToKill, tellKills, twoAtATime } from '../../crash/kills.ts';
import { canTrace, lostByPowerCut, traceDriver } from '../../crash/power-cut.ts';
import { choose } from '../../support/choose.ts';
import { driver } from '../../support/sanbot.ts';
import { spawnInTerminal } from '../../support/terminal.ts';

let kept: KeptHome;
beforeAll(async () => {
  kept = await createKeptHome();
}, 120_000);

const folder = (n: number): string => join(kept.world.cwd, FOLDERS[n] ?? '');
const memory = (n: number): string => kept.memories[n] ?? '';

type Act = {
  readonly args: () => readonly unknown[];
  readonly env?: Readonly<Record<string, string>>;
  /** What says how it is now. */
  readonly shown: Shown;
};
const acts: Readonly<Record<string, Act>> = {
  'trust add': { args: () => ['trust', 'add', '--yes', folder(1)], shown: ['trust', 'list', '--json'] },
  'trust remove': { args: () => ['trust', 'remove', folder(0)], shown: ['trust', 'list', '--json'] },
  'mcp add': { args: () => ['mcp', 'add', 'more', '--', 'more'], shown: ['mcp', '--json'] },
  'mcp remove': {
    args: () => ['mcp', 'remove', 'page'],
    shown: (home) => readFileSync(join(home, 'config.json'), 'utf8').includes(page.config.url),
  },
  'mcp approve': { args: () => ['mcp', 'approve', 'desk', '--yes'], env: deskAt(2), shown: ['mcp', 'test', 'desk', '--json'] },
  'signing in': { args: () => ['sign-in', page, signedIn('second')], shown: (home) => signInsIn(home).read()?.tokens.access_token },
  'mcp logout': { args: () => ['mcp', 'logout', 'page'], shown: (home) => signInsIn(home).read() === undefined },
  'memory add': { args: () => ['memory', 'add', 'The pump of the harbour is red'], shown: ['memory', '--json'] },
  'memory forget': { args: () => ['memory', 'forget', memory(0)], shown: ['memory', '--json'] },
  'memory edit': { args: () => ['memory', 'edit', memory(1), 'The lab is in Basel'], shown: ['memory', '--json'] },
  'permissions allow': { args: () => ['permissions', 'allow', 'run_command', 'npm test'], shown: ['permissions', '--json'] },
  'permissions remove': { args: () => ['permissions', 'remove', '1'], shown: ['permissions', '--json'] },
};

test.each(Object.entries(acts))(
  '%s, killed at any step, leaves what was or what is to be, and nothing that the next opening does not mend',
  async (what, { args, env = {}, shown }) => {
    const state = (home: string): Promise<string> => kept.state(home, shown, env);
    const act = (home: string, kill: number, more = {}) =>
      kept.world.runBinary(['command', String(kill), JSON.stringify(args())], {
        env: { SANBOT_HOME: home, ...env, ...more },
        program: driver,
      });

    const [before, whole] = [kept.copy(), kept.copy()];
    const stepsFile = join(whole, '..', `steps ${what}`);
    expect(await act(whole, 0, { STEPS: stepsFile })).toMatchObject({ code: 0 });
    const [was, willBe] = [await state(before), await state(whole)];
    expect(was).not.toBe(willBe);
    const steps = readFileSync(stepsFile, 'utf8').trim().split('\n');
    const chosen = stepsToKill(steps.length, { least: 4 });

    const problems = await twoAtATime(chosen, async (kill) => {
      const home = kept.copy();
      const wrong: string[] = [];
      const killed = await act(home, kill);
      if (killed.signal !== 'SIGKILL') wrong.push(`ended with ${killed.code}`);
      age(home);
      const opened = await kept.run(home, ['-p', 'status']);
      if (opened.code !== 0) wrong.push(`the next turn ends with ${opened.code}: ${opened.err}`);
      wrong.push(...(await kept.findings(home)));
      const now = await state(home);
      if (now !== was && now !== willBe) wrong.push(`it is ${now}, neither ${was} nor ${willBe}`);
      if (now === was && now !== willBe) {
        const again = await act(home, 0);
        if (again.code !== 0) wrong.push(`again: ${again.code}: ${again.err}`);
        if ((await state(home)) !== willBe) wrong.push(`again: ${await state(home)}`);
      }
      return wrong.map((line) => `killed at step ${kill} (${steps[kill - 1]}): ${line}`);
    });
    tellKills(what, { kills: chosen.length, steps: steps.length, problems: problems.flat().length });
    expect(problems.flat()).toEqual([]);
  },
  1_200_000,
);

test.skipIf(!canTrace).each(Object.entries(acts))('%s is safe from a power cut when it is said to be done', (_, { args, env = {} }) => {
  const home = kept.copy();
  const { code, err, calls } = traceDriver(['command', '0', JSON.stringify(args())], {
    ...{ folder: home, cwd: kept.world.cwd },
    env: { ...kept.world.env, SANBOT_HOME: home, ...env },
  });
  expect({ code, err }).toMatchObject({ code: 0 });
  const { wrong, acknowledged } = lostByPowerCut(calls);
  expect(wrong.map((line) => line.replaceAll(home, ''))).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
});

describe('several terminals at once', () => {
  const all = (home: string, lines: readonly (readonly unknown[])[], env = {}) =>
    Promise.all(
      lines.map((args) =>
        kept.world.runBinary(['command', '0', JSON.stringify(args)], { env: { SANBOT_HOME: home, ...env }, program: driver }),
      ),
    );
  const listed = async (home: string, args: readonly string[], env = {}) => JSON.parse((await kept.run(home, args, env)).out);
  const isWell = async (home: string): Promise<void> => expect(await kept.findings(home)).toEqual([]);

  test('trust and stop trusting, and each answer is there afterwards', async () => {
    const home = kept.copy();
    const ran = await all(home, [['trust', 'remove', folder(0)], ...[1, 2, 3].map((n) => ['trust', 'add', '--yes', folder(n)])]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const folders: readonly { readonly folder: string }[] = await listed(home, ['trust', 'list', '--json']);
    expect(folders.map((each) => each.folder).sort()).toEqual([1, 2, 3].map(folder).sort());
    await isWell(home);
  });

  test('forget, edit and add memories, and each answer is there afterwards', async () => {
    const home = kept.copy();
    const ran = await all(home, [
      ...[0, 2].map((n) => ['memory', 'forget', memory(n)]),
      ['memory', 'edit', memory(1), 'The lab is in Basel'],
      ['memory', 'add', 'The pump of the harbour is red'],
    ]);
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const texts: readonly { readonly text: string }[] = await listed(home, ['memory', '--json']);
    expect(texts.map(({ text }) => text).sort()).toEqual(['I prefer tea', 'The lab is in Basel', 'The pump of the harbour is red']);
    await isWell(home);
  });

  test('agree to changed tools, sign in, and change rules and servers, and each answer is there afterwards', async () => {
    const home = kept.copy();
    const ran = await all(
      home,
      [
        ['mcp', 'approve', 'desk', '--yes'],
        ['mcp', 'approve', 'desk', '--yes'],
        ['sign-in', page, signedIn('second')],
        ['permissions', 'allow', 'run_command', 'npm test'],
        ['permissions', 'deny', 'run_command', 'curl *'],
        ['mcp', 'add', 'more', '--', 'more'],
      ],
      deskAt(2),
    );
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const { changed } = await listed(home, ['mcp', 'test', 'desk', '--json'], deskAt(2));
    expect(changed).toEqual([]);
    expect(signInsIn(home).read()?.tokens.access_token).toBe('second');
    const { rules } = await listed(home, ['permissions', '--json']);
    expect(rules).toHaveLength(3);
    const servers: readonly { readonly name: string }[] = await listed(home, ['mcp', '--json']);
    expect(servers.map(({ name }) => name).sort()).toEqual(['desk', 'more', 'page']);
    await isWell(home);
  });
});

test('setup, killed at any step, leaves the settings as they were or as they are to be', async () => {
  const setUp = async (home: string, kill: number, more: Readonly<Record<string, string>> = {}) => {
    const terminal = spawnInTerminal(process.execPath, [driver, 'command', String(kill), '["setup"]'], {
      ...{ cwd: kept.world.cwd, env: { ...kept.world.env, SANBOT_PROVIDER: '', SANBOT_HOME: home, ...more } },
    });
    onTestFinished(() => terminal.kill('SIGKILL'));
    await choose(terminal, 'Offline');
    return terminal.exit;
  };
  const settings = (home: string): string => readFileSync(join(home, 'config.json'), 'utf8');
  const whole = kept.copy();
  const stepsFile = join(kept.world.cwd, 'steps setup');
  expect(await setUp(whole, 0, { STEPS: stepsFile })).toMatchObject({ exitCode: 0 });
  const [was, willBe] = [settings(kept.copy()), settings(whole)];
  expect(was).not.toBe(willBe);
  const steps = readFileSync(stepsFile, 'utf8').trim().split('\n').length;
  const chosen = stepsToKill(steps, { least: 3 });
  for (const kill of chosen) {
    const home = kept.copy();
    expect((await setUp(home, kill)).signal).toBe(9);
    expect([was, willBe]).toContain(settings(home));
    age(home);
    expect(await kept.run(home, ['-p', 'status'])).toMatchObject({ code: 0 });
    expect(await kept.findings(home)).toEqual([]);
  }
  tellKills('setup', { kills: chosen.length, steps });
}, 600_000);
