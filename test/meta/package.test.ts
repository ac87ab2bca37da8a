import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, parseSource, root, sourceFiles, stringsIn } from '../support/source.ts';

const manifest: { readonly dependencies: Record<string, string>; readonly engines: { readonly node: string }; readonly version: string } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

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
    'SECURITY.md',
    'bin',
    'dist',
    'docs',
    'package.json',
    'prompts',
  ]);
  const compiled = sourceFiles().map((file) => file.replace(/^src\/(.*)\.ts$/, 'dist/$1.js'));
  expect(compiled.filter((file) => !files.includes(file) || !files.includes(`${file}.map`))).toEqual([]);
  expect(files.filter((file) => file.startsWith('dist/') && !/\.js(?:\.map)?$/.test(file))).toEqual([]);
});

test('every compiled file has a map, which names its source and no folder of this machine', () => {
  const wrong = sourceFiles().filter((source) => {
    const map = join(root, source.replace(/^src\/(.*)\.ts$/, 'dist/$1.js.map'));
    const { sources, sourceRoot, sourcesContent } = JSON.parse(readFileSync(map, 'utf8'));
    const isNamed = sources.length === 1 && relative(root, join(dirname(map), sources[0])) === source;
    return !isNamed || isAbsolute(sources[0]) || sourceRoot !== '' || sourcesContent !== undefined;
  });
  expect(wrong).toEqual([]);
});

test('every dependency is imported, and every import is a dependency', () => {
  const imported = new Set(
    sourceFiles()
      .flatMap((file) => importsOf(file))
      .filter(
        (name) =>
          !name.startsWith('node:') &&
          !/^(domain|context|agent|model|store|tools|terminal|replay|runtime|report|commands|main)(\/|$)/.test(name),
      )
      .map((name) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? ''))),
  );
  expect([...imported].sort()).toEqual(Object.keys(manifest.dependencies).sort());
});

test('the lock file names no address', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
});

test('every prompt is read by name, and every name has its prompt', () => {
  const prompts = readdirSync(join(root, 'prompts'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.md$/, ''));
  const strings = new Set(sourceFiles().flatMap((file) => stringsIn(parseSource(file))));
  const unread = prompts.filter((name) => !strings.has(name.replace(/^tools\//, '')));
  expect(unread).toEqual([]);
});
