import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rulesAllow } from '../../../../src/context/permission/rules.ts';
import { createWorld } from '../world.ts';

/** Whether a rule for the beginning of a command covers it. */
async function covered(command: string, prefix: string, make: (cwd: string) => void = () => undefined): Promise<boolean> {
  const world = createWorld();
  make(world.cwd);
  const plan = await world.ready('run_command', { command });
  const call = { tool: 'run_command', cwd: world.cwd, paths: [], command: plan.command };
  return rulesAllow({ allow: [{ tool: 'run_command', prefix }], readOnlyCommands: 'ask' }, call);
}

test('a rule for a program covers no file that it would write and that runs later, whatever the option', async () => {
  const rows: readonly (readonly [prefix: string, rest: string])[] = [
    ['gcc', '-o package.json a.c'],
    ['gcc', '-c a.c -MD -MF .envrc'],
    ['gcc', '-o.envrc a.c'],
    ['go build', '-o Makefile ./x'],
    ['go build', '-o sub/.husky/pre-push ./x'],
    ['rustc', '-o .envrc a.rs'],
    ['cp', 'a.txt .envrc'],
    ['mv', 'a.txt sub/CLAUDE.md'],
    ['ln', '-s a.txt .vscode'],
    ['touch', 'conftest.py'],
    ['pytest', '--junitxml=conftest.py tests'],
    ['curl https://api.example.com/x', '-o .envrc'],
  ];
  for (const [prefix, rest] of rows) expect([rest, await covered(`${prefix} ${rest}`, prefix)]).toEqual([rest, false]);
});

test('a rule for a program covers what it writes elsewhere, and what stands in the rule', async () => {
  const rows: readonly (readonly [prefix: string, rest: string])[] = [
    ['gcc', '-o build/app a.c'],
    ['gcc', '-c a.c -MD -MF a.d'],
    ['go build', '-o bin/x ./x'],
    ['cp', 'a.txt b.txt'],
    ['cp a.txt .envrc', ''],
    ['eslint', 'eslint.config.js src'],
    ['git add', 'package.json'],
    ['touch', 'src/a.ts'],
  ];
  for (const [prefix, rest] of rows) expect([rest, await covered(`${prefix} ${rest}`.trim(), prefix)]).toEqual([rest, true]);
});

test('a link that leads to what runs later is what it leads to', async () => {
  const make = (cwd: string): void => symlinkSync('.envrc', join(cwd, 'plain'));
  expect(await covered('cp a.txt plain', 'cp', make)).toBe(false);
});

test('an edit of what runs later under another name is asked about each time', async () => {
  const world = createWorld();
  world.put('docs/guide.md', 'a\n');
  world.put('docs/other.md', 'a\n');
  world.put('tools/ci/build.yml', 'a\n');
  world.put('plain.txt', 'a\n');
  mkdirSync(join(world.cwd, '.github'));
  world.link('docs/guide.md', 'CLAUDE.md');
  world.link('../tools/ci', '.github/workflows');
  linkSync(join(world.cwd, 'plain.txt'), join(world.cwd, '.envrc'));
  const cautionOf = async (path: string) => (await world.ready('edit_file', { path, old_string: 'a', new_string: 'b' })).caution;
  expect(await cautionOf('docs/guide.md')).toEqual({
    why: { en: expect.stringMatching(/^CLAUDE\.md is another name of it: an agent/), zh: expect.stringContaining('CLAUDE.md') },
    eachTime: true,
  });
  expect((await cautionOf('tools/ci/build.yml'))?.why.en).toContain('.github/workflows is another name of it');
  expect((await cautionOf('plain.txt'))?.why.en).toContain('.envrc is another name of it');
  expect(await cautionOf('docs/other.md')).toBeUndefined();
  expect((await world.ready('write_file', { path: 'tools/ci/new.yml', content: 'x' })).caution?.eachTime).toBe(true);
});
