import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rulesAbout } from '../../../../src/context/permission/rules.ts';
import { hiddenPaths, type PathRules } from '../../../../src/tools/place/ruled-paths.ts';
import { canSandbox, makeWorld } from '../command/sandbox/sandbox-world.ts';
import { createWorld } from '../world.ts';

const denied: PathRules = { deny: [{ tool: '*', path: 'letters/**' }], ask: [], about: rulesAbout };
const asked: PathRules = { deny: [], ask: [{ tool: '*', path: 'letters/**' }], about: rulesAbout };

function letters(rules: PathRules) {
  const world = createWorld({ pathRules: () => rules });
  world.put('letters/a.txt', 'dear moon\n');
  world.put('letters/deep/b.txt', 'dear moon\n');
  world.put('src/moon.txt', 'the moon\n');
  return world;
}

test('a search from above leaves out what a rule forbids or asks about, whether it matches or not, and says so', async () => {
  for (const pattern of ['moon', 'dear', 'nothing there']) {
    const forbidden = await letters(denied).call('search', { pattern });
    expect([forbidden.content.includes('dear moon'), forbidden.content.split('\n')[0]]).toEqual([
      false,
      expect.stringContaining('left out by a deny rule of the user: 2 files'),
    ]);
  }
  const { content } = await letters(asked).call('search', { pattern: 'moon' });
  expect(content).toMatch(/^1 match in 1 file; left out, since a rule of the user says to ask: 2 files; a call with its path asks\n/);
  expect(content).not.toContain('dear');
  const others = createWorld({ pathRules: () => ({ deny: [{ tool: 'write_file', path: '**' }], ask: [], about: rulesAbout }) });
  others.put('a.txt', 'moon\n');
  expect((await others.call('search', { pattern: 'moon' })).content).toBe('1 match in 1 file\na.txt\n1: moon');
});

test('a list of files leaves them out as well, folders that are not walked included', async () => {
  const world = letters(denied);
  const { content } = await world.call('list_files', {});
  expect(content).toContain('left out by a deny rule of the user: 2 files');
  expect([content.includes('letters'), content.includes('moon.txt')]).toEqual([false, true]);
});

test('another name of a file is known for what it is', async () => {
  const world = letters(denied);
  mkdirSync(join(world.cwd, 'other'));
  linkSync(join(world.cwd, 'letters/a.txt'), join(world.cwd, 'other/copy.txt'));
  const aliases = [join(world.cwd, 'letters/a.txt')];
  expect((await world.ready('read_file', { path: 'other/copy.txt' })).aliases).toEqual(aliases);
  expect((await world.ready('read_file', { path: 'src/moon.txt' })).aliases).toBeUndefined();
  expect((await world.call('search', { pattern: 'dear' })).content).toMatch(
    /^no matches in \.; left out by a deny rule of the user: 3 files/,
  );
});

test.runIf(canSandbox)('a command in the sandbox sees nothing of what may not be read, and the rest as it is', () => {
  const world = makeWorld();
  world.put('letters/a.txt', 'dear moon');
  world.put('real/b.txt', 'dear sun');
  world.put('src/key.pem', 'dear key');
  world.put('src/a.txt', 'plain');
  symlinkSync('real', join(world.cwd, 'linked'));
  linkSync(join(world.cwd, 'letters/a.txt'), join(world.cwd, 'src/copy.txt'));
  const deny = ['letters/**', 'linked/**', '**/*.pem', 'nothing/**'].map((path) => ({ tool: '*', path }));
  const { paths: denied } = hiddenPaths({ deny: [...deny, { tool: 'write_file', path: 'src/**' }], ask: [], about: rulesAbout }, world.cwd);
  expect([...denied].sort()).toEqual(['letters', 'real', 'src/copy.txt', 'src/key.pem'].map((name) => join(world.cwd, name)));
  const { out } = world.run('grep -rh . . ; cat letters/a.txt; cat linked/b.txt; echo x > letters/new || echo held', { denied });
  expect(out.split('\n').filter((line) => line !== '')).toEqual(['plain', 'held']);
});

test('what rules say to ask about is hidden as well, but from a command that names it; where not all can be hidden, that is a problem', () => {
  const world = makeWorld();
  const key = world.put('a/key.pem');
  world.put('letters/a.txt');
  const ask = [
    { tool: '*', path: '**/*.pem' },
    { tool: '*', path: 'letters/**' },
  ];
  const rules: PathRules = { deny: [], ask, about: rulesAbout };
  const isNamed = ({ path }: { readonly path?: string | undefined }): boolean => path === 'letters/**';
  expect(hiddenPaths(rules, world.cwd, { isNamed })).toEqual({ paths: [key] });
  expect(hiddenPaths(rules, world.cwd, { most: 2 }).problem?.en).toContain('too much here');
  for (const path of ['**', '/**']) {
    const problem = hiddenPaths({ ...rules, ask: [], deny: [{ tool: '*', path }] }, world.cwd).problem;
    expect([path, problem?.en]).toEqual([path, expect.stringContaining('forbids to read the working folder')]);
  }
});
