import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
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
    const mounts = fileText(`/proc/${pid}/mountinfo`);
    if (mounts === '') continue;
    seen.add(namespace);
    for (const [path, type] of mountsIn(mounts)) if (wanted.has(path)) found.set(path, type === 'tmpfs' ? 'empty' : 'other');
  }
  return found;
}

const namespaceOf = (pid: string): string | undefined => orUndefined(() => readlinkSync(`/proc/${pid}/ns/mnt`));

/** Each mount point with the type of its file system. */
export const mountsIn = (text: string): readonly (readonly [string, string])[] =>
  text.split('\n').flatMap((line) => {
    const [, type] = / - (\S+) /.exec(line) ?? [];
    const path = line.split(' ')[4];
    return path === undefined || type === undefined ? [] : [[unescaped(path), type] as const];
  });

/** A space, a tab, a line feed and a backslash stand there as three octal digits, byte by byte. */
const unescaped = (path: string): string =>
  path.includes('\\') ? path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8))) : path;

export const fileText = (path: string): string => orUndefined(() => readFileSync(path, 'utf8')) ?? '';
