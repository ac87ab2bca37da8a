import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { age, createKeptHome, deskAt, FOLDERS, type KeptHome, type Shown } from '../../crash/kept-home.ts';
import { stepsToKill, tellKills, twoAtATime } from '../../crash/kills.ts';
import { driver } from '../../support/sanbot.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../../support/terminal.ts';

let kept: KeptHome;
beforeAll(async () => {
  kept = await createKeptHome();
}, 120_000);

type Env = Readonly<Record<string, string>>;
type Act = { readonly env?: Env; readonly shown: Shown };

/** What is typed, one line after the other, each once the screen shows that the one before is done. */
type Typed = Act & { readonly lines: () => readonly (readonly [keys: string, then: RegExp])[] };
const typed: Readonly<Record<string, Typed>> = {
  '/mcp approve': {
    lines: () => [
      ['/mcp approve desk\r', /May its tools be used/],
      ['y', /used as they are now\./],
    ],
    env: deskAt(2),
    shown: ['mcp', 'test', 'desk', '--json'],
  },
  '/forget': { lines: () => [[`/forget ${kept.memories[0]}\r`, /Forgotten/]], shown: ['memory', '--json'] },
};

async function talk(terminal: SpawnedTerminal, lines: ReturnType<Typed['lines']>): Promise<void> {
  await terminal.waitFor('> ');
  for (const [keys, then] of lines) {
    terminal.send(keys);
    await terminal.waitFor(then);
  }
  terminal.send('/quit\r');
}

test.each(Object.entries(typed))(
  '%s in a conversation, killed at any step, leaves what was or what is to be',
  async (what, { lines, env = {}, shown }) => {
    const converse = (home: string, kill: number, more: Env = {}) => {
      const line = [driver, 'command', String(kill), '["--permission-mode","bypass"]'];
      const terminal = spawnInTerminal(process.execPath, line, {
        ...{ cwd: kept.world.cwd, env: { ...kept.world.env, SANBOT_HOME: home, ...env, ...more } },
      });
      onTestFinished(() => terminal.kill('SIGKILL'));
      // Of a process that was killed nothing comes any more.
      return Promise.race([terminal.exit, talk(terminal, lines()).then(() => terminal.exit)]);
    };
    const [before, whole] = [kept.copy(), kept.copy()];
    const stepsFile = join(whole, '..', `steps of ${what.slice(1)}`);
    expect(await converse(whole, 0, { STEPS: stepsFile })).toMatchObject({ exitCode: 0 });
    const [was, willBe] = [await kept.state(before, shown, env), await kept.state(whole, shown, env)];
    expect(was).not.toBe(willBe);
    const steps = readFileSync(stepsFile, 'utf8').trim().split('\n');
    const chosen = stepsToKill(steps.length, { least: 4 });
    const problems = await twoAtATime(chosen, async (kill) => {
      const home = kept.copy();
      const { signal } = await converse(home, kill);
      const wrong = signal === 9 ? [] : ['it was not killed'];
      age(home);
      const opened = await kept.run(home, ['-p', 'status']);
      if (opened.code !== 0) wrong.push(`the next turn ends with ${opened.code}: ${opened.err}`);
      const now = await kept.state(home, shown, env);
      if (now !== was && now !== willBe) wrong.push(`it is ${now}, neither ${was} nor ${willBe}`);
      return [...wrong, ...(await kept.findings(home))].map((line) => `killed at step ${kill} (${steps[kill - 1]}): ${line}`);
    });
    tellKills(`${what} in a conversation`, { kills: chosen.length, steps: steps.length, problems: problems.flat().length });
    expect(problems.flat()).toEqual([]);
  },
  1_200_000,
);

/** Two terminals say the same, and the first is killed: the second does it. */
const same: Readonly<Record<string, Act & { readonly args: () => readonly string[]; readonly refusal?: RegExp }>> = {
  'mcp approve': { args: () => ['mcp', 'approve', 'desk', '--yes'], env: deskAt(2), shown: ['mcp', 'test', 'desk', '--json'] },
  'memory forget': { args: () => ['memory', 'forget', kept.memories[0] ?? ''], shown: ['memory', '--json'], refusal: /no memory|not/i },
  'trust remove': {
    args: () => ['trust', 'remove', join(kept.world.cwd, FOLDERS[0] ?? '')],
    shown: ['trust', 'list', '--json'],
    refusal: /not|never/i,
  },
};

test.each(Object.entries(same))(
  '%s in two terminals at once, one of them killed at any step, is done by the other',
  async (what, { args, env = {}, shown, refusal }) => {
    const act = (home: string, kill: number, more: Env = {}) =>
      kept.world.runBinary(['command', String(kill), JSON.stringify(args())], {
        ...{ env: { SANBOT_HOME: home, ...env, ...more }, program: driver },
      });
    const whole = kept.copy();
    const stepsFile = join(whole, '..', `steps of both ${what}`);
    expect(await act(whole, 0, { STEPS: stepsFile })).toMatchObject({ code: 0 });
    const willBe = await kept.state(whole, shown, env);
    const steps = readFileSync(stepsFile, 'utf8').trim().split('\n');
    const chosen = stepsToKill(steps.length, { least: 2 });
    const problems: string[] = [];
    for (const kill of chosen) {
      const home = kept.copy();
      const [killed, other] = await Promise.all([act(home, kill), act(home, 0)]);
      const wrong: string[] = [];
      // Where the other was first, there may be fewer steps.
      if (killed.signal !== 'SIGKILL' && killed.code !== 0 && refusal?.test(killed.err) !== true) wrong.push(`the first: ${killed.err}`);
      if (other.code !== 0 && refusal?.test(other.err) !== true) wrong.push(`the second ends with ${other.code}: ${other.err}`);
      if ((await kept.state(home, shown, env)) !== willBe) wrong.push(`it is ${await kept.state(home, shown, env)}`);
      age(home);
      await kept.run(home, ['-p', 'status']);
      problems.push(...[...wrong, ...(await kept.findings(home))].map((line) => `killed at step ${kill} (${steps[kill - 1]}): ${line}`));
    }
    tellKills(`${what} in two terminals`, { kills: chosen.length, steps: steps.length, problems: problems.length });
    expect(problems).toEqual([]);
  },
  1_200_000,
);
