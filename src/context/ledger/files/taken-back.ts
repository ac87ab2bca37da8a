import { isObject, isString } from '../../../domain/value/json.ts';
import { wasRun } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';
import { isCommit, isSamePath, removalOf } from './undone.ts';

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
  const changed = addChange(state, call, 'unknown');
  return isCommit(call)
    ? { ...changed, works: changed.works.map((work) => ({ ...work, isNew: false, changes: committed(work) })) }
    : changed;
}

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

/** True when the one puts back what the other changed. What was written since around it does not matter. */
const isReverse = (a: Change, b: Change): boolean => isObject(a) && isObject(b) && a.before === b.after && a.after === b.before;

/** The edits that a call makes, in the words of whichever tool. */
function editsOf(input: unknown): readonly Change[] {
  const fields = isObject(input) ? input : {};
  const parts = Array.isArray(fields.edits) ? fields.edits.filter(isObject) : [fields];
  return parts.map((part) => {
    const before = [part.old_string, part.old_str, part.old_text, part.oldText].find(isString);
    const after = [part.new_string, part.new_str, part.new_text, part.newText].find(isString);
    return before === undefined || after === undefined ? 'unknown' : { before, after };
  });
}
