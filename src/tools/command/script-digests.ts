import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { NO_FILE, type ParsedCommand, type ScriptDigests } from '../../domain/permission.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';
import { scriptPlaces } from './script-places.ts';

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
    if (found.length > 0)
      digests[name] = createHash('sha256')
        .update(JSON.stringify(found.map(({ path, bytes }) => [path, digestOf(path, bytes)])))
        .digest('hex');
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
  const isGit = path.endsWith(join('.git', 'config'));
  const content = isObject(parsed)
    ? JSON.stringify([parsed.scripts, parsed.tasks])
    : isGit
      ? withoutBranches(bytes.toString('utf8'))
      : bytes;
  return createHash('sha256').update(content).digest('hex');
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
