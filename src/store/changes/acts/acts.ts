/**
 * Who acts in the folders of a session, and what came of it: several at once, some in the background, some beyond the end of a process.
 *
 * A place (`places`) is a folder with its repository, what is known of it, and the acts at work in it. Whenever an act begins or ends,
 * the place is looked at (`looks`), and what has changed since the last look is of all that were at work; which of them did it cannot be
 * told. It is written down (`change-log`) with all their names, and told to those who wait for an end.
 *
 * An act that begins is on disk before it does anything, with the time before the look: what that copies was there when the act began. So
 * is its end; one without an end was cut off, and the next act in the folder writes down what came of it. Where that fails, it is as if
 * nobody had looked.
 */

import { resolve } from 'node:path';
import type { BegunAct, FolderChanges } from '../../../agent/ports/disk.ts';
import { type Actor, type Change, type ChangeSet, isSameThing, type Uncovered } from '../../../domain/session/change.ts';
import { isString } from '../../../domain/value/json.ts';
import { lazily } from '../../../domain/value/word-list.ts';
import type { Look } from '../look/recorder.ts';
import type { ChangeLog } from './change-log.ts';
import { isBelow, type NoteChanges } from './looks.ts';
import { type Act, newAct, type Place, type Places } from './places.ts';

type ActsDeps = {
  readonly log: ChangeLog;
  readonly note: NoteChanges;
  readonly isRunning: (id: string) => boolean;
  readonly now: () => string;
};

export type Acts = Pick<FolderChanges, 'begin' | 'news'> & {
  /** Writes down what those changed whose end was not seen, since their process was killed. */
  readonly settleLeft: () => void;
  /** Whether there are any. Those of a process that has the session open now look the same from another one. */
  readonly hasLeft: () => boolean;
  /** Writes down what acts in the background changed until now; `record` is the number of the last record of the session's log. */
  readonly lookAtJobs: (record: number) => void;
  /** Looks as before an act in these folders that names these paths. */
  readonly lookAhead: (folders: readonly string[], names: readonly string[], record: number) => void;
};

/** Who acts in the folders of a session, several at once too, and what came of it. All of it throws store_failed. */
export function createActs(places: Places, { log, note, isRunning, now }: ActsDeps): Acts {
  const ended: Act[] = [];
  /** What has changed until now is of those who are at work; of them, those in the background may be done. */
  const settle = (place: Place, purpose: Look['purpose'], record: number, begun: readonly Act[] = [], isBegun = true): void => {
    const over = place.acts.filter(({ by, kind }) => kind !== 'awaited' && !isRunning(by.id));
    const writing = { actors: place.acts.map((act) => actorAt(act, record)), ends: over.map(({ by }) => by.id) };
    share(place.acts, note(place, purpose, writing, [...place.acts, ...begun]));
    place.acts = [...place.acts.filter((act) => !over.includes(act)), ...(isBegun ? begun : [])];
    ended.push(...over);
  };
  const end = (place: Place, act: Act): ChangeSet | undefined => {
    const others = place.acts.filter((each) => each !== act);
    // Where its end cannot be written down, it is as that of an act whose process was killed.
    act.kind = 'left';
    const actors = [act, ...others].map((each) => actorAt(each, act.by.record));
    const changes = note(place, 'compare', { actors, ends: [act.by.id] });
    act.kind = 'awaited';
    share(place.acts, changes);
    place.acts = others;
    return newsOf(act, now());
  };
  const beginAt = (place: Place, by: Actor, names: () => readonly string[]): BegunAct => {
    const [at, { root, isWide }] = [now(), place];
    const mentions = lazily(() => below(root, names()));
    const named = isWide && { names: mentions() };
    const act = newAct(by, named === false ? objectsIn(by.title, mentions) : named.names, { mentions });
    settle(place, 'keep', by.record, [act]);
    const { isNews, written } = noteUncovered(place);
    log.append({ begins: by, root, at, ...written, ...named, ...(isWide && { scope: place.state.scope }) });
    return {
      goOn: (id) => {
        act.by = { ...by, id, title: `${id}: ${by.title}` };
        act.kind = 'job';
        log.append({ begins: act.by, ends: [by.id], root, at: now(), ...named });
      },
      end: () => ({ set: end(place, act), uncovered: uncoveredIn(place), isNews }),
    };
  };
  const lookAtJobs: Acts['lookAtJobs'] = (record) => {
    for (const place of places.all()) if (place.acts.some(({ kind }) => kind === 'job')) settle(place, 'compare', record);
  };
  return {
    begin: (cwd, by, names = () => [], beside = []) =>
      together(outermost([cwd, ...beside].map((folder) => places.at(folder))).map((place) => beginAt(place, by, names))),
    settleLeft: () => {
      for (const { place, last } of actsLeft(places, log)) settle(place, 'keep', last.by.record);
    },
    hasLeft: () => actsLeft(places, log).length > 0,
    lookAtJobs,
    lookAhead: (folders, names, record) => {
      for (const place of folders.map((folder) => places.at(folder)))
        settle(place, 'keep', record, [newAct({ id: '', title: '', record }, below(place.root, names))], false);
    },
    news: (record) => {
      lookAtJobs(record);
      const going = places.all().flatMap(({ acts }) => acts.filter(({ kind }) => kind === 'job'));
      return [...ended.splice(0), ...going].flatMap((act) => newsOf(act, now()) ?? []);
    },
  };
}

/** Of several places each once, and none that another one has in it. */
const outermost = (acted: readonly Place[]): readonly Place[] =>
  [...new Set(acted)].filter(({ root }) => !acted.some((other) => isBelow(other.root, root)));

/** One act in several places. */
function together(acts: readonly BegunAct[]): BegunAct {
  return {
    goOn: (id) => {
      for (const act of acts) act.goOn(id);
    },
    end: () => {
      const ended = acts.map((act) => act.end());
      const sets = ended.flatMap(({ set }) => set ?? []);
      const also = [...new Map(sets.flatMap((set) => set.also ?? []).map((actor) => [actor.id, actor])).values()];
      const whole = { ...(also.length > 0 && { also }), changes: sets.flatMap(({ changes }) => changes) };
      return {
        set: sets[0] && { ...sets[0], ...whole },
        uncovered: new Map(ended.flatMap(({ uncovered }) => [...uncovered])),
        isNews: ended.some(({ isNews }) => isNews),
      };
    },
  };
}

function actsLeft(places: Places, log: ChangeLog): readonly { readonly place: Place; readonly last: Act }[] {
  const roots = new Set(log.lines().flatMap((line) => (isString(line.root) ? [line.root] : [])));
  return [...roots].flatMap((root) => {
    const place = places.at(root, true);
    const last = place.acts.findLast(({ kind }) => kind === 'left');
    return last === undefined ? [] : [{ place, last }];
  });
}

/**
 * Adds what changed to what there is to tell of acts: whoever waits for the end of an act is told with that, and only what nobody waits for
 * is told of the others.
 */
function share(acts: readonly Act[], changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const awaited = acts.filter(({ kind }) => kind === 'awaited');
  for (const act of awaited.length > 0 ? awaited : acts) {
    for (const { path, before, after } of changes) act.seen.set(path, { path, before: (act.seen.get(path) ?? { before }).before, after });
    act.others = [...new Set([...act.others, ...acts.filter((each) => each !== act).map(({ by }) => by)])];
  }
}

function newsOf(act: Act, at: string): ChangeSet | undefined {
  const changes = [...act.seen.values()].filter(({ before, after }) => !isSameThing(before, after));
  const { by, others } = act;
  act.seen = new Map();
  act.others = [];
  return changes.length === 0 ? undefined : { n: 0, at, by, ...(others.length > 0 && { also: others }), changes };
}

/** Going back to a state undoes what became known of a command in the background after that, though it began before. */
const actorAt = ({ by, kind }: Act, record: number): Actor => (kind === 'job' ? { ...by, record: Math.max(by.record, record) } : by);

const below = (root: string, names: readonly string[]): readonly string[] =>
  names.map((name) => resolve(root, name)).filter((path) => isBelow(root, path));

/** Objects of git that an act may write into: nothing else that it names counts where all is looked at. */
const objectsIn = (title: string, mentions: () => readonly string[]): readonly string[] =>
  /\.git|objects|pack/.test(title) ? mentions().filter((path) => /\/objects\/(?:[0-9a-f]{2}|pack)(?:\/|$)/.test(path)) : [];

const uncoveredIn = ({ root, isWide, roots, state }: Place): Uncovered =>
  new Map([
    ...(isWide ? [[root, 'unnamed'] as const] : []),
    ...(roots.apart === undefined ? [] : [[roots.apart, 'apart'] as const]),
    ...state.uncovered,
  ]);

/** Whether a person is to be told of it, and what is to be written down. */
function noteUncovered(place: Place): { readonly isNews: boolean; readonly written: object } {
  const [former, uncovered] = [place.uncovered, uncoveredIn(place)];
  place.uncovered = uncovered;
  const list = [...uncovered];
  const isSame = JSON.stringify([...former]) === JSON.stringify(list);
  return { isNews: tellable(former) !== tellable(uncovered), written: isSame ? {} : { uncovered: list } };
}

/** What a person is told of: not what a tool makes again, and of a folder that is too large not where the look at it ended. */
function tellable(uncovered: Uncovered): string {
  const told = [...uncovered].filter(([, why]) => why !== 'remade').map(([path, why]) => (why === 'late' ? why : `${why} ${path}`));
  return [...new Set(told)].sort().join('\n');
}
