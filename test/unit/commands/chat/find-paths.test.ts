import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createPathFinder } from '../../../../src/commands/chat/find-paths.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import { afterThisFile } from '../../../support/clean-up.ts';

const cwd = mkdtempSync(join(tmpdir(), 'sanbot-find-'));
afterThisFile(() => rmSync(cwd, { recursive: true, force: true }));

beforeAll(() => {
  const files = [
    'src/terminal/prompt/prompt-keys.ts',
    'src/terminal/chat.ts',
    'src/main.ts',
    'docs/快速 开始.md',
    '.env.example',
    'readme.md',
  ];
  for (const path of [...files, 'node_modules/left/index.js', 'build.log', '.gitignore']) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), path === '.gitignore' ? 'node_modules\n*.log\n' : 'x');
  }
  execFileSync('git', ['init', '-q'], { cwd });
});

const find = (typed: string): Promise<readonly string[]> =>
  createPathFinder({ ...processEnvironment(), cwd: () => cwd }, join(cwd, 'home'))(typed);

test.each([
  ['', ['docs/', 'src/', 'readme.md']],
  ['s', ['src/']],
  ['src/', ['src/terminal/', 'src/main.ts']],
  ['src/ma', ['src/main.ts']],
  ['prkey', ['src/terminal/prompt/prompt-keys.ts']],
  ['开始', ['docs/快速 开始.md']],
  ['./s', ['./src/']],
  ['.env', ['.env.example']],
])('%j finds %j', async (typed, paths) => {
  expect((await find(typed)).slice(0, paths.length)).toEqual(paths);
});

test('agents are found before files by the beginning of how they are named, and not by nothing', async () => {
  const withAgents = createPathFinder({ ...processEnvironment(), cwd: () => cwd }, join(cwd, 'home'), ['reviewer', '翻译']);
  expect((await withAgents('agent-')).slice(0, 2)).toEqual(['agent-reviewer', 'agent-翻译']);
  expect(await withAgents('agent-翻')).toContain('agent-翻译');
  expect((await withAgents('')).some((each) => each.startsWith('agent-'))).toBe(false);
});

test('what ignore files exclude is found by the beginning of its path alone', async () => {
  expect([await find('index.js'), await find('build.l')]).toEqual([[], ['build.log']]);
  expect(await find('node_modules/')).toEqual(['node_modules/left/']);
});
