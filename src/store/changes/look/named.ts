import { dirname } from 'node:path';

/** What those who act name, asked for where that matters, and until when it is looked at. */
export type Named = { readonly paths: () => readonly string[]; readonly until: number };
type Limits = { readonly until: number; readonly now: () => number; readonly named?: Named };

/** What holds for a folder once the time for others is over; undefined where it is over for this one too. */
export function limitsOfNamed<Of extends Limits>(limits: Of): (path: string) => Of | undefined {
  const { named } = limits;
  if (named === undefined) return () => undefined;
  const paths = named.paths();
  const [above, isNamed] = [foldersAbove(paths), namedTest(paths)];
  return (path) => ((above.has(path) || isNamed(path)) && limits.now() <= named.until ? { ...limits, until: named.until } : undefined);
}

/** Whether a path is one of these or below one of them. */
export function namedTest(paths: readonly string[]): (path: string) => boolean {
  const known = new Map(paths.map((path) => [path, true]));
  const isBelow = (folder: string): boolean => {
    const way: string[] = [];
    let at = folder;
    for (; !known.has(at) && at !== dirname(at); at = dirname(at)) way.push(at);
    const answer = known.get(at) ?? false;
    for (const each of way) known.set(each, answer);
    return answer;
  };
  return (path) => paths.length > 0 && (known.get(path) ?? isBelow(dirname(path)));
}

function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const above = new Set<string>();
  for (const path of paths) for (let at = dirname(path); !above.has(at); at = dirname(at)) above.add(at);
  return above;
}
