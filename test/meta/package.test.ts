import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSource, root, sourceFiles } from '../support/source.ts';

type Manifest = {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const bundle = join(root, 'dist', 'bundle');

test('every file of the bundle has a map, which names sources and no folder of this machine', () => {
  const scripts = readdirSync(bundle).filter((name) => name.endsWith('.js'));
  const withoutMap = scripts.filter((name) => !existsSync(join(bundle, `${name}.map`)));
  // Only the bundler's own file, and what hands on the names of others, have nothing to map.
  for (const name of withoutMap.filter((each) => !each.startsWith('rolldown-runtime')))
    expect(readFileSync(join(bundle, name), 'utf8')).toMatch(
      /^(?:["'`]use strict["'`];|require\([^;]*;|(?:const|var|let) \w+=require\([^;]*;|Object\.defineProperty\([^;]*;|exports\.[^;]*;|\s)*$/,
    );
  expect(withoutMap.length).toBeLessThan(scripts.length / 4);
  for (const name of bundledSources()) expect(name).toMatch(/^(?:src|node_modules)[/\\]/);
  expect(bundledSources()).toContain(join('src', 'main.ts'));
  expect(readdirSync(bundle).filter((name) => readFileSync(join(bundle, name), 'utf8').includes(root))).toEqual([]);
});

test('the bundle has the notice of each package that is in it, and each of them may be given away', () => {
  const notices = readFileSync(join(bundle, 'LICENSES.txt'), 'utf8').matchAll(/^(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm);
  const licences = new Map([...notices].map(([, name = '', licence = '']) => [name, licence]));
  // The tokenizer's ranks are data, which no map names.
  expect([...bundledPackages(), 'gpt-tokenizer'].filter((name) => !licences.has(name))).toEqual([]);
  expect([...licences].filter(([, licence]) => !PERMISSIVE.includes(licence))).toEqual([]);
});

const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'Unlicense'];

const bundledPackages = (): ReadonlySet<string> =>
  new Set(bundledSources().flatMap((name) => /^node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(name)?.[1]?.replace('\\', '/') ?? []));

let known: readonly string[] | undefined;

/** Read once: together the maps are large. */
function bundledSources(): readonly string[] {
  known ??= readSources();
  return known;
}

function readSources(): readonly string[] {
  const maps = readdirSync(bundle).filter((name) => name.endsWith('.map'));
  return maps.flatMap((name) => {
    const { sources, sourceRoot, sourcesContent } = JSON.parse(readFileSync(join(bundle, name), 'utf8'));
    expect({ sourceRoot, sourcesContent }, name).toEqual({ sourceRoot: '', sourcesContent: undefined });
    return sources.map((source: string) => (isAbsolute(source) ? source : relative(root, join(bundle, source))));
  });
}

test('every import is declared, and only what cannot be bundled is installed with the package', () => {
  const imported = new Set(
    sourceFiles()
      .flatMap((file) => importsOf(file))
      .filter(
        (name) =>
          !name.startsWith('node:') &&
          !/^(domain|context|agent|model|store|tools|terminal|runtime|report|commands|library|main|net|sync)(\/|$)/.test(name),
      )
      .map((name) => (name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? ''))),
  );
  // Both hold binaries. The build fails where the bundle asks for anything else.
  expect(Object.keys(manifest.dependencies).sort()).toEqual(['@vscode/ripgrep', 'libsql']);
  const all = { ...manifest.devDependencies, ...manifest.dependencies };
  expect([...imported].filter((name) => all[name] === undefined)).toEqual([]);
});

test('the lock file names no address', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
});

test('every prompt is read by name, and every name has its prompt', () => {
  const prompts = readdirSync(join(root, 'prompts'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/').replace(/\.md$/, ''));
  const sources = sourceFiles().map((file) => readSource(file));
  const unread = prompts.filter((name) => !sources.some((text) => text.includes(`'${name.replace(/^tools\//, '')}'`)));
  expect(unread).toEqual([]);
});
