import type { BodyRef, Message } from '../../domain/session/message.ts';
import type { BranchEntry, HeaderRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import type { BodyStore } from './bodies/bodies.ts';

/** `records`: the newest readable checkpoint, if any, and what follows it. */
export type LiveRecords = { readonly header: HeaderRecord; readonly records: readonly LogRecord[] };

/**
 * Writes again the files that stubs of the context name and that were retired since. Damage to a checkpoint brings back the context from
 * before it, and with it stubs whose bodies that checkpoint had given up. Never throws: a body that cannot be written is still found in
 * bodies.jsonl.
 */
export function restoreLive(bodies: BodyStore, { header, records }: LiveRecords): void {
  const start = records[0]?.type === 'checkpoint' ? [] : refsIn(header.context.messages);
  for (const ref of new Map([...start, ...records.flatMap(refsOf)].map((each) => [each.sha256, each])).values()) {
    orUndefined(() => {
      const text = bodies.read(ref);
      if (text !== undefined) bodies.restore([{ ref, text }]);
    });
  }
}

/** Every body that a record refers to. */
export function refsOf(record: NewRecord | BranchEntry): readonly BodyRef[] {
  if (record.type === 'message') return refsIn([record.message]);
  if (record.type === 'offload') return record.stubs.map((stub) => stub.ref.body);
  if (record.type === 'branch') return refsOf(record.entry);
  return record.type === 'header' || record.type === 'start' || record.type === 'checkpoint' ? refsIn(record.context.messages) : [];
}

const refsIn = (messages: readonly Message[]): readonly BodyRef[] =>
  messages.flatMap((message) => (message.stubs ?? []).map((stub) => stub.body));
