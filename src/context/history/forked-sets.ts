import type { Actor, ChangeSet } from '../../domain/session/change.ts';
import type { Message } from '../../domain/session/message.ts';
import type { LogRecord } from '../../domain/session/record.ts';
import { editSets, messagesIn, numberInHeader } from './past.ts';

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
