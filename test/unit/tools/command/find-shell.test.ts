import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { describeFor, findShell, shellArgs, shellLanguage } from '../../../../src/tools/command/find-shell.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { root as repository } from '../../../support/source.ts';

function scratch() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-shell-')));
  afterThisTest(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'project');
  mkdirSync(cwd);
  const put = (path: string, mode = 0o755): string => {
    outputFileSync(join(root, path), '#!/bin/sh\n', { mode });
    return join(root, path);
  };
  const find = (...path: readonly string[]) => findShell({ cwd, path: path.map((each) => join(root, each)).join(':'), wellKnown: [] });
  return { root, cwd, put, find };
}

test('the shell is a bash of the system, else one of PATH, else sh', () => {
  const { root, cwd, put, find } = scratch();
  const own = put('own/bash');
  expect(find('none', 'own')).toBe(own);
  expect(findShell({ cwd, path: join(root, 'own'), wellKnown: [join(root, 'none'), join(root, 'own')] })).toBe(own);
  expect(findShell({ cwd, path: join(root, 'own'), wellKnown: [join(cwd, '..', 'system')] })).toBe(own);
  const system = put('system/bash');
  expect(findShell({ cwd, path: join(root, 'own'), wellKnown: [join(root, 'system')] })).toBe(system);
  expect([find('none'), findShell({ cwd, path: undefined, wellKnown: [] })]).toEqual(['/bin/sh', '/bin/sh']);
});

test('nothing of the project is the shell, nor what only bears the name or cannot run [S-12]', () => {
  const { root, put, find } = scratch();
  put('project/bin/bash');
  put('flat/bash', 0o644);
  mkdirSync(join(root, 'folder', 'bash'), { recursive: true });
  for (const [name, target] of [
    ['linked', 'project/bin'],
    ['busybox-links/bash', put('busybox')],
    ['project-links/bash', join(root, 'project/bin/bash')],
  ] as const) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    symlinkSync(target.startsWith('/') ? target : join(root, target), join(root, name));
  }
  for (const folder of ['project/bin', 'linked', 'busybox-links', 'project-links', 'flat', 'folder'])
    expect([folder, find(folder)]).toEqual([folder, '/bin/sh']);
  expect(findShell({ cwd: join(root, 'project'), path: 'bin:.::', wellKnown: [] })).toBe('/bin/sh');
});

test('the model is told which shell it writes for', () => {
  const description = readFileSync(join(repository, 'prompts', 'tools', 'run_command.md'), 'utf8');
  expect(describeFor('/bin/bash', description)).toBe(description);
  expect(description).toContain('Runs a command line in GNU bash, in the working folder');
  expect(describeFor('/bin/sh', description)).toContain('Runs a command line in a POSIX sh, not bash, in the working folder');
});

test('bash is told to read no file at its start; what another shell gets is what all understand', () => {
  expect(['/bin/bash', '/opt/bash-5.2', '/bin/sh', '/bin/rbash', '/bin/bashful'].map(shellLanguage)).toEqual([
    'bash',
    'bash',
    'sh',
    'sh',
    'sh',
  ]);
  expect(shellArgs('/bin/bash')).toEqual(['--norc', '--noprofile', '-p', '-c', '--']);
  expect(shellArgs('/bin/sh')).toEqual(['-c', '--']);
});
