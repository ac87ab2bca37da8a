import { closeSync, fstatSync, lstatSync } from 'node:fs';
import type { Bodies } from '../../agent/ports.ts';
import type { RecallKind } from '../../domain/recall.ts';
import { isToolResult, isToolUse, type Message, type ToolUseBlock } from '../../domain/session/message.ts';
import { openToRead, readAt } from '../files/disk.ts';
import { errnoOf, storeDamage } from '../files/failure.ts';
import { lineSpans, type ReadAt } from '../files/json-line.ts';
import { readHeader } from '../session/log-reader.ts';
import type { SearchIndex, SourceRow } from './search-index.ts';
import {
  type LogPlace,
  messagesOf,
  OWN_RECORD,
  type PlacedMessage,
  placeOf,
  placeText,
  type Result,
  readOriginal,
  recordIn,
  resultAt,
  WHAT_IS_SAID,
} from './search-texts.ts';
import { marksOf, type SearchWords, termsIn } from './search-words.ts';

export type LogToIndex = {
  readonly path: string;
  readonly sessionId: string;
  readonly bodies: Pick<Bodies, 'read'>;
  readonly words: SearchWords;
};

/** Whether a log has changed since it was taken into the index; one that is gone has not. */
export function hasChanged(path: string, known: Pick<SourceRow, 'stamp' | 'done'> | undefined): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (known === undefined || known.stamp !== String(stats.ino) || known.done !== stats.size);
}

/**
 * Takes what was added to a log into the index, `maxBytes` or one line more of it; answers how much that was, and whether there may be
 * more. A log that is another file than before is read from its start. Runs within a transaction. Throws store_damaged when it cannot be read.
 */
export function indexLog(index: SearchIndex, log: LogToIndex, maxBytes: number): { readonly bytes: number; readonly more: boolean } {
  const file = opened(log.path);
  try {
    const { size, ino } = fstatSync(file);
    const read: ReadAt = (position, length) => readAt(file, position, length);
    const bytes = indexPart(index, log, { read, size, stamp: String(ino), maxBytes });
    return { bytes, more: bytes >= maxBytes };
  } catch (error) {
    throw errnoOf(error).startsWith('E') ? storeDamage(error, log.path) : error;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openToRead(path);
  } catch (error) {
    throw storeDamage(error, path);
  }
}

type OpenFile = { readonly read: ReadAt; readonly size: number; readonly stamp: string; readonly maxBytes: number };

function indexPart(index: SearchIndex, log: LogToIndex, file: OpenFile): number {
  const source = sourceOf(index, log, file);
  if (source === undefined) return 0;
  const open = new Map<string, OpenCall>();
  const at: Place = { index, log, source, open, asked: newestAsked(index, log, source) };
  let done = source.done;
  for (const { position, length, head } of lineSpans(file.read, source.done, Number.POSITIVE_INFINITY)) {
    indexLine(at, head, [position, length]);
    done = position + length + 1;
    if (done - source.done >= file.maxBytes) break;
  }
  for (const made of open.values()) addCall(at, made, undefined);
  if (done !== source.done) index.setDone(source.id, done);
  return done - source.done;
}

/** What is known of the log; known anew when the file is another one. Undefined when it has no header that says whose it is. */
function sourceOf(index: SearchIndex, { path, sessionId }: LogToIndex, { read, size, stamp }: OpenFile): SourceRow | undefined {
  const known = index.sourceAt(path);
  if (known !== undefined && known.stamp === stamp && known.done <= size) return known;
  if (known !== undefined) index.removeSource(known.id);
  const header = readHeader(read, sessionId);
  if (header.kind === 'damaged') return undefined;
  const source = { path, grp: header.header.group, session: sessionId, stamp, done: 0 };
  return { ...source, id: index.addSource(source) };
}

type Place = {
  readonly index: SearchIndex;
  readonly log: LogToIndex;
  readonly source: SourceRow;
  /** Calls of this part without a result so far. */
  readonly open: Map<string, OpenCall>;
  /** What the user said last. */
  asked: string;
};

type Line = readonly [position: number, length: number];
type OpenCall = Spot & { readonly call: ToolUseBlock /** What it was made for. */; readonly about: string };
/** Where in a source something stands. */
type Spot = { readonly n: number; readonly part: number; readonly block: number; readonly line: Line; readonly at: string };

const ASKED_CHARS = 300;
const SAID_CHARS = 300;

/** Before this part of the log. */
function newestAsked(index: SearchIndex, log: LogToIndex, source: SourceRow): string {
  const entry = source.done === 0 ? undefined : index.newestSaid(source.id);
  const original = entry === undefined ? undefined : readOriginal(log.path, entry, log.bodies);
  return original?.kind === 'said' ? (log.words.said(original.message)?.text ?? '') : '';
}

const aboutOf = (asked: string, said: string): string => `${said.slice(0, SAID_CHARS)}\n${asked.slice(0, ASKED_CHARS)}`;

function indexLine(at: Place, bytes: Buffer, line: Line): void {
  const record = recordIn(bytes);
  if (record === undefined) return;
  for (const { part, message } of messagesOf(record)) {
    if (record.type === 'checkpoint' && !isNewSummary(at, message)) continue;
    indexMessage(at, { part, message }, { n: record.n, line });
  }
}

const callKey = (toolUseId: string): string => `call ${toolUseId}`;

/** All else that a checkpoint holds is in the log before it. */
const isNewSummary = ({ index, source }: Place, message: Message): boolean =>
  message.origin === 'summary' && index.entryByKey(source.id, message.id) === undefined;

function indexMessage(at: Place, { part, message }: PlacedMessage, { n, line }: { readonly n: number; readonly line: Line }): void {
  const said = at.log.words.said(message);
  const spot = { n, part, line, at: message.at };
  if (said !== undefined) {
    const key = part === OWN_RECORD ? '' : message.id;
    const { kind, text } = said;
    add(at, { ...spot, block: WHAT_IS_SAID }, { ...BARE, kind, text, key });
  }
  if (said?.kind === 'user') at.asked = said.text;
  for (const [block, content] of message.content.entries()) {
    if (isToolUse(content)) openCall(at, { ...spot, block, call: content, about: aboutOf(at.asked, said?.text ?? '') });
    else if (isToolResult(content)) closeCall(at, { ...spot, block }, { id: content.tool_use_id, message });
  }
}

function openCall(at: Place, made: OpenCall): void {
  const earlier = at.open.get(made.call.id);
  if (earlier !== undefined) addCall(at, earlier, undefined);
  at.open.set(made.call.id, made);
}

function closeCall(at: Place, spot: Spot, { id, message }: { readonly id: string; readonly message: Message }): void {
  const result = resultAt(message, spot.block, at.log.bodies);
  if (result === undefined) return;
  const made = at.open.get(id) ?? earlierCall(at, id);
  at.open.delete(id);
  // What was read back stands where it was read from.
  const readBack = message.readBack?.includes(id) === true;
  const place = { line: spot.line, part: spot.part, block: spot.block };
  if (made !== undefined) addCall(at, made, { place, found: readBack ? undefined : result });
  else if (!readBack) add(at, spot, { ...BARE, kind: 'tool', text: result.text, key: callKey(id), failed: result.isError });
}

/** A call that was made in an earlier part of the log, out of its entry, which goes. */
function earlierCall({ index, log, source, asked }: Place, id: string): OpenCall | undefined {
  const entry = index.entryByKey(source.id, callKey(id));
  const place = entry === undefined ? undefined : placeOf(entry);
  if (entry === undefined || place === undefined || place.result !== undefined) return undefined;
  const original = readOriginal(log.path, entry, log.bodies);
  if (original?.kind !== 'call') return undefined;
  index.removeEntry(entry);
  const { n, part, block, at } = entry;
  return { n, part, block, at, line: place.line, call: original.call, about: aboutOf(asked, log.words.said(original.message)?.text ?? '') };
}

type Answer = { readonly place: NonNullable<LogPlace['result']>; readonly found: Result | undefined };

/** Calls that are left out only repeat what was looked up. */
function addCall(at: Place, made: OpenCall, answer: Answer | undefined): void {
  const { words } = at.log;
  const { call } = made;
  if (call.name === words.leftOut) return;
  const { text, lead, failed } = words.call(call, answer?.found);
  add(at, made, {
    kind: 'tool',
    text,
    lead,
    key: callKey(call.id),
    tool: call.name,
    failed,
    about: made.about,
    result: answer?.place,
  });
}

type Found = {
  readonly kind: RecallKind;
  readonly text: string;
  readonly lead: string;
  readonly key: string;
  readonly tool: string;
  readonly failed: boolean;
  readonly about: string;
  readonly result: LogPlace['result'];
};

const BARE = { lead: '', tool: '', failed: false, about: '', result: undefined };

function add({ index, log, source }: Place, spot: Spot, found: Found): void {
  const { n, part, block, line, at } = spot;
  const { kind, text, lead, key, tool, failed, about, result } = found;
  index.addEntry({
    source: source.id,
    n,
    part,
    block,
    key,
    kind,
    tool,
    at,
    failed: failed ? 1 : 0,
    place: placeText({ line: [...line], result }),
    marks: marksOf(source, { kind, tool, failed }),
    ...termsIn(log.words, { text, lead, about }),
  });
}
