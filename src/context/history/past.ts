import { type Actor, actorsOf, type ChangeSet, type Entry, isSameThing } from '../../domain/session/change.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import type { FileVersion, HeaderRecord, LogRecord } from '../../domain/session/record.ts';
import { withoutNotes } from '../offload/media-stub.ts';
import { applyRecords } from './apply-record.ts';
import { repairPairs } from './pairing.ts';

export type PastMessage = { readonly id: string; readonly at: string; readonly text: string };

/** The user's messages that led to the current state, oldest first: also those that left the context, not those that a rollback undid. */
export function pastMessages(records: Iterable<LogRecord>): readonly PastMessage[] {
  const branches = new Map<string, Branch | undefined>();
  let branch: Branch | undefined;
  for (const record of records) {
    for (const message of messagesIn(record)) {
      if (branches.has(message.id)) continue;
      if (message.origin === 'user')
        branch = { message: { id: message.id, at: message.at, text: textOf(withoutNotes(message.content)) }, previous: branch };
      branches.set(message.id, branch);
    }
    if (record.type !== 'checkpoint' || record.reason !== 'rollback') continue;
    const last = record.context.messages.at(-1);
    branch = last === undefined ? undefined : branches.get(last.id);
  }
  const messages: PastMessage[] = [];
  for (let current = branch; current !== undefined; current = current.previous) messages.push(current.message);
  return messages.reverse();
}

type Branch = { readonly message: PastMessage; readonly previous: Branch | undefined };

/**
 * The messages that led to the current state, oldest first, each once: also those that a compaction or a clear removed from the context, and
 * the summaries that took their place; without those that a rollback undid. `past` is read twice, so that none of them is kept.
 */
export function* standingMessages(past: () => Iterable<LogRecord>): Generator<Message> {
  let ids: string[] = [];
  const seen = new Set<string>();
  for (const record of past()) {
    for (const { id } of messagesIn(record)) {
      if (!seen.has(id)) ids.push(id);
      seen.add(id);
    }
    if (record.type !== 'checkpoint' || record.reason !== 'rollback') continue;
    const last = record.context.messages.at(-1);
    ids = last === undefined ? [] : ids.slice(0, ids.lastIndexOf(last.id) + 1);
  }
  const standing = new Set(ids);
  for (const record of past()) for (const message of messagesIn(record)) if (standing.delete(message.id)) yield message;
}

export const messagesIn = (record: LogRecord): readonly Message[] =>
  record.type === 'message' ? [record.message] : record.type === 'header' || record.type === 'checkpoint' ? record.context.messages : [];

/** Messages of the header count as records before it, -1 the last, so that changes from before a fork keep their place among them. */
export const numberInHeader = ({ context }: HeaderRecord, index: number): number => index - context.messages.length;

/** Every message of the log, each once, also those that left the context or were undone. */
export function allMessages(records: Iterable<LogRecord>): readonly Message[] {
  const messages = new Map<string, Message>();
  for (const record of records) for (const message of messagesIn(record)) if (!messages.has(message.id)) messages.set(message.id, message);
  return [...messages.values()];
}

export type PastState = {
  /** Number of the last log record that belongs to this state; later records have higher numbers. Below zero, of a message in the header. */
  readonly n: number;
  /** Ids of the messages that had been said by then, in the context or not. What was learned from them belongs to this state. */
  readonly knownIds: ReadonlySet<string>;
};

export type StateBeforeMessage = Readonly<NonNullable<ReturnType<typeof stateBefore>>>;

/** The state right before a user message; undefined when the log does not hold it. `model`: who answered then, or empty. */
export function stateBefore(records: Iterable<LogRecord>, messageId: string) {
  const seenIds = new Set<string>();
  let recordsSince: LogRecord[] = [];
  let model = '';
  for (const record of records) {
    const messages = messagesIn(record);
    if (record.type === 'header' || record.type === 'model' || record.type === 'checkpoint') model = record.model ?? model;
    const index = messages.findIndex(({ id }) => id === messageId);
    const message = messages[index];
    if (message !== undefined) {
      const context = record.type === 'message' ? contextAfter(recordsSince) : contextAfter([record], index);
      if (context === undefined) return undefined;
      const before = { ...context, messages: repairPairs(context.messages) };
      const n = record.type === 'header' ? numberInHeader(record, index) - 1 : record.n - (record.type === 'message' ? 1 : 0);
      return { n, message, at: record.at, context: before, model, knownIds: idsIn(seenIds, before.messages) };
    }
    for (const { id } of messages) seenIds.add(id);
    if (record.type === 'checkpoint' || record.type === 'header') recordsSince = [record];
    else recordsSince.push(record);
  }
  return undefined;
}

function contextAfter(records: readonly LogRecord[], length?: number): SessionContext | undefined {
  const [first, ...rest] = records;
  if (first === undefined || (first.type !== 'header' && first.type !== 'checkpoint')) return undefined;
  const start: SessionContext = first.context;
  if (length === undefined) return applyRecords(start, rest);
  const messages = start.messages.slice(0, length);
  return { ...start, messages, anchorFloor: Math.min(start.anchorFloor, messages.length) };
}

const idsIn = (seenIds: ReadonlySet<string>, messages: readonly Message[]): ReadonlySet<string> =>
  new Set([...seenIds, ...messages.map(({ id }) => id)]);

/** Returns the log state at which a snapshot was taken: right before the checkpoint that names it or, when none does, by its time. */
export function stateOfSnapshot(
  records: Iterable<LogRecord>,
  snapshot: { readonly id: string; readonly at: string; readonly context: SessionContext },
): PastState {
  const seenIds = new Set<string>();
  const stateAt = (n: number): PastState => ({ n, knownIds: idsIn(seenIds, snapshot.context.messages) });
  let stateByTime: PastState | undefined;
  let last = -1;
  for (const record of records) {
    if (record.type === 'checkpoint' && record.snapshotId === snapshot.id) return stateAt(record.n - 1);
    if (record.at > snapshot.at) stateByTime ??= stateAt(record.n - 1);
    for (const { id } of messagesIn(record)) seenIds.add(id);
    last = record.n;
  }
  return stateByTime ?? stateAt(last);
}

/** What the file tools of a session changed, as the acts that they were. Whether a change happened, only the file itself shows. */
export function* editSets(records: Iterable<LogRecord>): Generator<ChangeSet> {
  for (const record of records) {
    if (record.type !== 'file') continue;
    const { n, at, path, tool, before, after } = record;
    yield { n, at, by: { id: tool, title: tool, record: n - 1 }, changes: [{ path, before: entryOf(before), after: entryOf(after) }] };
  }
}

const entryOf = (version: FileVersion | null): Entry | null =>
  version && {
    ...{ kind: 'file', mode: version.mode ?? -1, size: version.bytes, mtime: 0, ctime: 0, ino: 0 },
    holds: /^[0-9a-f]{64}$/.test(version.fingerprint) ? `sha256:${version.fingerprint}` : 'large',
  };

/**
 * Change sets as a copy of the session knows them that begins with these messages: in order of time, numbered anew, each placed before the
 * copy's own first record, after the last message said by then.
 */
export function forkedSets(records: Iterable<LogRecord>, sets: readonly ChangeSet[], messages: readonly Message[]): readonly ChangeSet[] {
  const saidAt = new Map<string, number>();
  const edits: ChangeSet[] = [];
  for (const record of records) {
    edits.push(...editSets([record]));
    for (const [index, { id }] of messagesIn(record).entries())
      if (!saidAt.has(id)) saidAt.set(id, record.type === 'header' ? numberInHeader(record, index) : record.n);
  }
  const recordFor = (record: number): number => {
    const last = messages.findLastIndex(({ id }) => (saidAt.get(id) ?? Number.POSITIVE_INFINITY) <= record);
    return last - messages.length;
  };
  const actorIn = (actor: Actor): Actor => ({ ...actor, record: recordFor(actor.record) });
  return [...edits, ...sets]
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .map((set, i) => ({ ...set, n: i + 1, ...(set.by && { by: actorIn(set.by) }), ...(set.also && { also: set.also.map(actorIn) }) }));
}

/** How a path is brought back: what it should hold now, if nobody else touched it, and what it held before. */
export type Undo = {
  readonly path: string;
  readonly expected: Entry | null;
  readonly target: Entry | null;
  /** Somebody else changed it between two of the acts: theirs is the target, and this is what stood there before all of them. */
  readonly earlier?: Entry | null;
};

/**
 * What it takes to undo these acts and nothing that others changed meanwhile. `sets` are all that were written down, in order of time.
 * Going back stops at a version that none of the acts made.
 */
export function undoOf(sets: readonly ChangeSet[], isUndone: (set: ChangeSet) => boolean): readonly Undo[] {
  const undos = new Map<string, Undo & { readonly isStopped?: boolean }>();
  for (const set of sets.toReversed()) {
    if (actorsOf(set).length === 0 || !isUndone(set)) continue;
    for (const { path, before, after } of set.changes) {
      const known = undos.get(path);
      if (known === undefined) undos.set(path, { path, expected: after, target: before });
      else if (known.isStopped !== true && isSameThing(known.target, after)) undos.set(path, { ...known, target: before });
      else undos.set(path, { ...known, earlier: before, isStopped: true });
    }
  }
  const isGone = (path: string): boolean =>
    undos.get(path)?.target === null || (path.includes('/') && isGone(path.slice(0, path.lastIndexOf('/'))));
  // Objects of git are not told of while they come, and go with the folder of their repository.
  for (const [path, { target }] of undos) if (target?.holds?.startsWith('object:') === true && isGone(path)) undos.delete(path);
  // Where others had brought back what stood there first, or an act that was written down never happened, there is nothing to choose.
  return [...undos.values()].map(({ isStopped, earlier, ...undo }) =>
    earlier === undefined || isSameThing(earlier, undo.target) ? undo : { ...undo, earlier },
  );
}
