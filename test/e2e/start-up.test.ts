import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';
import { root } from '../support/source.ts';

/** The packages that a run of the binary loads. */
async function packagesOf(args: readonly string[]): Promise<readonly string[]> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'status']);
  const imports = join(world.cwd, 'imports');
  const ran = await world.runBinary(args, { node: ['--import', join(root, 'test/support/record-imports.mjs')], env: { IMPORTS: imports } });
  expect(ran.code).toBe(0);
  const found = [...readFileSync(imports, 'utf8').matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map(([, name = '']) => name);
  return [...new Set(found)].sort();
}

const heavy = ['@anthropic-ai/sdk', 'gpt-tokenizer', '@inquirer/prompts', 'ora', 'diff', 'undici'];

test.each([['--help'], ['--version'], ['history'], ['sessions']])(
  'sanbot %s loads neither the SDK nor the tokenizer, nor what only a conversation needs',
  async (...args) => {
    expect((await packagesOf(args)).filter((name) => heavy.includes(name))).toEqual([]);
  },
);

test('--help and --version load the command line alone', async () => {
  expect(await packagesOf(['--help'])).toEqual(['commander']);
  expect(await packagesOf(['--version'])).toEqual(['commander']);
});

test('an offline turn never loads the SDK', async () => {
  const packages = await packagesOf(['-p', 'status', '--continue']);
  expect(packages).toContain('gpt-tokenizer');
  expect(packages).not.toContain('@anthropic-ai/sdk');
});
