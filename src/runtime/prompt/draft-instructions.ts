import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { cutAt } from '../../context/text/sentences.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readText } from '../../store/files/read-text.ts';

const MAX_FILE_BYTES = 1_000_000;
const MAX_FOLDERS = 400;
const MAX_DEPTH = 5;
const MAX_LISTED = 15;
const MAX_COMMAND_CHARS = 120;

/** A first AGENTS.md for a project, made of what lies in its folder; no model is asked, and nothing that the project says is run. */
export function draftInstructions(folder: string): string {
  const manifest = parseJson(fileIn(folder, 'package.json') ?? '');
  const tree = walk(folder);
  const languages = languagesIn(tree.extensions);
  const about = isObject(manifest) && isString(manifest.description) ? inert(manifest.description, 300) : '';
  const commands = commandsIn(folder, manifest);
  const parts = [
    `# ${inert(isObject(manifest) && isString(manifest.name) ? manifest.name : basename(folder), 100)}`,
    ...(about === '' ? [] : [about]),
    ...(languages === '' ? [] : [`Written in ${languages}.`]),
    '## Commands',
    commands.length === 0 ? 'None were found. Say here how it is built, tested and checked.' : commands.join('\n'),
    ...(tree.folders.length === 0 ? [] : ['## Layout', tree.folders.join('\n')]),
    '## Conventions',
    'Say here what cannot be seen in the code: rules of style, what must not be changed, how a change is checked before it is done.',
  ];
  return `${parts.join('\n\n')}\n`;
}

const fileIn = (folder: string, name: string): string | undefined => orUndefined(() => readText(join(folder, name), MAX_FILE_BYTES));

/** On one line, without what would end a quotation or begin a comment. */
const inert = (text: string, chars: number): string =>
  cutAt(
    text
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .replace(/[`<>]/g, '')
      .trim(),
    chars,
  );

const line = (command: string, what?: string): string =>
  `- \`${inert(command, MAX_COMMAND_CHARS)}\`${what === undefined || what === '' ? '' : `: ${inert(what, MAX_COMMAND_CHARS)}`}`;

function commandsIn(folder: string, manifest: unknown): readonly string[] {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const makefile = fileIn(folder, 'Makefile') ?? '';
  const targets = [...makefile.matchAll(/^([a-z][a-z0-9_-]{0,40})\s*:(?!=)/gim)].map(([, name = '']) => name);
  return [
    ...scriptsIn(folder, manifest),
    ...[...new Set(targets)].slice(0, MAX_LISTED).map((name) => line(`make ${name}`)),
    ...(has('Cargo.toml') ? [line('cargo build'), line('cargo test')] : []),
    ...(has('go.mod') ? [line('go build ./...'), line('go test ./...')] : []),
    ...(isPython(has)
      ? [line(/pytest/.test(fileIn(folder, 'pyproject.toml') ?? '') || has('pytest.ini') ? 'python -m pytest' : 'python -m unittest')]
      : []),
    ...(has('pom.xml') ? [line('mvn test')] : []),
    ...(has('build.gradle') || has('build.gradle.kts') ? [line(has('gradlew') ? './gradlew test' : 'gradle test')] : []),
    ...(has('Gemfile') && has('spec') ? [line('bundle exec rspec')] : []),
  ];
}

const isPython = (has: (name: string) => boolean): boolean => ['pyproject.toml', 'setup.py', 'setup.cfg'].some(has);

function scriptsIn(folder: string, manifest: unknown): readonly string[] {
  if (!isObject(manifest)) return [];
  const lockFiles = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' };
  const [, program = 'npm'] = Object.entries(lockFiles).find(([name]) => existsSync(join(folder, name))) ?? [];
  const scripts = isObject(manifest.scripts) ? Object.entries(manifest.scripts) : [];
  const rows = scripts.flatMap(([name, command]) =>
    isString(command) && /^[\w:.-]{1,60}$/.test(name)
      ? [line(name === 'test' ? `${program} test` : `${program} run ${name}`, command)]
      : [],
  );
  return [line(`${program} install`), ...rows.slice(0, MAX_LISTED)];
}

type Tree = { readonly extensions: ReadonlyMap<string, number>; readonly folders: readonly string[] };

/** What others have made, and what is made anew. */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'target',
  'vendor',
  'venv',
  'coverage',
  '__pycache__',
]);

function walk(folder: string): Tree {
  const extensions = new Map<string, number>();
  let visited = 0;
  const countFile = ({ name }: Dirent): void => {
    const extension = extname(name).toLowerCase();
    extensions.set(extension, (extensions.get(extension) ?? 0) + 1);
  };
  const countFiles = (path: string, depth: number): number => {
    visited += 1;
    let files = 0;
    for (const entry of entriesOf(path)) {
      if (entry.isDirectory()) files += depth < MAX_DEPTH && visited < MAX_FOLDERS ? countFiles(join(path, entry.name), depth + 1) : 0;
      else {
        files += 1;
        countFile(entry);
      }
    }
    return files;
  };
  const entries = entriesOf(folder);
  const folders = entries.filter((entry) => entry.isDirectory());
  const rows = folders.map(({ name }) => ({ name, files: countFiles(join(folder, name), 1) }));
  for (const entry of entries) if (!entry.isDirectory()) countFile(entry);
  const listed = rows.filter(({ files }) => files > 0).slice(0, MAX_LISTED);
  return { extensions, folders: listed.map(({ name, files }) => line(`${name}/`, files === 1 ? '1 file' : `${files} files`)) };
}

function entriesOf(folder: string): readonly Dirent[] {
  const entries = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => !entry.name.startsWith('.') && !SKIPPED.has(entry.name) && (entry.isDirectory() || entry.isFile()))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['.ts', '.tsx', '.mts'],
  JavaScript: ['.js', '.jsx', '.mjs', '.cjs'],
  Python: ['.py'],
  Go: ['.go'],
  Rust: ['.rs'],
  Java: ['.java'],
  Kotlin: ['.kt'],
  Ruby: ['.rb'],
  PHP: ['.php'],
  C: ['.c', '.h'],
  'C++': ['.cc', '.cpp', '.hpp'],
  'C#': ['.cs'],
  Swift: ['.swift'],
  Shell: ['.sh'],
};

/** The most used first, three at most. */
function languagesIn(extensions: Tree['extensions']): string {
  const counts = Object.entries(LANGUAGES).map(([name, ends]) => ({
    name,
    files: ends.reduce((sum, end) => sum + (extensions.get(end) ?? 0), 0),
  }));
  const found = counts.filter(({ files }) => files > 0).sort((a, b) => b.files - a.files);
  const [last, ...others] = found
    .slice(0, 3)
    .map(({ name }) => name)
    .reverse();
  if (last === undefined) return '';
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}
