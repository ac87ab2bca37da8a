import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Bilingual } from '../../../domain/language.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { visibleLine } from '../../place/visible.ts';
import { fileText, mountsIn } from './mounts.ts';

type Sockets = { readonly paths: readonly string[]; readonly problems: readonly Bilingual[] };

/**
 * Sockets in the file system at which programs of the machine listen: what connects to one has it do what it asks, outside of any sandbox.
 * Those are known that were bound by a whole path, those of the user's own programs that were bound by another, and those that a container
 * was given. One with a second name is a problem, since the other name leads to it as well.
 */
export function findSockets(): Sockets {
  const bound = boundSockets(fileText('/proc/net/unix'));
  const relative = bound.filter(({ path }) => !isAbsolute(path));
  const listed = [
    ...bound.map(({ path }) => path).filter(isAbsolute),
    ...(relative.length === 0 ? [] : boundElsewhere(relative)),
    ...mountsIn(fileText('/proc/self/mountinfo')).map(([path]) => path),
  ];
  const found = [...new Set(listed)].flatMap(
    (path) => orUndefined(() => (statSync(path).isSocket() ? realpathSync.native(path) : undefined)) ?? [],
  );
  const linked = found.filter((path) => (orUndefined(() => statSync(path).nlink) ?? 1) > 1);
  return { paths: [...new Set(found)], problems: linked.map(twoNames) };
}

const twoNames = (path: string): Bilingual => {
  const name = visibleLine(path, 200);
  return {
    en: `the socket ${name}, at which a program listens, has a second name (a hard link)`,
    zh: `有程序在监听的套接字 ${name} 还有另一个名称（硬链接）`,
  };
};

type Bound = { readonly inode: string; readonly path: string };

/** After six fields stand the inode and the path as it was given, where a socket has one; names that begin with @ are in no file system. */
const boundSockets = (table: string): readonly Bound[] =>
  table.split('\n').flatMap((line) => {
    const [, inode = '', path = ''] = /^(?:\S+ +){6}(\S+) ([^@].*)$/.exec(line) ?? [];
    return path === '' ? [] : [{ inode, path }];
  });

/** Where they were found; a socket keeps its place, and looking through all processes takes longer than all else. */
const places = new Map<string, readonly string[]>();
const MOST_KNOWN_SOCKETS = 2_000;

const keyOf = ({ inode, path }: Bound): string => `${inode} ${path}`;

/** The paths of sockets that were bound relative to a folder: seen from where the processes are that have them open. */
function boundElsewhere(sockets: readonly Bound[]): readonly string[] {
  if (sockets.some((socket) => !places.has(keyOf(socket)))) {
    if (places.size > MOST_KNOWN_SOCKETS) places.clear();
    const found = findPlaces(sockets);
    for (const socket of sockets) places.set(keyOf(socket), found.get(socket.inode) ?? []);
  }
  return sockets.flatMap((socket) => places.get(keyOf(socket)) ?? []);
}

function findPlaces(sockets: readonly Bound[]): ReadonlyMap<string, readonly string[]> {
  const wanted = new Map(sockets.map((socket) => [`socket:[${socket.inode}]`, socket]));
  const found = new Map<string, readonly string[]>();
  for (const folder of processFolders()) {
    for (const file of orUndefined(() => readdirSync(`${folder}/fd`)) ?? []) {
      const socket = wanted.get(orUndefined(() => readlinkSync(`${folder}/fd/${file}`)) ?? '');
      const from = socket === undefined ? undefined : orUndefined(() => readlinkSync(`${folder}/cwd`));
      if (socket !== undefined && from !== undefined)
        found.set(socket.inode, [...(found.get(socket.inode) ?? []), resolve(from, socket.path)]);
    }
  }
  return found;
}

const processFolders = (): readonly string[] =>
  (orUndefined(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name)).map((name) => `/proc/${name}`);
