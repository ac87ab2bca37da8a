import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { NO_FILE, type ParsedCommand, type ScriptDigests } from '../../../domain/permission.ts';
import { matchesGlob } from '../../../domain/value/glob.ts';
import { isObject, parseJson } from '../../../domain/value/json.ts';
import { sha256Hex } from '../../files/text-file.ts';

/**
 * What the files say now that define what a command runs, as `npm test` is defined in package.json; undefined for a command that runs
 * nothing of that kind. Programs look for such a file in the folders above too, so the nearest one counts. Never rejects.
 */
export async function scriptDigests(parsed: ParsedCommand, cwd: string): Promise<ScriptDigests | undefined> {
  const places = scriptPlaces(parsed);
  if (places === undefined) return undefined;
  const base = await realpath(cwd).catch(() => cwd);
  const digests: Record<string, string> = {};
  const add = async ({ path, bytes }: Found, folder: string): Promise<void> => {
    digests[relative(base, path)] = digestOf(path, bytes);
    if (!isMakefile(path)) return;
    for (const pattern of includesOf(bytes.toString('utf8'))) await addIncluded(resolve(folder, pattern), folder);
  };
  /** What a Makefile includes counts as if it stood in it; of a pattern all that it fits. */
  const addIncluded = async (pattern: string, folder: string): Promise<void> => {
    const name = relative(base, pattern);
    if (digests[name] !== undefined || Object.keys(digests).length >= MAX_FILES) return;
    digests[name] = NO_FILE;
    const found = await filesOf(pattern);
    if (found.length > 0) digests[name] = sha256Hex(JSON.stringify(found.map(({ path, bytes }) => [path, digestOf(path, bytes)])));
    for (const { bytes } of found)
      for (const inner of includesOf(bytes.toString('utf8'))) await addIncluded(resolve(folder, inner), folder);
  };
  for (const file of places.files) {
    const path = resolve(base, file);
    const bytes = await contentOf(path).catch(() => undefined);
    if (bytes !== undefined) await add({ path, bytes }, base);
  }
  for (const folder of places.folders) {
    const found = await nearest(resolve(base, folder), places.names);
    for (const each of found) await add(each, dirname(each.path));
    // One that appears later is a change too.
    const missing = places.names.filter((name) => !found.some(({ path }) => path.endsWith(`${sep}${name}`)));
    for (const name of missing) digests[join(relative(base, resolve(base, folder)), name)] = NO_FILE;
  }
  return digests;
}

/** More than any build has by hand. */
const MAX_FILES = 100;

const isMakefile = (path: string): boolean => /^(?:GNU)?makefile$|\.(?:mk|mak|make)$/i.test(basename(path));

/** The files of `include`, `-include` and `sinclude`, as they are written; where one comes from a variable, nothing is known. */
const includesOf = (makefile: string): readonly string[] =>
  [...makefile.replace(/\\\r?\n/g, ' ').matchAll(/^ *[-s]?include[ \t]+([^#\n]{1,2000})/gm)].flatMap(([, names = '']) =>
    names
      .replace(/\$[({]wildcard +([^)}]{1,2000})[)}]/g, '$1')
      .split(/\s+/)
      .filter((name) => name !== '' && !name.includes('$')),
  );

/** A file, or all in one folder that fit the last part of a pattern. */
async function filesOf(pattern: string): Promise<readonly Found[]> {
  const folder = dirname(pattern);
  const names = /[*?[]/.test(basename(pattern)) ? (await readdir(folder).catch(() => [])).toSorted() : [basename(pattern)];
  const found: Found[] = [];
  for (const name of names
    .filter((each) => names.length === 1 || matchesGlob(basename(pattern).replace(/\?|\[[^\]]*\]/g, '*'), each))
    .slice(0, MAX_FILES)) {
    const bytes = await contentOf(join(folder, name)).catch(() => undefined);
    if (bytes !== undefined) found.push({ path: join(folder, name), bytes });
  }
  return found;
}

type Found = { readonly path: string; readonly bytes: Buffer };

async function nearest(folder: string, names: readonly string[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  const wanted = new Set(names);
  for (let at = folder; wanted.size > 0; at = dirname(at)) {
    for (const name of wanted) {
      const path = join(at, name);
      const bytes = await contentOf(path).catch(() => undefined);
      if (bytes !== undefined && wanted.delete(name)) found.push({ path, bytes });
    }
    if (dirname(at) === at) break;
  }
  return found;
}

/** More than anybody writes by hand; of a larger one, size and time stand for what it says. */
const MAX_BYTES = 4 * 1024 * 1024;

async function contentOf(path: string): Promise<Buffer | undefined> {
  const stats = await stat(path);
  if (!stats.isFile()) return undefined;
  return stats.size > MAX_BYTES ? Buffer.from(`${stats.size} ${stats.mtimeMs}`) : await readFile(path);
}

/** Of a package only the scripts, so that a new version of a dependency asks nobody. */
function digestOf(path: string, bytes: Buffer): string {
  const parsed = /\.json$/.test(path) ? parseJson(bytes.toString('utf8')) : undefined;
  if (isObject(parsed)) return sha256Hex(JSON.stringify([parsed.scripts, parsed.tasks]));
  return sha256Hex(path.endsWith(join('.git', 'config')) ? withoutBranches(bytes.toString('utf8')) : bytes);
}

/**
 * Which branch follows which says nothing of what runs, and changes with every new one. Left out are only lines in the form that git itself
 * writes: a section may go on behind its head, and a value over the end of its line.
 */
function withoutBranches(config: string): string {
  let isBranch = false;
  let isContinued = false;
  const kept = config.split('\n').filter((line) => {
    const isHead = !isContinued && /^\[branch "[^"\\\]]*"\]$/.test(line);
    isBranch = isHead || (isBranch && /^\s+[A-Za-z][A-Za-z0-9-]* = [^\\"]*$/.test(line));
    isContinued = /\\\r?$/.test(line);
    return !isBranch;
  });
  return kept.join('\n');
}

/** Programs that run what a file of the project defines, and the names that file may have; also of those that say with what it is run. */
const RUNNERS = `
  npm npx: package.json .npmrc
  pnpm: package.json .npmrc pnpm-workspace.yaml .pnpmfile.cjs .pnpmfile.mjs
  yarn: package.json .npmrc .yarnrc .yarnrc.yml
  bun bunx: package.json bunfig.toml .npmrc
  git: .git/config .git/config.worktree .git/commondir .gitattributes
  cargo: .cargo/config.toml .cargo/config build.rs rust-toolchain.toml rust-toolchain
  go: go.work go.env
  pytest py.test: pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg conftest.py
  tox: tox.ini tox.toml pyproject.toml setup.cfg
  nox: noxfile.py
  pip pip3 pipx black ruff mypy pylint flake8 coverage pre-commit: pyproject.toml setup.py setup.cfg tox.ini mypy.ini .mypy.ini .pylintrc pylintrc .flake8 .coveragerc .pre-commit-config.yaml
  direnv: .envrc .env
  mise: mise.toml .mise.toml mise.local.toml .tool-versions
  uv poetry pdm hatch pixi: pyproject.toml uv.toml poetry.toml pdm.toml hatch.toml pixi.toml
  gradle gradlew: build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradlew
  mvn mvnw: pom.xml .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml mvnw
  mix: mix.exs
  docker: compose.yaml compose.yml docker-compose.yml docker-compose.yaml
  make gmake: GNUmakefile makefile Makefile
  just: justfile Justfile .justfile
  task: Taskfile.yml Taskfile.yaml
  deno: deno.json deno.jsonc package.json .npmrc
  composer: composer.json
  rake: Rakefile rakefile`;

const runners: ReadonlyMap<string, readonly string[]> = new Map(
  RUNNERS.trim()
    .split('\n')
    .map((line) => line.trim().split(': '))
    .flatMap(([programs = '', files = '']) => programs.split(' ').map((program) => [program, files.split(' ')] as const)),
);

const FOLDER_OPTION = /^(?:cd|pushd|-C|--prefix|--cwd|--dir|--directory|-w|--workspace)$/;
const FILE_OPTION = /^(?:-f|--file|--makefile|--justfile|-t|--taskfile)$/;

/** The values of an option, behind it or joined to it. */
const valuesOf = (option: RegExp, words: readonly (string | undefined)[]): readonly string[] =>
  words.flatMap((word = '', i) => {
    const [, name = word, joined] = /^(--[a-z]+)=(.+)$/.exec(word) ?? [];
    return option.test(name) ? (joined ?? words[i + 1] ?? []) : [];
  });

/** Where what a command runs may be defined: names of files, and the folders and files that the command itself names. */
type ScriptPlaces = { readonly names: readonly string[]; readonly folders: readonly string[]; readonly files: readonly string[] };

/**
 * Undefined for a command that starts no such program. Read widely: a word that only looks like a program or a folder makes a rule ask once
 * more, no less.
 */
function scriptPlaces({ commands }: ParsedCommand): ScriptPlaces | undefined {
  const words = commands.flatMap((command) => command.words);
  const runsScript = words.some((word) => word !== undefined && /^--run(?:=|$)/.test(word));
  const names = words.flatMap((word = '') =>
    runsScript && word === 'node' ? ['package.json'] : (runners.get(word.slice(word.lastIndexOf('/') + 1)) ?? []),
  );
  if (names.length === 0) return undefined;
  const folders = ['.', ...valuesOf(FOLDER_OPTION, words)];
  const files = valuesOf(FILE_OPTION, words);
  return { names: [...new Set(names)], folders: [...new Set(folders)], files: [...new Set(files)] };
}
