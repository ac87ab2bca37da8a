import { type PastMessage, pastMessages, type StateBeforeMessage, stateBefore } from '../../context/history/past.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type Message, textOf, usageTotal } from '../../domain/session/message.ts';
import type { NewRecord } from '../../domain/session/record.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { nearest } from '../../domain/text.ts';
import { warn } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { readBodies, recordOutcome, retireBodies } from '../session/snapshot.ts';
import { wholeText } from '../turn/person-input.ts';
import {
  afterRollback,
  type CommittedRollback,
  type RollbackDeps,
  type RollbackResult,
  restoreState,
  rollBackMemories,
} from './rollback.ts';

export type RewindResult = RollbackResult & {
  /** The message itself, to be said again in other words. */
  readonly text: string;
};

/** The state before the user's message that is meant: by its number among `pastMessages`, from 1, or by its id. Throws not_found. */
export function findMessage(
  reference: string,
  session: Pick<Session, 'id'>,
  { disk: { past } }: { readonly disk: Pick<RollbackDeps['disk'], 'past'> },
): StateBeforeMessage {
  const userMessages = pastMessages(past(session.id));
  const match =
    userMessages.find(({ id }) => id === reference) ?? (/^\d{1,9}$/.test(reference) ? userMessages[Number(reference) - 1] : undefined);
  const state = match === undefined ? undefined : stateBefore(past(session.id), match.id);
  if (state !== undefined) return state;
  throw new SanbotError(
    'not_found',
    {
      en: `There is no message ${JSON.stringify(reference)} of yours to go back to`,
      zh: `没有可以回退到的消息 ${JSON.stringify(reference)}`,
    },
    hintFor(reference, userMessages),
  );
}

function hintFor(reference: string, userMessages: readonly PastMessage[]): Bilingual {
  if (userMessages.length === 0)
    return { en: 'You have not written anything in this session yet.', zh: '你在本会话中还没有写过任何内容。' };
  const nearestId = nearest(
    reference,
    userMessages.map(({ id }) => id),
  );
  return {
    en: `${userMessages.length === 1 ? 'There is only message 1' : `They are numbered from 1 to ${userMessages.length}`}; /rewind lists them, and in a shell sanbot rollback --session ID.${nearestId === undefined ? '' : ` The nearest id is ${nearestId}.`}`,
    zh: `编号从 1 到 ${userMessages.length}；/rewind 列出消息，在命令行中用 sanbot rollback --session ID。${nearestId === undefined ? '' : `最接近的 id 是 ${nearestId}。`}`,
  };
}

/**
 * Goes back to right before a message of the user's: the context is what it was then, to the byte, whatever a compaction made of it
 * since. As every rollback it saves the present first, and is one checkpoint.
 */
export function rewind(state: StateBeforeMessage, session: Session, deps: RollbackDeps): RewindResult {
  const tokensBefore = session.estimate.count().tokens;
  const bodies = readBodies(state.context.messages, session, (path) =>
    warn(deps.report.emit, {
      en: `An offloaded result is missing or changed: ${path}`,
      zh: `一个转存的结果缺失或已被更改：${path}`,
    }),
  );
  const { context, model, message } = state;
  const result = restoreState({ context, bodies, model, restored: message.id }, session, deps);
  const { undo: undoId, messages, tokens: tokensAfter } = result;
  deps.report.emit({ type: 'rewound', messageId: message.id, undoId, messages, tokensBefore, tokensAfter });
  afterRewind(state, result, session, deps);
  return { restored: message.id, ...result, text: wholeText(message, session.bodies.read) };
}

/** What follows once the way back is committed. */
function afterRewind(state: StateBeforeMessage, { undo, tokens }: CommittedRollback, session: Session, deps: RollbackDeps): void {
  rollBackMemories(() => state, { state: `${session.id}-${state.at.replace(/[-:.]/g, '')}`, by: undo }, session, deps);
  const title = textOf(state.message.content).slice(0, 60).replace(/\s+/g, ' ').toWellFormed();
  recordOutcome(undo, { line: `went back to before ${JSON.stringify(title)}`, tokensAfter: tokens }, session, deps);
}

/**
 * The snapshot from before the newest change of a session's context: restoring it undoes that change, and since this is a change as
 * well, doing it again undoes the undo. A snapshot whose change never came about is passed over; one whose change a crash kept from
 * being noted is known by the log. Undefined when there is none.
 */
export const lastChange = (
  inOrderOfTime: readonly SnapshotMeta[],
  { changedFrom }: Pick<Session, 'changedFrom'>,
): SnapshotMeta | undefined => inOrderOfTime.findLast((meta) => meta.outcome !== undefined || meta.id === changedFrom);

/** How many messages came after that change; undoing it takes them out of the context too. */
export const addedSince = ({ outcome }: SnapshotMeta, messages: readonly Message[]): number =>
  outcome === undefined ? 0 : Math.max(0, messages.length - outcome.messages);

/**
 * What a crash cut off behind the checkpoint of a rollback: its outcome is written last, so without one the memories may not have
 * followed. To be called when a session was opened, with the records read back; doing it twice changes nothing. Once something was
 * said after the rollback nothing is done, since what was learned from that must stay. Never throws.
 */
export function finishRollback(
  records: readonly NewRecord[],
  listSnapshots: () => readonly SnapshotMeta[],
  { session, deps }: { readonly session: Session; readonly deps: RollbackDeps },
): void {
  const last = records.findLast(({ type }) => type === 'checkpoint' || type === 'message');
  if (last?.type !== 'checkpoint' || last.reason !== 'rollback') return;
  const { snapshotId: undoId, restored } = last;
  const meta = undoId === undefined ? undefined : listSnapshots().find(({ id }) => id === undoId);
  if (meta === undefined || restored === undefined || meta.outcome !== undefined) return;
  retireBodies(session, deps);
  const lookup = deps.disk.snapshots.read(restored);
  const state = lookup.kind === 'found' ? undefined : stateBefore(deps.disk.past(session.id), restored);
  if (lookup.kind === 'found') afterRollback(lookup, { undo: meta.id, tokens: lookup.meta.tokens }, session, deps);
  else if (state !== undefined) afterRewind(state, { undo: meta.id, tokens: reportedTokens(state) }, session, deps);
  else {
    const message = {
      en: `The last rollback was cut short, and ${restored} is gone: the memories extracted since are not marked as superseded.`,
      zh: `上次回滚中断，且 ${restored} 已不存在：此后提取的记忆未标记为已取代。`,
    };
    warn(deps.report.emit, message);
  }
}

/** Nothing is counted here: when a session is opened, the tokenizer may not be loaded yet. */
function reportedTokens({ context: { messages } }: StateBeforeMessage): number {
  const usage = messages.findLast((message) => message.usage !== undefined)?.usage;
  return usage === undefined ? 0 : usageTotal(usage);
}
