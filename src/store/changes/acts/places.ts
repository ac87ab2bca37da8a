import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor, Change, Uncovered } from '../../../domain/session/change.ts';
import { type Fields, isString } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { actorOf, linesSinceBase, readBase, seenIn, setOf, uncoveredOf, unknownIn } from '../change-lines.ts';
import { noteChanges } from '../file-edit.ts';
import { type Roots, rootsOf } from '../git/repository.ts';
import type { State } from '../look/recorder.ts';

export type Act = {
  by: Actor;
  /**
   * Somebody waits for its end; it goes on in the background, and may outlive this process; or its end was not seen: the process that
   * waited for it was killed.
   */
  kind: 'awaited' | 'job' | 'left';
  /** What nobody has been told of it yet: what changed while it was at work, and who else was. */
  seen: Map<string, Change>;
  others: readonly Actor[];
  readonly names: readonly string[];
  /** What it names below the place, where all of the place is looked at: that comes first where there is no time for all. */
  readonly mentions: () => readonly string[];
};

export type Place = {
  state: State;
  acts: readonly Act[];
  isNew: boolean;
  uncovered: Uncovered;
  /** When the look began that was the last before those who are at work; undefined for what another process saw. */
  since?: number;
  /** When the last look began; of an earlier process, when the first of those began that it left at work. */
  lookedAt?: number;
  /** When the first of those acts began whose end another process did not see. */
  readonly begunAt?: number;
  /** Milliseconds that it took to read what earlier processes knew, which the next look has less; 0 once it was looked at. */
  readMs: number;
  readonly root: string;
  readonly isWide: boolean;
  roots: Roots;
  readonly basePath: string;
};

export const newAct = (
  by: Actor,
  names: readonly string[],
  { kind = 'awaited', mentions = () => names }: Partial<Pick<Act, 'kind' | 'mentions'>> = {},
): Act => ({
  ...{ by, names, kind, mentions },
  seen: new Map(),
  others: [],
});

type PlacesOptions = {
  readonly folder: string;
  readonly notBeyond: readonly string[];
  readonly isRunning: (id: string) => boolean;
  readonly lines: () => readonly Fields[];
  readonly now: () => number;
};

export type Places = ReturnType<typeof createPlaces>;

export function createPlaces({ folder, notBeyond, isRunning, lines, now }: PlacesOptions) {
  const beyond = [...new Set(notBeyond.flatMap((path) => [path, orUndefined(() => realpathSync(path)) ?? path]))];
  const isWide = (root: string): boolean => beyond.some((path) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
  const places = new Map<string, Place>();
  const at = (cwd: string, isRoot = false): Place => {
    const found = rootsOf(cwd, beyond);
    const roots = isRoot && found.top !== cwd ? { top: cwd, others: [] } : found;
    const { top: root } = roots;
    const options = { roots, isWide: isWide(root), isRunning, now, basePath: basePathOf(folder, root) };
    const place = places.get(root) ?? readPlace(options, lines);
    place.roots = roots;
    places.set(root, place);
    return place;
  };
  return {
    all: (): readonly Place[] => [...places.values()],
    known: (root: string): void => {
      if (!places.has(root) && existsSync(basePathOf(folder, root))) at(root);
    },
    /** The place of a folder, as the processes before left it; of one that was the root of a place, that place. */
    at,
  };
}

type PlaceOptions = Pick<PlacesOptions, 'isRunning' | 'now'> & Pick<Place, 'isWide' | 'roots' | 'basePath'>;

function readPlace({ isRunning, now, ...options }: PlaceOptions, allLines: () => readonly Fields[]): Place {
  const { roots, basePath } = options;
  const started = now();
  const root = roots.top;
  const base = orUndefined(() => readBase(basePath));
  if (base === undefined) {
    const state: State = { manifest: new Map(), uncovered: new Map(), scope: [] };
    return { ...options, root, state, acts: [], isNew: true, uncovered: new Map(), readMs: 0 };
  }
  const manifest = new Map(base.manifest);
  const acts = new Map<string, Act>();
  const begins = new Map<string, number>();
  let uncovered: Uncovered = new Map();
  let scope: readonly string[] = [roots.top, ...roots.others];
  const unknown = new Map<string, 'unreadable'>();
  for (const line of linesSinceBase(allLines(), root, base.mark)) {
    for (const { changes } of setOf(line)) noteChanges(manifest, roots, changes);
    for (const [path, entry] of seenIn(line.seen)) manifest.set(path, entry);
    for (const path of unknownIn(line)) {
      manifest.delete(path);
      unknown.set(path, 'unreadable');
    }
    for (const id of textsIn(line.ends)) acts.delete(id);
    const begun = actorOf(line.begins);
    if (begun !== undefined) {
      const from = textsIn(line.ends).flatMap((id) => begins.get(id) ?? []);
      begins.set(begun.id, Math.min(...from, ...(isString(line.at) ? [Date.parse(line.at)] : [])));
      acts.set(begun.id, newAct(begun, textsIn(line.names), { kind: isRunning(begun.id) ? 'job' : 'left' }));
    }
    if (Array.isArray(line.uncovered)) uncovered = new Map(line.uncovered.flatMap(uncoveredOf));
    if (line.scope !== undefined) scope = textsIn(line.scope);
  }
  const left = [...uncovered].filter(([, why]) => why !== 'unnamed' && why !== 'apart');
  const state = { manifest, scope, uncovered: new Map([...left, ...unknown]) };
  const begunAt = Math.min(...[...acts.keys()].flatMap((id) => begins.get(id) ?? []));
  const times = Number.isFinite(begunAt) ? { lookedAt: begunAt, begunAt } : {};
  return { ...options, root, state, acts: [...acts.values()], isNew: false, uncovered, ...times, readMs: now() - started };
}

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isString) : []);

export const basePathOf = (folder: string, root: string): string => join(folder, `base-${nameOf(root)}.json`);

export const nameOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);
