import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import type { ResolvedPath } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import type { ToolContext } from '../tool-context.ts';
import { globFor, walkArgs } from './ripgrep.ts';

/**
 * How ripgrep walks the folder of a target. In the temporary folder of a session no ignore file above it counts, which may be one of the
 * user's home, and a name that only stands for the user's own file is none.
 */
export async function walkOf(
  { path, place }: ResolvedPath,
  home: string,
  { temporary }: Pick<ToolContext, 'temporary'>,
): Promise<readonly string[]> {
  const args = await walkArgs(path, home);
  if (place !== 'temporary' || temporary === undefined) return args;
  const names = [...temporary.placeholders()].filter((each) => dirname(each) === path).map((each) => `!/${globFor(basename(each))}`);
  return [...args, '--no-require-git', '--no-ignore-parent', ...names.flatMap((glob) => ['--glob', glob])];
}

/** Where commands see what was found at a path below the target; undefined outside of the temporary folder. */
export const nameInSession = ({ place, given }: ResolvedPath, isFolder: boolean, path: string): string | undefined =>
  place === 'temporary' ? join(isFolder ? given : dirname(given), path) : undefined;

const MAX_NAMED = 20;

/** Of the temporary folder itself: what else commands may see there, which is looked into by its own name. */
export function othersThere({ place, given, path }: ResolvedPath): readonly string[] {
  if (place !== 'temporary' || !['/tmp', '/var/tmp'].includes(given)) return [];
  const own = new Set(orUndefined(() => readdirSync(path)) ?? []);
  const names = (orUndefined(() => readdirSync(given)) ?? []).filter((name) => !own.has(name));
  if (names.length === 0) return [];
  const dated = names.map((name) => ({ name, time: orUndefined(() => lstatSync(join(given, name)).mtimeMs) ?? 0 }));
  const newest = dated.sort((a, b) => b.time - a.time).slice(0, MAX_NAMED);
  const more = names.length - newest.length;
  const shown = newest.map(({ name }) => visibleLine(name, 100)).join(' ');
  return [`this folder is the session's own; beside it in ${given} the user has ${shown}${more > 0 ? ` and ${more} more` : ''}`];
}
