import { oneLine } from '../../context/text/sentences.ts';
import { isToolUse, type Message, textOf } from '../../domain/session/message.ts';
import { type BranchRecord, type Helper, KILLED, type NewRecord } from '../../domain/session/record.ts';
import { cutAtSentence } from '../../domain/value/fit-descriptions.ts';

/** A checkpoint lists this many at most: of those that have ended the newest, and all others. */
const MAX_LISTED = 50;
const MAX_TASK_CHARS = 1_024;
const MAX_LINE_CHARS = 120;

/** The helpers of a session after one more record of its log, which has this number; oldest first. */
function applyToHelpers(helpers: readonly Helper[], record: NewRecord, n: number): readonly Helper[] {
  if (record.type === 'checkpoint') return record.helpers ?? helpers;
  if (record.type !== 'branch') return helpers;
  const before = helpers.find(({ id }) => id === record.branch);
  const after = applyBranch(before, record, n);
  if (after === undefined) return helpers;
  if (before === undefined) return bounded([...helpers, after]);
  return helpers.map((helper) => (helper === before ? after : helper));
}

function applyBranch(before: Helper | undefined, { branch, steps, costUsd, entry }: BranchRecord, n: number): Helper | undefined {
  if (entry.type === 'start')
    return {
      ...before,
      id: branch,
      task: cutAtSentence(firstLine(entry.task), MAX_TASK_CHARS),
      at: entry.at,
      steps,
      costUsd,
      last: String(n),
      end: undefined,
    };
  if (before === undefined) return undefined;
  if (entry.type === 'end') return { ...before, steps, costUsd, end: entry.how };
  const last = entry.type === 'message' && entry.message.origin === 'model' ? referenceTo(entry.message, n) : before.last;
  // What goes on after its end was asked to.
  const { end, ...rest } = before;
  const isAsked = entry.type === 'message' && entry.message.origin === 'user';
  return { ...rest, steps, costUsd, last, ...(end !== undefined && !isAsked && { end }) };
}

/** A message that says nothing is found by its first call. */
function referenceTo({ content }: Message, n: number): string {
  const call = content.findIndex(isToolUse);
  return textOf(content).trim() === '' && call >= 0 ? `${n}.${call}` : String(n);
}

const firstLine = (task: string): string => oneLine(task.trim().split('\n')[0] ?? '', MAX_TASK_CHARS * 2);

/** What it was asked, in one line of the screen. */
export const taskLine = (task: string): string => cutAtSentence(firstLine(task), MAX_LINE_CHARS);

function bounded(helpers: readonly Helper[]): readonly Helper[] {
  const tooMany = helpers.length - MAX_LISTED;
  if (tooMany <= 0) return helpers;
  const dropped = new Set(helpers.filter(({ end }) => end !== undefined).slice(0, tooMany));
  return helpers.filter((helper) => !dropped.has(helper));
}

/** The helpers of a session, as far as remembered. `alive`: those of this process; all others without an end were killed. */
export function createHelperList(alive: ReadonlySet<string>) {
  let helpers: readonly Helper[] = [];
  return {
    /** Oldest first. */
    all: () => helpers,
    /** Those of whose death nobody has been told yet. */
    killed: () => helpers.filter(({ id, end }) => end === undefined && !alive.has(id)),
    /** A name that none has. */
    nextId: () => `h${1 + helpers.reduce((most, { id }) => Math.max(most, Number(/^h(\d{1,9})$/.exec(id)?.[1] ?? 0)), 0)}`,
    apply: (record: NewRecord, n: number): void => {
      helpers = applyToHelpers(helpers, record, n);
    },
  };
}

export const killedRecord = ({ id, steps, costUsd }: Helper): BranchRecord => ({
  type: 'branch',
  branch: id,
  steps,
  costUsd,
  entry: { type: 'end', how: KILLED },
});
