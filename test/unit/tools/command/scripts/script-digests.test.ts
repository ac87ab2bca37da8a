import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedScripts, rulesAllow } from '../../../../../src/context/permission/rules.ts';
import { parseShell } from '../../../../../src/tools/command/parse-command.ts';
import { scriptDigests } from '../../../../../src/tools/command/scripts/script-digests.ts';

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
  ['pytest -q', 'pyproject.toml', '[tool.pytest.ini_options]\naddopts = "-p evil"'],
  ['uv run x', 'pyproject.toml', '[tool.uv.sources]\nx = "evil"'],
  ['tox', 'pyproject.toml', '[tool.tox]\ncommands = "evil"'],
  ['mypy src', 'pyproject.toml', '[tool.mypy]\nplugins = "evil"'],
  ['pylint src', '.pylintrc', '[MAIN]\ninit-hook = "evil"'],
  ['direnv exec . ls', '.envrc', 'evil'],
  ['mise run x', '.mise.toml', '[tasks.x]\nrun = "evil"'],
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

test.each([
  ['behind the head of a section', '[branch "x"] [core] fsmonitor = evil\n'],
  ['in a section that only looks like one, since the line before it goes on', '[core]\n\ta = b\\\n[branch "x"]\n\tfsmonitor = evil\n'],
  ['in a value that goes on', '[branch "x"]\n\tmerge = a\\\n\tb\n[core]\n\tfsmonitor = evil\n'],
])('what a configuration of git runs is seen %s [S-13]', async (_, config) => {
  const { cwd, write, digests } = folder();
  mkdirSync(join(cwd, '.git'));
  write('.git/config', config.replace('evil', 'good'));
  const before = await digests('git status');
  write('.git/config', config);
  expect(await digests('git status')).not.toEqual(before);
});

test.each([
  ['rules.mk', 'include rules.mk'],
  ['sub/rules.mk', '-include none.mk \\\n  sub/rules.mk # rules'],
  ['sub/a.mk', 'sinclude sub/*.mk'],
  ['sub/deep.mk', 'include first.mk'],
  ['sub/x.d', '-include $(wildcard sub/?.d)'],
])('a rule for make asks again once %s says something else, which the Makefile takes in by %j [S-13]', async (path, line) => {
  const { write, digests } = folder();
  write('Makefile', `${line}\nall:\n`);
  write('first.mk', 'include sub/deep.mk\n');
  const without = await digests('make');
  write(path, 'x:; good\n');
  const before = await digests('make');
  write(path, 'x:; evil\n');
  const after = await digests('make');
  expect(new Set([without, before, after].map((each) => JSON.stringify(each))).size).toBe(3);
  expect(Object.keys(after ?? {})).toEqual(Object.keys(without ?? {}));
});

test('Makefiles that include each other, themselves or what a variable says come to an end', async () => {
  const { write, digests } = folder();
  write('Makefile', 'include Makefile a.mk $(X)\n');
  write('a.mk', 'include Makefile\ninclude a.mk\n');
  expect(Object.keys((await digests('make')) ?? {}).sort()).toEqual(['GNUmakefile', 'Makefile', 'a.mk', 'makefile']);
});
