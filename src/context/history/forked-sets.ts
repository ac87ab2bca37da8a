import type { Actor, ChangeSet } from '../../domain/session/change.ts';
import type { Message } from '../../domain/session/message.ts';
import type { LogRecord } from '../../domain/session/record.ts';
import { editSets, messagesIn, numberInHeader } from './past.ts';

/**
 * What acts of a session changed, as a copy of it knows them that begins with these messages: each after the last of the messages that had
 * been said by then, all of them before the first record of its own. Sorted by time, and numbered anew.
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
