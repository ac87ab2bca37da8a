import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

/** The package in a place of its own, with no code cache yet. */
function installed(): string {
  const place = mkdtempSync(join(tmpdir(), 'sanbot-package-'));
  afterThisTest(() => rmSync(place, { recursive: true, force: true }));
  mkdirSync(join(place, 'dist'));
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(place, name), { recursive: true });
  for (const name of ['prompts', 'node_modules', join('dist', 'bundle')]) symlinkSync(join(root, name), join(place, name));
  return place;
}

const program = (place: string): string => join(place, 'bin', 'sanbot.js');

/** The files that a run takes from the cache, and those that it compiles. */
async function run(world: Sandbox, place: string, args = ['-p', 'status']) {
  const imports = join(world.cwd, 'imports');
  rmSync(imports, { force: true });
  const ran = await world.runBinary(args, {
    program: program(place),
    node: ['--import', join(root, 'test/support/record-imports.mjs')],
    env: { IMPORTS: imports },
  });
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('Offline model')]);
  const lines = readFileSync(imports, 'utf8').split('\n');
  const those = (how: string) => lines.flatMap((line) => new RegExp(`/([^/]+)-[^-/]+\\.js ${how}$`).exec(line)?.[1] ?? []).sort();
  return { cached: those('cached'), compiled: those('compiled') };
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));

test('what a start compiles is kept beside the bundle, and the next one takes it', async () => {
  const [world, place] = [createSandbox({ SANBOT_PROVIDER: 'offline' }), installed()];
  const first = await run(world, place);
  expect(first.cached).toEqual([]);
  expect(await run(world, place)).toEqual({ cached: first.compiled, compiled: [] });
  expect(existsSync(join(world.home, 'code-cache'))).toBe(false);
});

test('a damaged file of the cache is not used, and is written anew', async () => {
  const [world, place] = [createSandbox({ SANBOT_PROVIDER: 'offline' }), installed()];
  const { compiled } = await run(world, place);
  const cache = join(place, 'dist', 'code-cache');
  for (const name of filesIn(cache)) {
    const bytes = readFileSync(join(cache, name));
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(join(cache, name), bytes);
  }
  expect(await run(world, place)).toEqual({ cached: [], compiled });
  for (const name of filesIn(cache)) writeFileSync(join(cache, name), '');
  expect(await run(world, place)).toEqual({ cached: [], compiled });
  expect(await run(world, place)).toEqual({ cached: compiled, compiled: [] });
});

test('where the package cannot be written to, the home keeps it, once there is one', async () => {
  const [world, place] = [createSandbox({ SANBOT_PROVIDER: 'offline' }), installed()];
  writeFileSync(join(place, 'dist', 'code-cache'), 'in the way');
  const listed = await world.runBinary(['history'], { program: program(place) });
  expect([listed.code, existsSync(world.home)]).toEqual([0, false]);
  const { compiled } = await run(world, place);
  expect(filesIn(join(world.home, 'code-cache'))).not.toEqual([]);
  expect((await run(world, place)).compiled.length).toBeLessThan(compiled.length);
  expect((await world.run(['doctor', '--no-endpoint'])).out).not.toContain('code-cache');
});

test('a run that fails keeps nothing', async () => {
  const [world, place] = [createSandbox({ SANBOT_PROVIDER: 'offline' }), installed()];
  expect((await world.runBinary(['nonsense'], { program: program(place) })).code).toBe(2);
  expect(existsSync(join(place, 'dist', 'code-cache'))).toBe(false);
});
