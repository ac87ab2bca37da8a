import { type PastMessage, pastMessages, type StateBeforeMessage, stateBefore } from '../../context/history/past.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { nearest } from '../../domain/text.ts';
import type { SnapshotBody } from '../ports.ts';
import type { Session } from '../session/session.ts';
import { bodiesIn } from '../session/snapshot.ts';
import { type Committed, followInMemory, goBack, noteDone, type RollbackDeps, type RolledBack } from './rollback.ts';

export type Rewound = RolledBack & {
  /** The message itself, to be said again in other words. */
  readonly text: string;
};

/**
 * The state before the user's message that is meant: by its number among `pastMessages`, counted from 1, or by its id. Throws not_found.
 */
export function findMessage(wish: string, session: Pick<Session, 'id'>, { past }: Pick<RollbackDeps, 'past'>): StateBeforeMessage {
  const said = pastMessages(past(session.id));
  const meant = said.find(({ id }) => id === wish) ?? (/^\d{1,9}$/.test(wish) ? said[Number(wish) - 1] : undefined);
  const found = meant === undefined ? undefined : stateBefore(past(session.id), meant.id);
  if (found !== undefined) return found;
  throw new SanbotError('not_found', `There is no message ${JSON.stringify(wish)} of yours to go back to`, { hint: hintFor(wish, said) });
}

function hintFor(wish: string, said: readonly PastMessage[]): string {
  if (said.length === 0) return 'Nothing was said in this session yet.';
  const close = nearest(
    wish,
    said.map(({ id }) => id),
  );
  const meant = close === undefined ? '' : ` The nearest id is ${close}.`;
  return `They are numbered from 1 to ${said.length}; sanbot rollback --session ID lists them.${meant}`;
}

/**
 * Goes back to right before a message of the user's: the context is what it was then, to the byte, whatever a compaction made of it
 * since. As every rollback it saves the present first, and is one checkpoint.
 */
export function rewind(to: StateBeforeMessage, session: Session, deps: RollbackDeps): Rewound {
  const tokensBefore = session.count().tokens;
  const bodies = bodiesIn(to.context.messages).flatMap((ref): SnapshotBody[] => {
    const text = session.bodies.read(ref);
    if (text !== undefined) return [{ ref, text }];
    deps.emit({ type: 'warning', message: `An offloaded result is missing or changed: ${session.bodies.path(ref)}` });
    return [];
  });
  const { context, model, message } = to;
  const done = goBack({ context, bodies, model, restored: message.id }, session, deps);
  const { undo: undoId, messages, tokens: tokensAfter } = done;
  deps.emit({ type: 'rewound', messageId: message.id, undoId, messages, tokensBefore, tokensAfter });
  afterRewind(to, done, session, deps);
  return { restored: message.id, ...done, text: textOf(message.content) };
}

/** What follows once the way back is committed. */
export function afterRewind(to: StateBeforeMessage, { undo, tokens }: Committed, session: Session, deps: RollbackDeps): void {
  followInMemory(() => to, { state: `${session.id}-${to.at.replace(/[-:.]/g, '')}`, by: undo }, session, deps);
  const said = textOf(to.message.content).slice(0, 60).replace(/\s+/g, ' ').toWellFormed();
  noteDone(undo, { line: `went back to before ${JSON.stringify(said)}`, tokensAfter: tokens }, session, deps);
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
