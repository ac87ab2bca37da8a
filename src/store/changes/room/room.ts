/**
 * What the record of changes may take of the disk: bounds of a session and of the home, and the days for which what commands changed is
 * kept. What is written down and the contents of files come in; what goes is chosen, the oldest first, and dropped.
 *
 * It promises that nothing is named that is not there, wherever it is cut off, and that what the last ten commands of an open session need
 * stays. Edits of files stay as long as their session.
 *
 * It refuses to touch sessions that somebody has open elsewhere, and bytes that do not fit though all that may go has gone: that is told.
 */

import type { Disk } from '../../files/disk.ts';
import type { ChangeLog } from '../acts/change-log.ts';
import type { Place, Places } from '../acts/places.ts';
import { lastNumber } from '../change-lines.ts';
import type { Contents } from '../contents.ts';
import type { HomeRoom } from './home-room.ts';
import {
  dropObjects,
  dropSets,
  keptFromOf,
  type PruneStep,
  readRecorded,
  type Standpoint,
  stepsOf,
  stepsToFree,
  withoutBlobs,
} from './prune.ts';

export type Room = {
  /** Whether so many bytes more can be kept; drops the oldest sets for them, if that is enough. */
  readonly fits: (bytes: number) => boolean;
  readonly hasLeft: (bytes: number) => boolean;
  /** To be called before a look: drops, once, what is over its days and beyond the bounds, here and in the home. */
  readonly tidy: () => void;
};

type RoomOptions = {
  readonly folder: string;
  readonly contents: Contents;
  readonly sessionBytes: number;
  /** Undefined for a record that stands alone. */
  readonly home: HomeRoom | undefined;
  readonly log: ChangeLog;
  readonly places: Places;
};

/** A little more is dropped than must be, so that not every command has to rewrite what is kept. */
const SPARE = 1 / 8;

export function createRoom(disk: Disk, { folder, contents, sessionBytes, home, log, places }: RoomOptions): Room {
  /** What could not be made room for, and the newest set then. */
  let failed: { readonly bytes: number; readonly last: number } | undefined;
  let isTidy = false;
  const missing = (bytes: number) => ({
    session: contents.bytes() + bytes - sessionBytes,
    home: home === undefined ? 0 : home.others() + contents.bytes() + bytes - home.maxBytes,
  });
  const isEnough = (bytes: number): boolean => Object.values(missing(bytes)).every((over) => over <= 0);
  const standing = (): readonly Place[] => {
    for (const { root, begins } of log.lines()) if (typeof root === 'string' && begins !== undefined) places.known(root);
    return places.all().filter(({ isNew }) => !isNew);
  };
  const drop = (through: number, isBeforeLook: boolean): void => {
    const all = standing();
    const standpoints = new Map(all.map((place) => [place.root, standpointOf(place, disk, log)]));
    log.close();
    const going = dropSets(disk, folder, ({ n }) => n <= through, { contents, standpoints });
    if (!isBeforeLook || going.length === 0) return;
    dropObjects(folder, going, { standpoints });
    for (const place of all)
      if (place.acts.length === 0) place.state = { ...place.state, manifest: withoutBlobs(place.state.manifest), unsettled: undefined };
  };
  /** The number of the last set to go; undefined where nothing can, or where it would not be enough and all or nothing was asked for. */
  const chosen = (bytes: number, isAll: boolean): number | undefined => {
    const { sets } = readRecorded(folder);
    const standpoints = new Map(standing().map(({ root, state }) => [root, state]));
    const steps = stepsOf(sets, { contents, standpoints, keptFrom: keptFromOf(sets) });
    const over = missing(bytes);
    if (isAll && sumOf(steps) < over.session) return undefined;
    const forSession = over.session > 0 ? stepsToFree(steps, over.session + sessionBytes * SPARE) : [];
    const left = over.home - sumOf(forSession);
    const forHome = home !== undefined && left > 0 ? home.free(left + home.maxBytes * SPARE, steps.slice(forSession.length)) : [];
    return [...forSession, ...forHome].at(-1)?.n;
  };
  return {
    fits: (bytes) => {
      if (isEnough(bytes)) return true;
      const last = lastNumber(log.lines());
      if (failed !== undefined && failed.last === last && bytes >= failed.bytes) return false;
      const through = chosen(bytes, true);
      if (through !== undefined) drop(through, false);
      const fits = isEnough(bytes);
      failed = fits ? undefined : { bytes, last };
      return fits;
    },
    hasLeft: isEnough,
    tidy: () => {
      if (isTidy) return;
      isTidy = true;
      home?.expire();
      const { sets } = readRecorded(folder);
      const keptFrom = keptFromOf(sets);
      const expired = sets.findLast(({ n, at, root }) => root !== undefined && n < keptFrom && home !== undefined && at < home.oldest());
      if (expired !== undefined) drop(expired.n, true);
      const through = isEnough(0) ? undefined : chosen(0, false);
      if (through !== undefined) drop(through, true);
    },
  };
}

/** Notes in the log from where on a folder has to be followed, with all that was written before and still holds. */
function standpointOf({ root, state, acts, uncovered }: Place, disk: Disk, log: ChangeLog): Standpoint {
  const mark = disk.newId();
  log.append({ root, base: mark, uncovered: [...uncovered], scope: state.scope });
  for (const { by, names } of acts) log.append({ begins: by, root, at: disk.now().toISOString(), names });
  return { manifest: state.manifest, mark };
}

const sumOf = (steps: readonly PruneStep[]): number => steps.reduce((sum, { bytes }) => sum + bytes, 0);
