import { isContent, looksSame } from '../../../domain/session/change.ts';
import type { Contents } from '../contents.ts';
import { isCovered } from '../look/recorder.ts';
import { isUnread, lookAt, named, standingOf } from '../look/standing.ts';
import type { Room } from '../room/room.ts';
import type { Place } from './places.ts';

type KeptAhead = { readonly contents: Contents; readonly room: Room; readonly margin: number };

/**
 * Tells of files whether the bytes of each are kept, or will be by the look before the next act. What a look of this process left out may be
 * left out again, and what is new since the last one has to find room beside all that waits to be read.
 */
export function keptAhead(places: readonly Place[], { contents, room, margin }: KeptAhead): (path: string) => boolean {
  let waiting = margin;
  for (const { state } of places)
    for (const path of state.unsettled ?? []) {
      const entry = state.manifest.get(path);
      if (entry !== undefined && isUnread(entry) && entry.holds !== 'large') waiting += entry.size;
    }
  return (path) => {
    const stats = lookAt(path);
    const place = places.find(({ state }) => state.walk !== undefined && isCovered(path, state));
    if (place === undefined || stats === undefined || stats === 'unreadable') return false;
    const standing = standingOf(stats);
    const entry = place.state.manifest.get(path);
    if (entry !== undefined && looksSame(entry, standing)) {
      const sha256 = named('sha256', entry);
      if (sha256 !== undefined ? contents.has(sha256) : isContent(entry.holds)) return true;
      if (entry.holds !== undefined) return false;
    }
    waiting += standing.size;
    return room.hasLeft(waiting);
  };
}
