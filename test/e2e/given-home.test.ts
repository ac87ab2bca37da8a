import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

const offline = { SANBOT_PROVIDER: 'offline' };

describe('a folder that is given as home', () => {
  const filled = (folder: string, mode: number): string => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    chmodSync(folder, mode);
    return folder;
  };
  const isRoot = process.geteuid?.() === 0;
  const stateOf = (folder: string) => ({ mode: statSync(folder).mode & 0o7777, names: readdirSync(folder).sort() });

  test.each<[string, (world: Sandbox) => string, string]>([
    ['the project', ({ cwd }) => filled(cwd, 0o755), "it holds what is not SanBot's (notes.txt)"],
    ['the home folder of the user', ({ env }) => filled(env.HOME ?? '', 0o755), 'it is your home folder, or above it'],
    ['a folder above that', ({ env }) => dirname(env.HOME ?? ''), 'it is your home folder, or above it'],
    ['one where everybody has files', ({ cwd }) => filled(join(cwd, 'all'), 0o1777), "it holds what is not SanBot's (notes.txt)"],
  ])('%s is refused, and stays as it is', (_, choose, why) => refused(choose, why));

  test.runIf(isRoot)('that of another user is refused, and what that one put there is not obeyed', async () => {
    await refused(({ cwd }) => othersFolder(cwd), 'it belongs to another user');
  });

  const refused = async (choose: (world: Sandbox) => string, why: string): Promise<void> => {
    const world = createSandbox(offline);
    const folder = choose(world);
    const before = stateOf(folder);
    for (const args of [['-p', 'status'], ['doctor'], ['sessions'], ['config', 'show']]) {
      const ran = await world.run([...args, '--home', folder]);
      expect([args, ran.code, ran.out, ran.err]).toEqual([args, 2, '', expect.stringContaining(`${folder} cannot be the home: ${why}`)]);
    }
    expect(stateOf(folder)).toEqual(before);
  };

  const othersFolder = (cwd: string): string => {
    const folder = join(cwd, 'others');
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.json'), '{"hooks":{"SessionStart":["touch hooked"]}}');
    chownSync(folder, 65_534, 65_534);
    return folder;
  };

  test('is taken when it is new, empty, or one that SanBot has worked in, whatever else is there', async () => {
    const world = createSandbox(offline);
    const empty = join(world.cwd, 'empty');
    mkdirSync(empty, { mode: 0o755 });
    for (const home of [empty, join(world.cwd, 'new', 'home')]) {
      for (let run = 0; run < 2; run++) {
        expect(await world.run(['-p', 'status', '--home', home])).toMatchObject({ code: 0 });
        writeFileSync(join(home, 'notes.txt'), 'mine');
      }
      expect(stateOf(home).mode).toBe(0o700);
    }
  });

  test('is taken again when a memory was the first that came to it', async () => {
    const world = createSandbox(offline);
    const home = join(world.cwd, 'remembering');
    for (const text of ['The office is in Basel', 'The lab is in Bern'])
      expect(await world.run(['memory', 'add', text, '--home', home])).toMatchObject({ code: 0 });
  });

  test('is taken with what a person puts there before the first start', async () => {
    const world = createSandbox(offline);
    const home = join(world.cwd, 'prepared');
    mkdirSync(join(home, 'skills'), { recursive: true });
    for (const name of ['SANBOT.md', 'config.json']) writeFileSync(join(home, name), name === 'config.json' ? '{}' : 'Be brief.');
    expect(await world.run(['-p', 'status', '--home', home])).toMatchObject({ code: 0 });
  });
});
