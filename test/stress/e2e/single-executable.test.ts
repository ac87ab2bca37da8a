import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeArtifacts } from '../../../build/release/artifacts.mjs';
import { createParser } from '../../../src/tools/parse/parser.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { manifestIn } from '../../support/packed.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';

const bwrap = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--', 'true']).status === 0;
const isMade = process.platform === 'linux' && process.arch === 'x64';
const base = mkdtempSync(join(tmpdir(), 'sanbot-executable-'));
const { version } = manifestIn(root);
const program = join(base, 'first', `sanbot-${version}-linux-x64`);
afterAll(() => rmSync(base, { recursive: true, force: true }));

let names: readonly string[] = [];
beforeAll(() => {
  names = makeArtifacts(root, join(base, 'first'));
});

test('a release has the package, the executable, the licences and checksums, and the same bytes when it is made again', () => {
  expect(names).toEqual(['LICENSES.txt', ...(isMade ? [`sanbot-${version}-linux-x64`] : []), `sanbot-${version}.tgz`, 'SHA256SUMS']);
  makeArtifacts(root, join(base, 'second'));
  const sums = (folder: string): string => readFileSync(join(base, folder, 'SHA256SUMS'), 'utf8');
  expect(sums('second')).toBe(sums('first'));
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(base, 'first'), encoding: 'utf8' })).not.toContain('FAILED');
  const licences = readFileSync(join(base, 'first', 'LICENSES.txt'), 'utf8');
  for (const name of ['Node.js v', 'libsql ', '@vscode/ripgrep ', 'gpt-tokenizer ']) expect(licences).toContain(`\n${name}`);
});

/** The libraries that a system has, by the paths at which they are looked for. */
const librariesOf = (file: string): readonly string[] =>
  [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(([, path = '']) => path);

type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

/** What a system has that bubblewrap can run in: its folders, and all of /proc, without which it can mount none of its own. */
const FOR_BUBBLEWRAP = ['--bind', '/proc', '/proc', ...['/run', '/etc', '/sys', '/var/tmp', '/usr/lib'].flatMap((path) => ['--dir', path])];

/** A root with nothing but the executable, the C and C++ libraries, and what is named: neither Node nor a file of this package. */
function emptyRoot(programs: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const files = [...programs, program, join(root, 'node_modules/@libsql/linux-x64-gnu/index.node')];
  const isNested = programs.includes('/usr/bin/bwrap');
  const libraries = files.flatMap(librariesOf).flatMap((path) => ['--ro-bind', realpathSync(path), path]);
  const place = mkdtempSync(join(base, 'root-'));
  for (const name of ['home', 'project']) mkdirSync(join(place, name));
  const mounts = [
    ...libraries,
    ...programs.flatMap((path) => ['--ro-bind', realpathSync(path), path]),
    ...['--ro-bind', program, '/sanbot', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...(isNested ? FOR_BUBBLEWRAP : ['--proc', '/proc']),
    ...['--bind', join(place, 'home'), '/home/you', '--bind', join(place, 'project'), '/srv/project', '--chdir', '/srv/project'],
  ];
  const variables = { HOME: '/home/you', PATH: '/usr/bin:/bin', SANBOT_PROVIDER: 'offline', LANG: 'C.UTF-8', ...env };
  const args = [...mounts, '--clearenv', ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]), '/sanbot'];
  const run = (...words: readonly string[]): Ran => {
    const apart = isNested ? ['--unshare-user', '--unshare-net'] : ['--unshare-all'];
    const { status, stdout, stderr } = spawnSync('bwrap', [...apart, ...args, ...words], { encoding: 'utf8' });
    return { code: status, out: stdout, err: stderr };
  };
  return { place, run, project: join(place, 'project'), home: join(place, 'home', '.sanbot') };
}

describe.skipIf(!isMade || !bwrap)('on a machine without Node the executable', () => {
  test('tells its version and help, answers, keeps a session, and reads, searches and finds it again', () => {
    const { run, project, home } = emptyRoot();
    expect(run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: sanbot') });
    writeFileSync(join(project, 'a.txt'), 'a walnut\n');
    expect(run('-p', 'read a.txt')).toMatchObject({ code: 0, out: expect.stringContaining('a walnut') });
    expect(run('-p', 'search walnut', '--continue')).toMatchObject({ code: 0, out: expect.stringContaining('1: a walnut') });
    expect(run('history')).toMatchObject({ code: 0, out: expect.stringContaining('read a.txt') });
    expect(run('search', 'walnut')).toMatchObject({ code: 0, out: expect.stringContaining('read a.txt') });
    expect(run('doctor', '--no-endpoint')).toMatchObject({ code: 0, out: expect.stringContaining('all is well') });
    expect(run('demo')).toMatchObject({ code: 0 });
    expect(readdirSync(join(home, 'program'))).toHaveLength(1);
    expect(statSync(join(home, 'program')).mode & 0o077).toBe(0);
  }, 120_000);

  test('runs a command only after a yes where there is no sandbox, and in the sandbox where there is one', () => {
    const shell = ['/bin/sh', '/usr/bin/touch'];
    const without = emptyRoot(shell);
    expect(without.run('-p', 'run echo hi').out).toContain("it needs a person's yes");
    expect(without.run('-p', 'run echo hi', '--permission-mode', 'bypass').out).toContain('hi');
    const within = emptyRoot([...shell, '/usr/bin/bwrap']);
    const ran = within.run('-p', 'run touch made && echo done', '--sandbox', 'on', '--permission-mode', 'bypass');
    expect([ran.err, ran.out]).toEqual([expect.not.stringContaining('No sandbox'), expect.stringContaining('done')]);
    expect(readdirSync(within.project)).toContain('made');
  });

  test('takes a folder of its own where the home cannot be written to, and says in one line what to do where that cannot either', () => {
    expect(emptyRoot([], { HOME: '/sanbot' }).run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(emptyRoot([], { HOME: '/sanbot', TMPDIR: '/sanbot' }).run('--version')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^sanbot: its files cannot be unpacked: .* Set SANBOT_HOME to a folder that can be written to\.\n$/),
    });
  });

  test('removes what another build unpacked once no start has used it for a month', () => {
    const { run, home } = emptyRoot();
    const folders = ['old', 'new'].map((name) => join(home, 'program', name));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    utimesSync(join(home, 'program', 'old'), 0, 0);
    expect(run('--version').code).toBe(0);
    expect(readdirSync(join(home, 'program')).filter((name) => name.length < 4)).toEqual(['new']);
  });
});

describe.skipIf(!isMade)('what the program starts of itself runs in the executable', () => {
  test('the process that parses what comes from outside, with its thread', async () => {
    const world = createSandbox();
    expect(execFileSync(program, ['--version'], { env: world.env, encoding: 'utf8' })).toBe(`${version}\n`);
    const [build = ''] = readdirSync(join(world.home, 'program'));
    const bundle = join(world.home, 'program', build, 'dist', 'bundle');
    const { parse } = createParser({
      program: { node: program, file: join(bundle, 'parser.js'), threadFile: join(bundle, 'parser-thread.js') },
      deadline: (ms) => AbortSignal.timeout(ms),
    });
    expect(
      await parse(
        'page',
        '<html><head><title>Harbours</title></head><body><p>Where ships lie.</p></body></html>',
        new AbortController().signal,
      ),
    ).toMatchObject({
      kind: 'parsed',
      output: { title: 'Harbours', text: expect.stringContaining('Where ships lie.') },
    });
  });

  test('the supervisor of a command in the background, beside a model that is asked over the network', async () => {
    const world = createSandbox();
    const script = [
      callsTool('run_command', { command: 'echo listening; exit 3', background: true }),
      callsTool('read_output', { job: 'job-1', wait: 20 }),
      replies('ok'),
    ];
    const api = await startFakeApi((_request, n) => script[n] ?? replies('ok'), { home: world.home, key: 'test-key' });
    afterThisTest(() => api.close());
    const env = { ...world.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
    const ran = await promisify(execFile)(program, ['-p', 'start it', '--permission-mode', 'bypass'], { env, cwd: world.cwd });
    expect(ran.stdout).toBe('ok\n');
    expect(JSON.stringify(api.requests.at(-1)?.body)).toMatch(/listening/);
  });
});
