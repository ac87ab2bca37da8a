import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';
import { root } from '../support/source.ts';

/** The addresses of the files that a run of the binary loads. */
async function filesLoadedBy(args: readonly string[]): Promise<readonly string[]> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'status']);
  const imports = join(world.cwd, 'imports');
  const ran = await world.runBinary(args, { node: ['--import', join(root, 'test/support/record-imports.mjs')], env: { IMPORTS: imports } });
  expect(ran.code).toBe(0);
  if (!existsSync(imports)) return [];
  return [...new Set(readFileSync(imports, 'utf8').trim().split('\n'))];
}

const filesOf = async (args: readonly string[]): Promise<number> =>
  (await filesLoadedBy(args)).filter((file) => file.includes('/dist/bundle/')).length;

/** What it loads: the sources that the files of the bundle hold, and packages beside it, by their paths. */
async function loadedBy(args: readonly string[]): Promise<readonly string[]> {
  return (await filesLoadedBy(args)).flatMap((file) => {
    const [, chunk] = /\/dist\/bundle\/([^/]+\.js)$/.exec(file) ?? [];
    if (chunk === undefined) return [file];
    const map = join(root, 'dist', 'bundle', `${chunk}.map`);
    return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')).sources as readonly string[]) : [];
  });
}

/** The packages among them. */
async function packagesOf(args: readonly string[]): Promise<readonly string[]> {
  const found = (await loadedBy(args)).flatMap((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(found)].sort();
}

const heavy = ['@anthropic-ai/sdk', 'marked', 'highlight.js', '@inquirer/prompts', 'ora', 'diff', 'undici'];

test.each([['--help'], ['--version'], ['history'], ['sessions']])(
  'sanbot %s loads neither the SDK nor what only a conversation needs',
  async (...args) => {
    expect((await packagesOf(args)).filter((name) => heavy.includes(name))).toEqual([]);
  },
);

test('--help loads the command line and what tells its language and width, in few files; --version nothing', async () => {
  const width = ['ansi-regex', 'get-east-asian-width', 'string-width', 'strip-ansi'];
  expect(await packagesOf(['--help'])).toEqual([...width, 'commander', 'jsonc-parser'].sort());
  expect(await filesOf(['--help'])).toBeLessThanOrEqual(5);
  expect(await filesOf(['-p', 'status'])).toBeLessThanOrEqual(20);
  expect(await packagesOf(['--version'])).toEqual([]);
});

test('history counts no tokens, and an offline turn never loads the SDK', async () => {
  const counter = 'src/context/measure/byte-pairs.ts';
  expect((await loadedBy(['history'])).filter((path) => path.endsWith(counter))).toEqual([]);
  const turn = await loadedBy(['-p', 'status', '--continue']);
  expect(turn.filter((path) => path.endsWith(counter))).toHaveLength(1);
  expect(turn.filter((path) => path.includes('@anthropic-ai/sdk'))).toEqual([]);
});
