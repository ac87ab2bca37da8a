import type { Message } from '../../domain/message.ts';
import type { SnapshotMeta } from '../../domain/snapshot.ts';
import type { Session } from '../session.ts';

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
