import { type Change, type Entry, isContent, type PutBack } from '../../domain/session/change.ts';
import { hasOddBytes } from '../files/byte-path.ts';
import type { Contents } from './contents.ts';
import { bytesNow, entryNow } from './is-now.ts';
import { isCovered, type State } from './look/recorder.ts';
import { blocked } from './touched-folders.ts';

type Place = { readonly state: Pick<State, 'uncovered' | 'scope'> };
type Keeping = { readonly contents: Contents; readonly maxBytes: number };

/**
 * What putting these back will change where no look at the folder sees it: outside of it, or where it does not look. What stands there is
 * on disk when this returns. Throws store_failed.
 */
export function unseenChanges(all: readonly PutBack[], place: Place, { contents, maxBytes }: Keeping): readonly Change[] {
  const unseen = all.filter(({ path }) => (hasOddBytes(path) || !isCovered(path, place.state)) && blocked(path) === undefined);
  const changes = unseen.map(({ path, to }) => ({ path, before: keptNow(path, { contents, maxBytes }), after: to }));
  contents.commit();
  return changes;
}

/** What stands at a path, its bytes kept as far as they may be; to be committed. */
export function keptNow(path: string, { contents, maxBytes }: Keeping): Entry | null {
  const entry = entryNow(path, maxBytes);
  const bytes = isContent(entry?.holds) ? bytesNow(path) : undefined;
  if (entry === null || bytes === undefined) return entry;
  return { ...entry, size: bytes.length, holds: `sha256:${contents.add(bytes)}` };
}
