import { dirname } from 'node:path';
import type { WalkLimits } from './walk.ts';

/** What holds for a folder once the time for others is over; undefined where it is over for this one too. */
export function limitsOfNamed({ named, ...limits }: WalkLimits): (path: string) => WalkLimits | undefined {
  if (named === undefined) return () => undefined;
  const paths = named.paths();
  const [above, isNamed] = [new Set(paths.flatMap((path) => foldersAbove(path))), namedTest(paths)];
  return (path) => ((above.has(path) || isNamed(path)) && limits.now() <= named.until ? { ...limits, until: named.until } : undefined);
}

/** Whether a path is one of these or below one of them. */
export function namedTest(paths: readonly string[]): (path: string) => boolean {
  const known = new Map(paths.map((path) => [path, true]));
  const isBelow = (folder: string): boolean => {
    const answer = known.get(folder) ?? (folder !== dirname(folder) && isBelow(dirname(folder)));
    known.set(folder, answer);
    return answer;
  };
  return (path) => paths.length > 0 && (known.get(path) ?? isBelow(dirname(path)));
}

const foldersAbove = (path: string): readonly string[] => (path === dirname(path) ? [] : [dirname(path), ...foldersAbove(dirname(path))]);
