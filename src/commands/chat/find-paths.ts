import type { Environment } from '../../runtime/environment.ts';
import { fuzzyFind } from '../../terminal/input/fuzzy-find.ts';
import { processOf, ripgrep, walkArgs } from '../../tools/search/ripgrep.ts';

const MAX_PATHS = 50;
/** A larger folder is searched as far as this; what lies beyond is found by the beginning of its path. */
const MAX_LISTED = 50_000;
const LIST_MS = 3_000;
/** So long a list is taken for what is there. */
const FRESH_MS = 10_000;

/**
 * Finds files and folders below the working folder by letters of their path, without what ignore files exclude; that is found when a
 * folder is typed out. Those of `added` folders are found by their absolute paths, letters of which are typed. What is typed as a path from elsewhere is completed by its beginning. `agents` are found before files, by the beginning
 * of `agent-NAME`. Never rejects.
 */
export function createPathFinder(
  environment: Pick<Environment, 'cwd' | 'env' | 'platform' | 'newId' | 'now' | 'deadline'>,
  home: string,
  agents: readonly string[] = [],
  added: () => readonly string[] = () => [],
): (typed: string) => Promise<readonly string[]> {
  const { cwd, now, deadline } = environment;
  const listed = new Map<string, { readonly at: number; readonly paths: Promise<readonly string[]> }>();
  const list = (folder: string): Promise<readonly string[]> => {
    const at = now().getTime();
    const known = listed.get(folder);
    if (known !== undefined && at - known.at <= FRESH_MS) return known.paths;
    const paths = listPaths(folder, { home, environment, signal: deadline(LIST_MS) });
    listed.set(folder, { at, paths });
    return paths;
  };
  const listAdded = async (): Promise<readonly string[]> =>
    (await Promise.all(added().map(async (folder) => (await list(folder)).map((path) => `${folder}/${path}`)))).flat();
  return async (typed) => {
    if (/^(?:[/~]|\.\.?\/)/.test(typed)) return completePath(cwd(), typed);
    const named = typed === '' ? [] : agents.map((name) => `agent-${name}`).filter((name) => name.startsWith(typed));
    const paths = await list(cwd());
    const entries = entriesBelow(typed.slice(0, typed.lastIndexOf('/') + 1), paths).filter((path) => path.startsWith(typed));
    const shown = typed === '' ? entries.filter((path) => !path.startsWith('.')) : entries;
    const found = typed === '' || typed.endsWith('/') ? [] : await fuzzyFind(typed, [...paths, ...(await listAdded())], MAX_PATHS);
    // What lies in a folder that is offered is not offered beside it.
    const folders = shown.filter((path) => path.endsWith('/'));
    const others = found.filter((path) => !shown.includes(path) && !folders.some((folder) => path.startsWith(folder)));
    const all = [...named, ...shown, ...others];
    return all.length > 0 ? all.slice(0, MAX_PATHS) : completePath(cwd(), typed);
  };
}

type Walk = { readonly home: string; readonly environment: Pick<Environment, 'env' | 'platform' | 'newId'>; readonly signal: AbortSignal };

/** The files, then the folders that hold them; what was found in time. */
async function listPaths(cwd: string, { home, environment, signal }: Walk): Promise<readonly string[]> {
  const files: string[] = [];
  const onRecord = (path: string): boolean => {
    files.push(path.replace(/^\.[/\\]/, '').replaceAll('\\', '/'));
    return files.length < MAX_LISTED;
  };
  try {
    const args = ['--files', '--null', ...(await walkArgs(cwd, home)), '--', '.'];
    await ripgrep(args, { ...processOf(environment), cwd, signal, separator: '\0', onRecord });
  } catch {
    // What was found until then is offered.
  }
  return [...files.sort(), ...foldersOf(files)];
}

function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let end = file.lastIndexOf('/'); end > 0 && !folders.has(file.slice(0, end + 1)); end = file.lastIndexOf('/', end - 1))
      folders.add(file.slice(0, end + 1));
  return [...folders].sort();
}

/** What lies right in a folder, folders first. */
function entriesBelow(folder: string, paths: readonly string[]): readonly string[] {
  const isRightBelow = (path: string): boolean => {
    const slash = path.indexOf('/', folder.length);
    return path.length > folder.length && path.startsWith(folder) && (slash < 0 || slash === path.length - 1);
  };
  const entries = paths.filter(isRightBelow);
  return [...entries.filter((path) => path.endsWith('/')), ...entries.filter((path) => !path.endsWith('/'))];
}

/** The entries of the folder that a prefix names, by the prefix's last part. Hidden ones only when asked for by their dot. */
async function completePath(cwd: string, prefix: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  const folderEnd = prefix.lastIndexOf('/') + 1;
  const [folder, namePrefix] = [prefix.slice(0, folderEnd), prefix.slice(folderEnd)];
  const entries = await readdir(resolve(cwd, folder || '.'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(namePrefix) && (namePrefix.startsWith('.') || !name.startsWith('.')))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort()
    .slice(0, MAX_PATHS);
}
