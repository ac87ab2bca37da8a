import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { scriptDigests } from '../../../../src/tools/command/script-digests.ts';

function folder() {
  const cwd = mkdtempSync(join(tmpdir(), 'sanbot-scripts-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'sub'));
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text);
  const digests = async (command: string) => scriptDigests(await parseShell(command), cwd);
  return { cwd, write, digests, files: async (command: string) => Object.keys((await digests(command)) ?? { none: '' }).sort() };
}

test('names the files that define what a command runs, also in folders that it names and above [S-13]', async () => {
  const { write, files } = folder();
  for (const path of ['package.json', 'Makefile', 'sub/package.json', 'justfile']) write(path, '{}');
  expect(await files('npm test')).toEqual(['package.json']);
  expect(await files('npm test 2>&1 | tail -3 && make lint')).toEqual(['Makefile', 'package.json']);
  for (const command of [
    'cd sub && npm test',
    'npm --prefix sub test',
    'npm --prefix=sub run x',
    'npm test -w sub',
    'yarn --cwd sub build',
  ])
    expect([command, await files(command)]).toEqual([command, ['package.json', 'sub/package.json']]);
  expect(await files('make -C sub')).toEqual(['Makefile']);
  expect(await files('timeout 9 /usr/bin/make')).toEqual(['Makefile']);
  expect(await files('just')).toEqual(['justfile']);
  write('sub/other.mk', 'all:');
  expect(await files('make -f sub/other.mk')).toEqual(['Makefile', 'sub/other.mk']);
  expect(await files('node --run test')).toEqual(['package.json']);
  for (const command of ['git log', 'node x.js', 'ls']) expect([command, await files(command)]).toEqual([command, ['none']]);
});

test('sees a changed script, and not a changed version', async () => {
  const { write, digests } = folder();
  const packageOf = (value: object) => write('package.json', JSON.stringify(value));
  packageOf({ version: '1', scripts: { test: 'a', pretest: 'b' } });
  const before = await digests('npm test');
  packageOf({ version: '2', dependencies: { x: '1' }, scripts: { test: 'a', pretest: 'b' } });
  expect(await digests('npm test')).toEqual(before);
  packageOf({ version: '1', scripts: { test: 'a', pretest: 'c' } });
  expect(await digests('npm test')).not.toEqual(before);
  write('package.json', '{ "scripts": ');
  expect(await digests('npm test')).not.toEqual(before);
});

test('does not wait for a pipe that has the name of such a file', async () => {
  const { cwd, digests } = folder();
  execFileSync('mkfifo', [join(cwd, 'Makefile')]);
  expect(await digests('make')).toEqual({});
});
