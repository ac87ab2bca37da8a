import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedScripts, rulesAllow } from '../../../../src/context/permission/rules.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { scriptDigests } from '../../../../src/tools/command/script-digests.ts';

function folder() {
  const cwd = mkdtempSync(join(tmpdir(), 'sanbot-scripts-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'sub'));
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text);
  const digests = async (command: string) => scriptDigests(await parseShell(command), cwd);
  return {
    cwd,
    write,
    digests,
    files: async (command: string) =>
      Object.entries((await digests(command)) ?? { nothing: '' })
        .flatMap(([file, digest]) => (digest === 'none' ? [] : [file]))
        .sort(),
  };
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
  for (const command of ['node x.js', 'ls']) expect([command, await files(command)]).toEqual([command, ['nothing']]);
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
  expect(await digests('make')).toEqual({ GNUmakefile: 'none', makefile: 'none', Makefile: 'none' });
});

test.each([
  ['npm test', '.npmrc', 'script-shell=./evil.sh'],
  ['npm test', 'package.json', '{"scripts": {"test": "evil"}}'],
  ['pnpm run build', '.pnpmfile.cjs', 'evil()'],
  ['pnpm run build', 'pnpm-workspace.yaml', 'scriptShell: ./evil.sh'],
  ['yarn test', '.yarnrc.yml', 'yarnPath: ./evil.cjs'],
  ['bun run build', 'bunfig.toml', 'preload = ["./evil.ts"]'],
  ['make', 'GNUmakefile', 'all:; evil'],
  ['git status', '.git/config', '[core]\n\tfsmonitor = evil'],
  ['git log', '.git/commondir', 'evil'],
  ['git diff', '.gitattributes', '* diff=evil'],
  ['cargo test', '.cargo/config.toml', '[build]\nrustc-wrapper = "evil"'],
  ['cargo build', 'build.rs', 'evil'],
  ['pytest -q', 'conftest.py', 'evil()'],
  ['./gradlew test', 'build.gradle', 'evil'],
  ['mvn test', '.mvn/jvm.config', '-javaagent:evil'],
])('a rule for %s asks again once there is a new %s, or a changed one [S-13]', async (command, path, text) => {
  const { cwd, write, digests } = folder();
  mkdirSync(join(cwd, dirname(path)), { recursive: true });
  const before = await digests(command);
  write(path, text);
  const added = await digests(command);
  write(path, text.replace('evil', 'other'));
  const changed = await digests(command);
  const call = (scripts: typeof before) => ({ tool: 'run_command', cwd, paths: [], command: { text: command, parsed, scripts } });
  const parsed = await parseShell(command);
  for (const [was, is] of [
    [before, added],
    [added, changed],
  ]) {
    const settings = {
      allow: [{ tool: 'run_command', command, ...(was === undefined ? {} : { scripts: was }) }],
      readOnlyCommands: 'ask' as const,
    };
    expect(rulesAllow(settings, call(was))).toBe(true);
    expect(rulesAllow(settings, call(is))).toBe(false);
    expect(changedScripts(settings, call(is))).toEqual([path]);
  }
});

test('a new branch is no reason to ask about git again', async () => {
  const { cwd, write, digests } = folder();
  mkdirSync(join(cwd, '.git'));
  write('.git/config', '[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n');
  const before = await digests('git status');
  write('.git/config', '[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n[branch "new"]\n\tmerge = refs/heads/new\n');
  expect(await digests('git status')).toEqual(before);
});
