import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { NO_FILE, type ParsedCommand, type ScriptDigests } from '../../domain/permission.ts';
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
  for (const file of places.files) {
    const path = resolve(base, file);
    const bytes = await contentOf(path).catch(() => undefined);
    if (bytes !== undefined) digests[relative(base, path)] = digestOf(path, bytes);
  }
  for (const folder of places.folders) {
    const found = await nearest(resolve(base, folder), places.names);
    for (const { path, bytes } of found) digests[relative(base, path)] = digestOf(path, bytes);
    // One that appears later is a change too.
    const missing = places.names.filter((name) => !found.some(({ path }) => path.endsWith(`${sep}${name}`)));
    for (const name of missing) digests[join(relative(base, resolve(base, folder)), name)] = NO_FILE;
  }
  return digests;
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

/** Which branch follows which says nothing of what runs, and changes with every new one. */
const withoutBranches = (config: string): string =>
  config
    .split(/^(?=[ \t]*\[)/m)
    .filter((section) => !/^[ \t]*\[branch[ \t]/i.test(section))
    .join('');
