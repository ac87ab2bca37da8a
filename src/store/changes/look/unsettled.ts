import type { Entry } from '../../../domain/session/change.ts';
import type { Contents } from '../contents.ts';

/** A file whose bytes are not kept, and could be. */
export const isUnread = ({ kind, holds }: Entry): boolean =>
  kind === 'file' && (holds === undefined || holds === 'late' || holds === 'full' || holds === 'large');

/** The paths that must be looked at again though they look the same: those of `former`, as these entries have changed it. */
export function unsettledWith(former: Iterable<string>, entries: ReadonlyMap<string, Entry | null>): Set<string> {
  const unsettled = new Set(former);
  for (const [path, entry] of entries) {
    if (entry !== null && (entry.isFresh === true || isUnread(entry))) unsettled.add(path);
    else unsettled.delete(path);
  }
  return unsettled;
}

/** What an act wrote has the name of its content before that is kept: where it is not there any more, its bytes cannot be had. */
export function claimable(before: Entry | undefined, contents: Contents): Entry | null {
  const sha256 = named('sha256', before);
  return before === undefined || sha256 === undefined || contents.has(sha256) ? (before ?? null) : { ...before, holds: undefined };
}

export const named = (kind: 'sha256' | 'blob', entry: Entry | undefined): string | undefined =>
  entry?.holds?.startsWith(`${kind}:`) === true ? entry.holds.slice(kind.length + 1) : undefined;

/** By its index git's files are known where a look does not come to them: it is read first, and however little time is left. */
export const isGitIndex = (path: string): boolean => path.endsWith('/index') && path.includes('/.git/');

/** A manifest with other entries; the same where there are none. */
export function withEntries(manifest: Map<string, Entry>, entries: ReadonlyMap<string, Entry | null>): Map<string, Entry> {
  if (entries.size === 0) return manifest;
  const next = new Map(manifest);
  for (const [path, entry] of entries) {
    if (entry === null) next.delete(path);
    else next.set(path, entry);
  }
  return next;
}
