import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manifestIn, npmIn, packInto } from '../../support/packed.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

const base = mkdtempSync(join(tmpdir(), 'sanbot-package-'));
const prefix = join(base, 'prefix');
const installed = join(prefix, 'lib', 'node_modules', 'sanbot');
afterAll(() => rmSync(base, { recursive: true, force: true }));

beforeAll(() => {
  const packed = packInto(base);
  npmIn(base)('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', ...packed);
});

test('the package holds what runs and nothing else [S-50]', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const files: readonly string[] = packed.files.map((file: { readonly path: string }) => file.path);
  const tops = [...new Set(files.map((file) => file.split('/')[0]))].sort();
  expect(tops).toEqual([
    '.sanbot.example.json',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'README.zh.md',
    'SECURITY.md',
    'bin',
    'dist',
    'docs',
    'examples',
    'package.json',
    'prompts',
  ]);
  const notBundled = files.filter(
    (file) =>
      file.startsWith('dist/') &&
      !/^dist\/docs\/(?:sanbot\.1|reference\.md|stream-json\.schema\.json)$/.test(file) &&
      !/^dist\/exports\/[\w.-]+\.(?:js|d\.ts)$/.test(file) &&
      !/^dist\/bundle\/(?:[\w.-]+\.js(?:\.map)?|help-\w+-\d+\.json|known-counts\.json|package\.json|LICENSES\.txt|o200k\.ranks)$/.test(
        file,
      ),
  );
  expect(notBundled).toEqual([]);
  expect(files).toEqual(expect.arrayContaining([...(manifestIn(root).man ?? [])]));
});

test('the package installs globally without a network, and runs: version, help, an answer, history, search [S-50]', async () => {
  const { version } = manifestIn(root);
  const program = join(prefix, 'bin', 'sanbot');
  expect(dirname(realpathSync(program))).toBe(realpathSync(join(installed, 'bin')));
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const run = (...args: readonly string[]) => world.runBinary(args, { program });
  expect(await run('--version')).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  expect(await run('--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage: sanbot'), err: '' });
  expect(await run('history')).toMatchObject({ code: 0, out: expect.stringContaining('No sessions yet'), err: '' });
  expect(await run('-p', 'status of the walnut')).toMatchObject({ code: 0 });
  expect((await run('history')).out).toContain('status of the walnut');
  expect((await run('search', 'walnut')).out).toContain('walnut');
  expect(readFileSync(join(prefix, 'share', 'man', 'man1', 'sanbot.1'), 'utf8')).toContain(`"SanBot ${version}"`);
});

test('the package has no sources, no tests and no path of the machine it was made on', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  expect(
    paths.filter((path) => /(?<!\/dist\/exports\/\w+\.d)\.tsx?$|\.test\.|[/\\](?:src|test|bench)[/\\]/.test(path.slice(installed.length))),
  ).toEqual([]);
  const own = [root, process.env.HOME ?? root].filter((path) => path.split('/').length > 2);
  const telling = paths.filter((path) => !path.endsWith('.png') && own.some((place) => readFileSync(path, 'latin1').includes(place)));
  expect(telling).toEqual([]);
  expect(readFileSync(join(installed, 'dist', 'bundle', 'LICENSES.txt'), 'utf8')).toContain('commander');
});

test('the package stays small', () => {
  const [packed] = readdirSync(base).filter((name) => name.startsWith('sanbot-'));
  expect(readFileSync(join(base, packed ?? '')).length).toBeLessThan(7_000_000);
});
