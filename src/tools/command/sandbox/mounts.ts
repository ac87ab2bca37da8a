import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

/**
 * Returns at which of these paths another process sees a mount that this one does not, such as the sandboxed command of another session. A
 * folder can be removed below such a mount, which goes with it; so whoever made the folder has to ask first. Empty where there is no /proc,
 * and so no bubblewrap. Processes of other users are not seen, nor do they share a working folder's sandboxes. `empty` is a cover of a sandbox,
 * `other` anything else.
 */
export function mountedElsewhere(paths: readonly string[]): ReadonlyMap<string, 'empty' | 'other'> {
  const found = new Map<string, 'empty' | 'other'>();
  const wanted = new Set(paths);
  const seen = new Set([namespaceOf('self')]);
  if (wanted.size === 0) return found;
  for (const pid of orUndefined(() => readdirSync('/proc')) ?? []) {
    const namespace = /^\d+$/.test(pid) ? namespaceOf(pid) : undefined;
    if (namespace === undefined || seen.has(namespace)) continue;
    const mounts = textOf(`/proc/${pid}/mountinfo`);
    if (mounts === '') continue;
    seen.add(namespace);
    for (const [path, type] of mountsIn(mounts)) if (wanted.has(path)) found.set(path, type === 'tmpfs' ? 'empty' : 'other');
  }
  return found;
}

const namespaceOf = (pid: string): string | undefined => orUndefined(() => readlinkSync(`/proc/${pid}/ns/mnt`));

/** Each mount point with the type of its file system. */
const mountsIn = (text: string): readonly (readonly [string, string])[] =>
  text.split('\n').flatMap((line) => {
    const [, type] = / - (\S+) /.exec(line) ?? [];
    const path = line.split(' ')[4];
    return path === undefined || type === undefined ? [] : [[unescaped(path), type] as const];
  });

/** A space, a tab, a line feed and a backslash stand there as three octal digits, byte by byte. */
const unescaped = (path: string): string => path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));

/**
 * Sockets in the file system at which programs of the machine listen, with links resolved: what a command connects to does what it asks,
 * outside of any sandbox. Those are known that were bound by a whole path, and those that a container was given.
 */
export const hostSockets = (): readonly string[] => {
  const listed = [...boundPaths(textOf('/proc/net/unix')), ...mountsIn(textOf('/proc/self/mountinfo')).map(([path]) => path)];
  return [...new Set(listed.flatMap((path) => orUndefined(() => (statSync(path).isSocket() ? realpathSync(path) : undefined)) ?? []))];
};

const textOf = (path: string): string => orUndefined(() => readFileSync(path, 'utf8')) ?? '';

/** After seven fields stands the path as it was given, where a socket has one. */
const boundPaths = (table: string): readonly string[] =>
  table.split('\n').flatMap((line) => /^(?:\S+ +){6}\S+ (\/.*)$/.exec(line)?.[1] ?? []);
