import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stepsToKill, tellKills } from '../../crash/kills.ts';
import { copyTree } from '../../support/copied-world.ts';
import { createSandbox, driver, type Sandbox } from '../../support/sanbot.ts';
import { filesWith } from '../../support/synced-homes.ts';

const ENV = { SANBOT_PROVIDER: 'offline' };
const SECRET = 'hunter2-long-secret';
const OLD = ['as it was before a', 'as it was before b'] as const;

/** Two machines and what is carried between them, in the state from which each kill begins. */
let world: readonly [Sandbox, Sandbox];
let folder: string;
let saved: string;
let forked: string;
let deleted: string;
/** Whether the folder is encrypted, and versions of files go along. */
let isSealed: boolean;

const foldersOf = (): readonly string[] => [world[0].home, world[1].home, folder];
const savedAs = (at: number): string => join(saved, String(at));

/** What a sync has to do: pull a session, push one, a fork of one that went on on both, purge a text and delete a session. */
async function makeWorld(sealed: boolean): Promise<void> {
  isSealed = sealed;
  world = [createSandbox(ENV), createSandbox(ENV)];
  const [a, b] = world;
  for (const { home } of world) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.json'), JSON.stringify({ sync: { files: sealed } }), { mode: 0o600 });
  }
  saved = join(createSandbox(ENV).cwd, 'saved');
  folder = join(a.cwd, 'carried');
  await a.run(['-p', `together, with ${SECRET}`]);
  await a.run(['-p', 'a session to be deleted']);
  await a.run(['sync', 'add', folder, ...(sealed ? ['--encrypt'] : [])]);
  if (sealed) await b.run(['sync', 'key', '--import'], { stdin: (await a.run(['sync', 'key'])).out });
  await b.run(['sync', 'add', folder]);
  for (const home of world) await home.run(['sync']);
  const ids = a.names('sessions');
  forked = ids.find((id) => a.read(`sessions/${id}/log.jsonl`).includes('together')) ?? '';
  deleted = ids.find((id) => id !== forked) ?? '';
  await b.run(['--resume', forked, '-p', 'went on on b']);
  await b.run(['-p', 'only on b']);
  if (sealed) await changesFile(b, 1);
  await b.run(['sync']);
  // The folder is away, so that the deletion and the purge have yet to reach it.
  const targets = join(a.home, 'sync', 'targets.json');
  const kept = readFileSync(targets, 'utf8');
  writeFileSync(targets, kept.replace(folder, `${folder}-away`));
  await a.run(['sessions', 'delete', deleted, '--everywhere', '--yes']);
  await a.run(['--resume', forked, '-p', 'went on on a']);
  await a.run(['-p', 'only on a']);
  if (sealed) await changesFile(a, 0);
  await a.run(['purge', '--match', SECRET, '--yes']);
  writeFileSync(targets, kept);
  mkdirSync(saved);
  for (const [at, path] of foldersOf().entries()) copyTree(path, savedAs(at));
}

/** In a session of its own, of which each machine is to have what the file was. */
async function changesFile({ cwd, run }: Sandbox, which: 0 | 1): Promise<void> {
  writeFileSync(join(cwd, 'notes.txt'), `${OLD[which]}\n`);
  await run(['-p', 'run rm notes.txt', '--permission-mode', 'bypass']);
}

const restore = (): void => {
  for (const [at, path] of foldersOf().entries()) copyTree(savedAs(at), path);
};

describe.each([
  ['a plain folder', false],
  ['an encrypted folder, with versions of files', true],
] as const)('over %s', (where, sealed) => {
  beforeAll(() => makeWorld(sealed), 600_000);

  test.each([
    ['that sends, purges and deletes', 0],
    ['that receives, purges and deletes', 1],
  ] as const)(
    'a sync %s, killed at any step, loses nothing and forks nothing that nobody is told of, and the next ones go on',
    async (what, who) => {
      restore();
      const [killed] = [world[who]];
      const prepare = async (): Promise<void> => {
        restore();
        if (who === 1) await world[0].run(['sync']);
      };
      await prepare();
      const stepsFile = join(saved, 'steps');
      writeFileSync(stepsFile, '');
      expect((await killed.runBinary(['command', '0', '["sync"]'], { env: { STEPS: stepsFile }, program: driver })).code).toBe(0);
      const steps = readFileSync(stepsFile, 'utf8').trim().split('\n');
      const problems: string[] = [];
      const chosen = stepsToKill(steps.length, { least: 3 });
      for (const kill of chosen) {
        await prepare();
        const ran = await killed.runBinary(['command', String(kill), '["sync"]'], { program: driver });
        const wrong = ran.signal === 'SIGKILL' ? [] : [`not killed, but ended with ${ran.code}`];
        let told = ran.out;
        for (const at of [who, 1 - who, who, 1 - who]) {
          const next = await (world[at] ?? killed).run(['sync']);
          if (next.code !== 0) wrong.push(next.err);
          if (at === who) told += next.out;
        }
        problems.push(...[...wrong, ...check(told)].map((problem) => `step ${kill} (${steps[kill - 1]}): ${problem}`));
      }
      tellKills(`a sync over ${where} ${what}`, { kills: chosen.length, steps: steps.length, problems: problems.length });
      expect(problems).toEqual([]);
    },
    3_600_000,
  );
});

function check(told: string): readonly string[] {
  const wrong: string[] = [];
  for (const { home, names } of world) {
    for (const text of ['together', 'went on on a', 'went on on b', 'only on a', 'only on b'])
      if (filesWith(join(home, 'sessions'), text).length === 0) wrong.push(`${text} is gone`);
    if (names('sessions').length !== (isSealed ? 6 : 4)) wrong.push(`${names('sessions').length} sessions`);
    for (const text of isSealed ? OLD : [])
      if (filesWith(join(home, 'sessions'), text).length === 0) wrong.push(`the file "${text}" is gone`);
    if (filesWith(home, SECRET).length > 0) wrong.push('the secret is there');
  }
  for (const text of [SECRET, 'a session to be deleted']) if (filesWith(folder, text).length > 0) wrong.push(`${text} is in the folder`);
  if (!told.includes(`session ${forked} went on on`)) wrong.push('nobody was told of the fork');
  return wrong;
}
