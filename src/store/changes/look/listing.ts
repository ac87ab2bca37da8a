import { lstatSync, readdirSync } from 'node:fs';
import { looksSame, type Standing } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { isOwnTemporary } from './remade.ts';
import { TICK_MS } from './standing.ts';

export type FolderListing = {
  /** Its own times; undefined where more could have been put into it within the same tick of the clock. */
  readonly stamp: Standing | undefined;
  readonly names: readonly string[];
  readonly paths: readonly string[];
  /** By name; undefined for what was passed over. */
  readonly standings: readonly (Standing | undefined)[];
  /** A tool makes it again: nothing in it was looked at. */
  readonly isRemade?: boolean;
};

export const REMADE: FolderListing = { stamp: undefined, names: [], paths: [], standings: [], isRemade: true };

export function formerStandings(names: readonly string[], former: FolderListing | undefined): (i: number) => Standing | undefined {
  if (former === undefined) return () => undefined;
  if (former.names === names) return (i) => former.standings[i];
  const byName = new Map(former.names.map((name, i) => [name, former.standings[i]]));
  return (i) => byName.get(names[i] ?? '');
}

const namesIn = (path: string): readonly string[] =>
  readdirSync(path).filter(
    (name) => !isOwnTemporary(name) || lstatSync(`${path}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true,
  );

/** A folder whose own times are as they were has the names that it had. Undefined where it cannot be listed. */
export function listAgain(
  path: string,
  stamp: Standing | undefined,
  former: FolderListing | undefined,
  at: number,
): FolderListing | undefined {
  if (former?.stamp !== undefined && stamp !== undefined && looksSame(former.stamp, stamp)) return former;
  const names = orUndefined(() => namesIn(path));
  if (names === undefined) return undefined;
  const isSettled = stamp !== undefined && Math.max(stamp.mtime, stamp.ctime) < at - TICK_MS;
  return { stamp: isSettled ? stamp : undefined, names, paths: names.map((name) => `${path}/${name}`), standings: [] };
}
