import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

/** The temporary folder of a session, which its commands in the sandbox have at /tmp and /var/tmp. */
export type TemporaryFolder = {
  readonly folder: string;
  /** True where commands run in a sandbox: else they have the system's own, and so have the file tools. */
  readonly isUsed: () => boolean;
  /** Paths in it that only hold the place of what the user has in the real one. */
  readonly placeholders: () => ReadonlySet<string>;
  /** Removes one that stands for nothing any more. */
  readonly free: (placeholder: string) => void;
};

/** What a sandbox shows in the place of its own empty folders. */
export type TemporaryMounts = {
  /** Each folder, and the name at which it can be written. */
  readonly folders: readonly { readonly from: string; readonly at: string }[];
  /** What can be read at its own name. */
  readonly readable: readonly string[];
};

/** Where the folders for temporary files are, and what stands there for a session. Where one leads to the other, they are one. */
export function temporaryPlaces(folder: string): readonly { readonly at: string; readonly own: string }[] {
  const [tmp, other] = ['/tmp', '/var/tmp'].map((at) => orUndefined(() => realpathSync(at)) ?? at);
  return [
    { at: '/tmp', own: join(folder, 'tmp') },
    { at: '/var/tmp', own: join(folder, tmp === other ? 'tmp' : 'var-tmp') },
  ];
}

export const mayBeTemporary = (path: string): boolean => ['/tmp', '/var/tmp'].some((at) => isWithin(path, at));

type TemporaryContext = {
  readonly temporary?: TemporaryFolder | undefined;
  readonly cwd: string;
  readonly folders?: (() => readonly string[]) | undefined;
  readonly home: string;
};

/**
 * Where a path below a temporary folder leads in this session, links not followed; undefined for any other, and where the session has nothing
 * of the name and the user has: that is seen at its name by commands too. What has neither is to become the session's. A working folder, or one that was added, that
 * lies there is itself.
 */
export function inTemporary(path: string, { temporary, cwd, folders, home }: TemporaryContext): string | undefined {
  const own = [cwd, ...(folders?.() ?? [])];
  if (temporary?.isUsed() !== true || [...own, home].some((folder) => isWithin(path, folder))) return undefined;
  const place = temporaryPlaces(temporary.folder).find(({ at }) => isWithin(path, at));
  if (place === undefined || own.some((folder) => isWithin(place.at, folder))) return undefined;
  const [name = ''] = relative(place.at, path).split(sep);
  if (name === '') return place.own;
  const entry = join(place.own, name);
  const isPlaceholder = isThere(entry) && temporary.placeholders().has(entry);
  if ((isPlaceholder || !isThere(entry)) && isThere(join(place.at, name))) return undefined;
  if (isPlaceholder) temporary.free(entry);
  return join(place.own, relative(place.at, path));
}

/** Where commands see a path of the session's temporary folder, and whether something else has that name outside of the sandbox. */
export function placeSeenAt(
  path: string,
  { folder }: TemporaryFolder,
): { readonly path: string; readonly isElsewhereToo: boolean } | undefined {
  const place = temporaryPlaces(folder).find(({ own }) => isWithin(path, own));
  if (place === undefined) return undefined;
  const below = relative(place.own, path);
  return { path: join(place.at, below), isElsewhereToo: below !== '' && isThere(join(place.at, below)) };
}

const isThere = (path: string): boolean => orUndefined(() => lstatSync(path)) !== undefined;
