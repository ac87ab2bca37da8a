import { closeSync, fstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Bodies } from '../../agent/ports/disk.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, type ToolUseBlock } from '../../domain/session/message.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { entryExists, openToRead, readerOf } from '../files/disk.ts';
import { orStoreDamage, storeDamage } from '../files/failure.ts';
import { REST } from '../files/paths.ts';
import { lineSpans, type ReadAt, readLine } from '../files/record-line.ts';
import { readHeader } from '../session/log-reader.ts';
import type { SearchIndex } from './search-index.ts';
import type { NewEntry, SourceRow } from './search-rows.ts';
import {
  encodePosition,
  indexedText,
  type LogPosition,
  MESSAGE_TEXT,
  messagesOf,
  OWN_RECORD_PART,
  parsePosition,
  type RecordMessage,
  readOriginal,
  recordIn,
  resultAt,
  type TextAnalyzer,
  type ToolResultText,
  wholeMessage,
} from './search-texts.ts';

export type LogToIndex = {
  readonly path: string;
  readonly sessionId: string;
  readonly bodies: Pick<Bodies, 'read'>;
  readonly analyzer: TextAnalyzer;
};

/** `add` takes each entry; it may keep them until the part is read. */
export type PartOptions = { readonly maxBytes: number; readonly add: (entry: NewEntry) => void };

/**
 * Indexes what was added to a log, up to `maxBytes` or one line more. Returns how many bytes that was, and whether there may be more. A log
 * that is a different file than before is read from its start. Must run within a transaction. Throws store_damaged when it cannot be read.
 */
export function indexLog(
  index: SearchIndex,
  log: LogToIndex,
  { maxBytes, add }: PartOptions,
): { readonly bytes: number; readonly more: boolean } {
  const file = orStoreDamage(log.path, () => openToRead(log.path));
  try {
    const { size, ino } = fstatSync(file);
    const bytes = indexPart(index, log, { read: readerOf(file), size, stamp: stampOf(log.path, ino), maxBytes, add });
    return { bytes, more: bytes >= maxBytes };
  } catch (error) {
    throw errnoOf(error).startsWith('E') ? storeDamage(error, log.path) : error;
  } finally {
    closeSync(file);
  }
}

/** Names the file of a log; another one once all of it is here. */
export const stampOf = (path: string, ino: number): string => `${ino}${entryExists(join(path, '..', REST)) ? ' end' : ''}`;

/** Most lines are no longer, and are then not read a second time. */
const HEAD_BYTES = 64 * 1024;

type OpenLog = PartOptions & { readonly read: ReadAt; readonly size: number; readonly stamp: string };

/** So much more is read for the results of calls: a call that has its result is added once, and need not be taken out again for it. */
const MOST_FOR_RESULTS = 1024 * 1024;

function indexPart(index: SearchIndex, log: LogToIndex, file: OpenLog): number {
  const source = sourceOf(index, log, file);
  if (source === undefined) return 0;
  const openCalls = new Map<string, OpenCall>();
  const lastUserText = newestUserText(index, log, source);
  const state: IndexingState = { index, log, source, add: file.add, carried: new Set(), openCalls, lastUserText };
  let indexed = source.done;
  for (const { position, length, head } of lineSpans(file.read, source.done, HEAD_BYTES)) {
    const bytes = head.length === length ? head : readLine(file.read, { position, length });
    if (bytes !== undefined) indexLine(state, bytes, [position, length]);
    indexed = position + length + 1;
    const over = indexed - source.done - file.maxBytes;
    if (over >= 0 && (openCalls.size === 0 || over >= MOST_FOR_RESULTS)) break;
  }
  for (const call of openCalls.values()) addCall(state, call, undefined);
  if (indexed !== source.done) index.setDone(source.id, indexed);
  return indexed - source.done;
}

function sourceOf(index: SearchIndex, { path, sessionId }: LogToIndex, { read, size, stamp }: OpenLog): SourceRow | undefined {
  const existing = index.sourceAt(path);
  if (existing !== undefined && existing.stamp === stamp && existing.done <= size) return existing;
  if (existing !== undefined) index.removeSource(existing.id);
  const header = readHeader(read, sessionId);
  if (header.kind === 'damaged') return undefined;
  const { group, cwd } = header.header;
  const source = { path, grp: group, session: sessionId, folder: cwd, stamp, done: 0 };
  return { ...source, id: index.addSource(source) };
}

type IndexingState = {
  readonly index: SearchIndex;
  readonly log: LogToIndex;
  readonly source: SourceRow;
  readonly add: PartOptions['add'];
  readonly carried: Set<string>;
  /** Calls in this part of the log that have no result so far, by their key. */
  readonly openCalls: Map<string, OpenCall>;
  lastUserText: string;
};

type ByteRange = readonly [position: number, length: number];
type OpenCall = EntryPosition & {
  readonly call: ToolUseBlock;
  readonly about: string /** The helper's; '' for none. */;
  readonly branch: string;
};
type EntryPosition = { readonly n: number; readonly part: number; readonly block: number; readonly line: ByteRange; readonly at: string };

const USER_TEXT_CHARS = 300;
const MESSAGE_TEXT_CHARS = 300;

function newestUserText(index: SearchIndex, log: LogToIndex, source: SourceRow): string {
  const entry = source.done === 0 ? undefined : index.newestUserEntry(source.id);
  const original = entry === undefined ? undefined : readOriginal(log.path, entry, log.bodies);
  return original?.kind === 'said' ? (log.analyzer.messageText(original.message)?.text ?? '') : '';
}

const aboutOf = (userText: string, messageText: string): string =>
  `${messageText.slice(0, MESSAGE_TEXT_CHARS)}\n${userText.slice(0, USER_TEXT_CHARS)}`;

function indexLine(state: IndexingState, bytes: Buffer, line: ByteRange): void {
  const record = recordIn(bytes);
  if (record === undefined) return;
  for (const { part, message } of messagesOf(record)) {
    if (record.type === 'checkpoint' && !isNewSummary(state, message)) continue;
    const branch = record.type === 'branch' ? record.branch : '';
    indexMessage(state, { part, message }, { n: record.n, line, branch });
  }
}

/** Servers that count calls give those of a helper ids that others have. */
const callKey = (toolUseId: string, branch: string): string => `call ${branch}${branch === '' ? '' : ' '}${toolUseId}`;

/** Everything else in a checkpoint is in the log before it. */
const isNewSummary = ({ index, source, carried }: IndexingState, message: Message): boolean =>
  message.origin === 'summary' && !carried.has(message.id) && index.entryByKey(source.id, message.id) === undefined;

function indexMessage(
  state: IndexingState,
  { part, message }: RecordMessage,
  { n, line, branch }: { readonly n: number; readonly line: ByteRange; readonly branch: string },
): void {
  const utterance = state.log.analyzer.messageText(wholeMessage(message, state.log.bodies));
  const position = { n, part, line, at: message.at };
  if (utterance !== undefined) {
    const key = part === OWN_RECORD_PART ? '' : message.id;
    const { kind, text } = utterance;
    if (key !== '') state.carried.add(key);
    add(state, { ...position, block: MESSAGE_TEXT }, { ...EMPTY_CONTENT, kind, text, key });
  }
  if (utterance?.kind === 'user') state.lastUserText = utterance.text;
  for (const [block, content] of message.content.entries()) {
    if (isToolUse(content))
      openCall(state, { ...position, block, branch, call: calledTool(content), about: aboutOf(state.lastUserText, utterance?.text ?? '') });
    else if (isToolResult(content)) closeCall(state, { ...position, block }, { id: content.tool_use_id, message, branch });
  }
}

function openCall(state: IndexingState, call: OpenCall): void {
  const key = callKey(call.call.id, call.branch);
  const earlier = state.openCalls.get(key);
  if (earlier !== undefined) addCall(state, earlier, undefined);
  state.openCalls.set(key, call);
}

function closeCall(
  state: IndexingState,
  position: EntryPosition,
  { id, message, branch }: { readonly id: string; readonly message: Message; readonly branch: string },
): void {
  const result = resultAt(message, position.block, state.log.bodies);
  if (result === undefined) return;
  const key = callKey(id, branch);
  const call = state.openCalls.get(key) ?? earlierCall(state, id, branch);
  state.openCalls.delete(key);
  // A result that was read back is found where it was read from.
  const isReadBack = message.readBack?.includes(id) === true;
  const place = { line: position.line, part: position.part, block: position.block };
  if (call !== undefined) addCall(state, call, { place, result: isReadBack ? undefined : result });
  else if (!isReadBack) add(state, position, { ...EMPTY_CONTENT, kind: 'tool', text: result.text, key, failed: result.isError });
}

function earlierCall({ index, log, source, lastUserText }: IndexingState, id: string, branch: string): OpenCall | undefined {
  const entry = index.entryByKey(source.id, callKey(id, branch));
  const place = entry === undefined ? undefined : parsePosition(entry);
  if (entry === undefined || place === undefined || place.result !== undefined) return undefined;
  const original = readOriginal(log.path, entry, log.bodies);
  if (original?.kind !== 'call') return undefined;
  index.removeEntry(entry);
  const { n, part, block, at } = entry;
  const about = aboutOf(lastUserText, log.analyzer.messageText(original.message)?.text ?? '');
  return { n, part, block, at, line: place.line, call: original.call, about, branch };
}

type CallResult = { readonly place: NonNullable<LogPosition['result']>; readonly result: ToolResultText | undefined };

/** Calls of the excluded tool only repeat what was looked up. */
function addCall(state: IndexingState, pending: OpenCall, result: CallResult | undefined): void {
  const { analyzer } = state.log;
  const { call } = pending;
  if (call.name === analyzer.excludedTool) return;
  const content = { ...analyzer.callText(call, result?.result), about: pending.about, result: result?.place };
  add(state, pending, { ...content, kind: 'tool', key: callKey(call.id, pending.branch), tool: call.name });
}

type EntryContent = ReturnType<TextAnalyzer['callText']> &
  Pick<NewEntry, 'kind' | 'key' | 'tool'> & { readonly about: string; readonly result: LogPosition['result'] };

const EMPTY_CONTENT = { lead: '', tool: '', failed: false, about: '', result: undefined };

function add({ add, log, source }: IndexingState, position: EntryPosition, content: EntryContent): void {
  add({
    ...position,
    ...content,
    source: source.id,
    place: encodePosition({ line: position.line, result: content.result }),
    ...indexedText(source, content, log.analyzer),
  });
}
