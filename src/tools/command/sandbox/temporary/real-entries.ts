import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../../../domain/value/is-within.ts';
import { orUndefined } from '../../../../domain/value/or-undefined.ts';

/** Each is a mount, of which one takes bubblewrap 0.1 to 0.3 ms of the processor. */
const MAX_SHOWN = 12;
const MAX_NAMED = 20;
/** Where there are more, not all are looked at: a look takes 7 µs. */
const MAX_DATED = 200;
/** Of a folder so much is looked at for sockets: those of agents and screens stand in small ones. */
const MAX_LOOKED = 100;
const DEPTH = 2;

type Wish = {
  /** Names that are shown before others, where they may be at all. */
  readonly named: ReadonlySet<string>;
  /** The user who runs this. */
  readonly uid: number;
  /** Sockets at which programs of the machine listen. */
  readonly sockets: readonly string[];
};

/**
 * What of a folder for temporary files is the user's own to read, also in the sandbox: what is named, then the newest. Not sockets and what
 * holds one (of agents, screens and terminals), not what others keep to themselves, and no links, by which others could show what is hidden.
 */
export function realEntries(at: string, { named, uid, sockets }: Wish): readonly string[] {
  const entries = (orUndefined(() => readdirSync(at, { withFileTypes: true })) ?? []).filter(
    (entry) => (entry.isFile() || entry.isDirectory()) && !OTHERS.test(entry.name),
  );
  const dated = [...entries.filter(({ name }) => named.has(name)), ...entries.filter(({ name }) => !named.has(name))]
    .slice(0, MAX_DATED)
    .flatMap((entry) => {
      const stats = orUndefined(() => lstatSync(join(at, entry.name)));
      if (stats === undefined) return [];
      const isOpen = stats.uid === uid || (stats.mode & (entry.isDirectory() ? 0o005 : 0o004)) === (entry.isDirectory() ? 0o005 : 0o004);
      return isOpen ? [{ entry, time: stats.mtimeMs, isNamed: named.has(entry.name) }] : [];
    });
  const sorted = dated.sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.time - a.time);
  const count = MAX_SHOWN + Math.min(MAX_NAMED, dated.filter(({ isNamed }) => isNamed).length);
  return sorted
    .slice(0, count)
    .map(({ entry }) => ({ entry, path: join(at, entry.name) }))
    .filter(({ path, entry }) => !sockets.some((socket) => isWithin(socket, path)) && !holdsSocket(entry, path))
    .map(({ path }) => path);
}

/** Folders of services and of screens, whoever they belong to. */
const OTHERS = /^(?:systemd-private-|snap-private-tmp|snap\.)|^\.(?:X11|ICE|XIM|font|Test)-unix$/;

function holdsSocket(entry: Dirent, path: string): boolean {
  let left = MAX_LOOKED;
  const look = (folder: string, depth: number): boolean =>
    (orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? []).some((each) => {
      if (--left < 0) return false;
      return each.isSocket() || (each.isDirectory() && depth > 1 && look(join(folder, each.name), depth - 1));
    });
  return entry.isDirectory() && look(path, DEPTH);
}

const NAMES = /(?<![^\s"'`=:;|&<>({])(\/tmp|\/var\/tmp)\/([^\s"'`;|&<>(){}$*?[\]\\/]+)/g;

/** The names below a folder for temporary files that a command speaks of. */
export const namedIn = (command: string, at: string): readonly string[] =>
  [...command.matchAll(NAMES)].flatMap(([, folder, name]) => (folder === at && name !== undefined ? [name] : []));
