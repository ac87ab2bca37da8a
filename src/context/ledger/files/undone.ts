import { unique } from '../../../domain/lists.ts';
import { isObject, isString } from '../../../domain/value/json.ts';
import { callsIn, type Exchange } from '../exchange/exchanges.ts';
import { wasRun } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';

export type Undone = {
  /** Places of the exchanges whose work was taken back later. */
  readonly exchanges: ReadonlySet<number>;
  /** For each exchange from before these messages that was taken back, the commit where it is known. */
  readonly before: readonly (string | undefined)[];
};

/** The exchanges whose work was undone, reverted by git, or removed with its files. What is not plain counts as standing. */
export function undoneIn(exchanges: readonly Exchange[], calls: readonly ToolCall[]): Undone {
  const works = exchanges.map((_, at) => callsIn(exchanges, at, calls).filter((call) => wasRun(call) && !call.failed));
  const undone = new Set<number>();
  const before: (string | undefined)[] = [];
  const takeBack = (at: number, isWork: (call: ToolCall) => boolean): void => {
    const earlier = works.findLastIndex((work, place) => place < at && !undone.has(place) && work.some(isWork));
    if (earlier === -1) before.push(undefined);
    else undone.add(earlier);
  };
  const hashes = new Set<string>();
  for (const [at, { request, closed }] of exchanges.entries()) {
    const removals = (works[at] ?? []).map(removalOf).filter((removal) => removal !== undefined);
    for (const removal of removals) {
      if (removal.kind !== 'commit') {
        for (const earlier of exchanges.keys()) if (earlier < at && isGone(works, earlier, at, removal)) undone.add(earlier);
      } else if (removal.hash === undefined) takeBack(at, isCommit);
      else {
        hashes.add(removal.hash);
        const owner = works.findIndex(
          (work, place) => place < at && work.some((call) => isCommit(call) && namesOne(call, [removal.hash ?? ''])),
        );
        if (owner === -1) before.push(removal.hash);
        else if (works[owner]?.every((call) => !isCommit(call) || namesOne(call, [...hashes]))) undone.add(owner);
      }
    }
    if (removals.length === 0 && closed && UNDO_COMMAND.test(request) && !calls.some(({ title }) => RECORDED.test(title)))
      takeBack(at, changesFiles);
  }
  return { exchanges: undone, before };
}

/** What programs write that say what they commit: where they say nothing, nothing was undone. */
const RECORDED = /^(?:Commit|Removed:) [0-9a-f]{7,40} /;

/** A request to the program itself, which carries it out without a call that is recorded. */
const UNDO_COMMAND = /^\/(?:undo|revert)\b/;

const changesFiles = ({ kind, paths }: ToolCall): boolean => kind === 'write' || paths.length > 0;
const isCommit = ({ command, title }: Pick<ToolCall, 'command' | 'title'>): boolean =>
  /(?:^|&& |; )git commit\b/.test(command ?? '') || /^Commit [0-9a-f]{7,40} /.test(title);
const namesOne = ({ title, result }: ToolCall, hashes: readonly string[]): boolean =>
  hashes.some((hash) => title.includes(hash) || (result ?? '').includes(hash.slice(0, 7)));

type Removal =
  | { readonly kind: 'commit'; readonly hash: string | undefined }
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly isDeleted: boolean }
  | { readonly kind: 'all' };

export function removalOf({ command, title, paths }: Pick<ToolCall, 'command' | 'title' | 'paths'>): Removal | undefined {
  const removed = /^Removed: ([0-9a-f]{7,40}) /.exec(title)?.[1];
  if (removed !== undefined) return { kind: 'commit', hash: removed };
  const parts = (command ?? '').slice(0, 2_000).split(/&&|\|\||[;\n]/);
  for (const part of parts) {
    const words = part.trim().split(/\s+/);
    const [program, sub] = words;
    if (program === 'git') {
      const names = words.slice(2).filter((word) => !word.startsWith('-') && !/^(?:HEAD|origin\/|2>)/.test(word));
      if (sub === 'revert' && !words.includes('--abort')) return { kind: 'commit', hash: /^[0-9a-f]{7,40}$/.exec(names[0] ?? '')?.[0] };
      if (sub === 'reset' && words.includes('--hard') && names.length === 0)
        return words.some((word) => /^HEAD[~^]/.test(word)) ? { kind: 'commit', hash: undefined } : { kind: 'all' };
      const takesBack =
        (sub === 'checkout' && (words.includes('--') || names[0] === '.')) || (sub === 'restore' && !words.includes('--staged'));
      if (takesBack) return names.includes('.') ? { kind: 'all' } : { kind: 'files', paths: names, isDeleted: false };
    }
    if (program === 'rm' || (program === 'git' && sub === 'rm')) {
      const names = words.slice(program === 'rm' ? 1 : 2).filter((word) => !word.startsWith('-'));
      const plain = names.filter((name) => !/[*?$]/.test(name));
      if (plain.length > 0) return { kind: 'files', paths: plain, isDeleted: true };
    }
  }
  return /^delete_?file\b/i.test(title) && paths.length > 0 ? { kind: 'files', paths, isDeleted: true } : undefined;
}

/** True when all that the exchange wrote is among what was removed, and nothing wrote it anew in between. */
function isGone(
  works: readonly (readonly ToolCall[])[],
  at: number,
  until: number,
  removal: Exclude<Removal, { kind: 'commit' }>,
): boolean {
  const written = (works[at] ?? []).filter((call) => removalOf(call) === undefined).flatMap(({ paths }) => paths);
  if (written.length === 0) return false;
  const between = works.slice(at, until).flat();
  if (between.some(isCommit) && removal.kind === 'all') return false;
  return removal.kind === 'all' || written.every((path) => removal.paths.some((gone) => isSamePath(path, gone)));
}

/** True when one is the other, or its end: tools name a file by its whole path, commands from where they run. */
export function isSamePath(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const end = shorter.replace(/^(?:\.\/|~\/)/, '');
  return shorter === longer || (end.includes('/') && longer.endsWith(`/${end}`));
}

export type TakenBack = {
  /** True for a file that is as it was before these calls: each change was reversed, or it was made and deleted again. */
  readonly isAsBefore: (path: string) => boolean;
  /** Files that git put back to what was committed before these calls. */
  readonly restored: readonly string[];
};

/** An edit by what it took away and put in; others only say that there was one. */
type Change = { readonly before: string; readonly after: string } | 'unknown' | 'committed';
type Work = { readonly path: string; readonly changes: readonly Change[]; readonly isNew: boolean; readonly isGone: boolean };
type State = { readonly works: readonly Work[]; readonly stash: readonly Work[]; readonly restored: readonly string[] };

/** Follows the changes of each file through the calls. Where it is not plain that a change was taken back, it counts as standing. */
export function takenBack(calls: readonly ToolCall[]): TakenBack {
  const start: State = { works: [], stash: [], restored: [] };
  const { works, restored } = calls.reduce((state, call) => (wasRun(call) && !call.failed ? follow(state, call) : state), start);
  return {
    isAsBefore: (path) => works.some((work) => isSamePath(work.path, path) && (work.isGone ? work.isNew : work.changes.length === 0)),
    restored,
  };
}

function follow(state: State, call: ToolCall): State {
  const removal = removalOf(call);
  const command = call.command ?? '';
  if (removal?.kind === 'files') return takeBackFiles(state, removal);
  if (removal?.kind === 'all') return { ...state, works: state.works.map(withoutChanges) };
  if (call.kind === 'write') return editsOf(call.input).reduce((next, change) => addChange(next, call, change), state);
  if (call.kind !== 'run') return state;
  if (STASH_BACK.test(command)) return { ...state, works: state.stash.length === 0 ? state.works : state.stash, stash: [] };
  if (STASHES.test(command)) return { ...state, works: state.works.map(withoutChanges), stash: state.works };
  const changed = addChange(state, { ...call, paths: unique([...call.paths, ...(foundChanges(call)?.files ?? [])]) }, 'unknown');
  return isCommit(call)
    ? { ...changed, works: changed.works.map((work) => ({ ...work, isNew: false, changes: committed(work) })) }
    : changed;
}

/** What was found changed after a call, unless git brought in what others had written: that is not the work's own. */
export const foundChanges = ({ changed, command = '' }: Pick<ToolCall, 'changed' | 'command'>): ToolCall['changed'] =>
  [...command.matchAll(/\bgit (?:-C \S+ )?([a-z-]+)/g)].some(([, sub = '']) => BY_GIT.has(sub)) ? undefined : changed;

const BY_GIT = new Set('checkout switch restore reset revert stash pull merge rebase cherry-pick am bisect clone'.split(' '));

const STASHES = /(?:^|&& |; )git stash(?: (?:push|save|-u|--include-untracked)\b[^;&|]*)?\s*(?:$|&&|;)/;
const STASH_BACK = /(?:^|&& |; )git stash (?:pop|apply)\b/;

const committed = ({ changes }: Work): readonly Change[] => (changes.length === 0 ? [] : ['committed']);

const withoutChanges = (work: Work): Work => ({ ...work, changes: work.changes.filter((change) => change === 'committed') });

function takeBackFiles(state: State, { paths, isDeleted }: { readonly paths: readonly string[]; readonly isDeleted: boolean }): State {
  const isMeant = ({ path }: Work): boolean => paths.some((each) => isSamePath(each, path));
  const works = state.works.map((work) => (!isMeant(work) ? work : isDeleted ? { ...work, isGone: true } : withoutChanges(work)));
  const isUncommitted = !state.works.some(({ changes }) => changes.includes('committed'));
  return { ...state, works, restored: isDeleted || !isUncommitted ? state.restored : [...state.restored, ...paths] };
}

function addChange(state: State, { paths, result }: ToolCall, change: Change): State {
  const works = [...state.works];
  for (const path of paths) {
    const exact = works.findIndex((work) => work.path === path);
    const at = exact === -1 ? works.findIndex((work) => isSamePath(work.path, path)) : exact;
    const known = works[at] ?? { path, changes: [], isNew: MAKES_FILE.test((result ?? '').slice(0, 400)), isGone: false };
    const reversed = known.changes.findLastIndex((earlier) => isReverse(earlier, change));
    const changes = reversed === -1 ? [...known.changes, change] : known.changes.toSpliced(reversed, 1);
    works[at === -1 ? works.length : at] = { ...known, changes, isGone: false };
  }
  return { ...state, works };
}

/** As the tools of this and other programs tell of a file that was not there before. */
const MAKES_FILE = /: new file, |^(?:The )?(?:new )?file created (?:successfully|at)\b|^Successfully created\b/i;

const isReverse = (a: Change, b: Change): boolean => isObject(a) && isObject(b) && a.before === b.after && a.after === b.before;

function editsOf(input: unknown): readonly Change[] {
  const fields = isObject(input) ? input : {};
  const parts = Array.isArray(fields.edits) ? fields.edits.filter(isObject) : [fields];
  return parts.map((part) => {
    const before = [part.old_string, part.old_str, part.old_text, part.oldText].find(isString);
    const after = [part.new_string, part.new_str, part.new_text, part.newText].find(isString);
    return before === undefined || after === undefined ? 'unknown' : { before, after };
  });
}
