import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Bodies } from '../../agent/ports/disk.ts';
import type { RecallKind } from '../../domain/recall.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import {
  type BodyRef,
  isToolResult,
  isToolUse,
  MESSAGE_BODY,
  type Message,
  resultText,
  stubOf,
  type ToolUseBlock,
} from '../../domain/session/message.ts';
import { type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { parseJson } from '../../domain/value/json.ts';
import { memoizeByName } from '../../domain/value/memoize.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readAt, withFile } from '../files/disk.ts';
import { readRecord } from '../files/record-line.ts';
import { type EntryRow, MAX_SLICES } from './search-rows.ts';

/** Where the text of an entry is in its log: its line (first byte and length), and that of the result when it is a call. */
const lineSchema = z.tuple([z.int(), z.int()]).readonly();
const placeSchema = z.object({ line: lineSchema, result: z.object({ line: lineSchema, part: z.int(), block: z.int() }).optional() });
export type LogPosition = Readonly<z.infer<typeof placeSchema>>;
export const encodePosition = (place: LogPosition): string => JSON.stringify(place);

export function parsePosition(entry: EntryRow): LogPosition | undefined {
  const place = placeSchema.safeParse(parseJson(entry.place));
  return place.success ? place.data : undefined;
}

/** Value of `part` for a message that is a record of its own, outside any context. */
export const OWN_RECORD_PART = -1;
export const MESSAGE_TEXT = -1;

export type RecordMessage = { readonly part: number; readonly message: Message };

export function messagesOf(record: LogRecord): readonly RecordMessage[] {
  if (record.type === 'message') return [{ part: OWN_RECORD_PART, message: record.message }];
  if (record.type === 'branch')
    return record.entry.type === 'message' ? [{ part: OWN_RECORD_PART, message: saidByModels(record.entry.message) }] : [];
  if (record.type !== 'header' && record.type !== 'checkpoint') return [];
  return record.context.messages.map((message, part) => ({ part, message }));
}

/** What a helper is asked, the model asks; only a person is the user. */
const saidByModels = (message: Message): Message => (message.origin === 'user' ? { ...message, origin: 'model' } : message);

export function recordIn(line: Buffer): LogRecord | undefined {
  const parsed = logRecordSchema.safeParse(readRecord(line));
  return parsed.success ? parsed.data : undefined;
}

export type ToolResultText = { readonly text: string; readonly isError: boolean };

export function resultAt(message: Message, block: number, bodies: Pick<Bodies, 'read'>): ToolResultText | undefined {
  const content = message.content[block];
  if (content === undefined || !isToolResult(content)) return undefined;
  const stub = stubOf(message, content);
  const body = stub === undefined ? undefined : readBody(stub.body, bodies);
  return { text: body ?? resultText(content), isError: content.is_error === true };
}

export function wholeMessage(message: Message, bodies: Pick<Bodies, 'read'>): Message {
  const stub = message.stubs?.find(({ tool }) => tool === MESSAGE_BODY);
  const text = stub === undefined ? undefined : readBody(stub.body, bodies);
  return text === undefined ? message : { ...message, content: [{ type: 'text', text }] };
}

/** Returns undefined for a body that cannot be read, so that it hides nothing else. */
const readBody = (ref: BodyRef, bodies: Pick<Bodies, 'read'>): string | undefined => orUndefined(() => bodies.read(ref));

export type Original =
  | { readonly kind: 'said'; readonly message: Message }
  | { readonly kind: 'call'; readonly message: Message; readonly call: ToolUseBlock; readonly result: ToolResultText | undefined }
  | { readonly kind: 'result'; readonly result: ToolResultText };

/** Reads the original of an entry from its log; undefined when it is not there (any more). Throws the system's error. */
export function readOriginal(path: string, entry: EntryRow, bodies: Pick<Bodies, 'read'>): Original | undefined {
  const place = parsePosition(entry);
  if (place === undefined) return undefined;
  const { line, result } = place;
  return withFile(path, (file) => {
    const message = messageAt(file, line, entry.part);
    if (message === undefined) return undefined;
    if (entry.block === MESSAGE_TEXT) return { kind: 'said', message: wholeMessage(message, bodies) };
    const block = message.content[entry.block];
    if (block !== undefined && isToolUse(block)) {
      const resultMessage = result === undefined ? undefined : messageAt(file, result.line, result.part);
      const callResult = resultMessage === undefined || result === undefined ? undefined : resultAt(resultMessage, result.block, bodies);
      return { kind: 'call', message, call: calledTool(block), result: callResult };
    }
    const loneResult = resultAt(message, entry.block, bodies);
    return loneResult === undefined ? undefined : { kind: 'result', result: loneResult };
  });
}

function messageAt(file: number, [position, length]: readonly [number, number], part: number): Message | undefined {
  const record = recordIn(readAt(file, position, length));
  return record === undefined ? undefined : messagesOf(record).find((each) => each.part === part)?.message;
}

export type TextAnalyzer = {
  /** Returns the terms of each text, separated by spaces, without those of the texts before it. */
  readonly terms: (...texts: readonly string[]) => readonly string[];
  readonly messageText: (message: Message) => { readonly kind: RecallKind; readonly text: string } | undefined;
  readonly callText: (
    call: Pick<ToolUseBlock, 'name' | 'input'>,
    result: ToolResultText | undefined,
  ) => { readonly text: string; readonly lead: string; readonly failed: boolean };
  readonly statesDecision: (text: string) => boolean;
  readonly excludedTool: string;
};

/** Longer slices are found by words that stand far apart; shorter ones make the index slower. They are ranked in smaller parts. */
const SLICE_CHARS = 2_000;
/** Taken from the next slice as well, so that no word is cut in two at the end of a slice. */
const OVERLAP_CHARS = 64;

export function sliceRange(length: number, slice: number): TextRange {
  const step = Math.max(SLICE_CHARS, Math.ceil(length / MAX_SLICES));
  const start = Math.min(slice * step, length);
  return { start, end: Math.min(length, start + step + OVERLAP_CHARS) };
}

const LEAD_CHARS = 200;

export type TextRange = { readonly start: number; readonly end: number };

/** Returns a part of a text as it is searched: all but the first begin with the text's beginning, its `lead`. */
export const partOf = ({ text, lead = '' }: IndexableText, { start, end }: TextRange): string =>
  start === 0 ? text.slice(start, end) : `${lead.slice(0, LEAD_CHARS)}\n${text.slice(start, end)}`;

type IndexableText = { readonly text: string; readonly lead?: string; readonly about?: string };

/** Returns the terms of each slice of a text, and those terms of what it was made for that the first slice does not contain. */
export function termsIn(
  analyzer: TextAnalyzer,
  { about = '', ...indexed }: IndexableText,
): { readonly terms: readonly string[]; readonly about: string } {
  const { text, lead = '' } = indexed;
  const [firstTerms = '', aboutTerms = ''] = analyzer.terms(partOf({ text }, sliceRange(text.length, 0)), about);
  const terms = [firstTerms];
  const leadTerms = text.length <= SLICE_CHARS ? '' : (analyzer.terms(lead.slice(0, LEAD_CHARS))[0] ?? '');
  for (let slice = 1; sliceRange(text.length, slice).start < text.length; slice++)
    terms.push(`${leadTerms} ${analyzer.terms(partOf({ text }, sliceRange(text.length, slice)))[0] ?? ''}`);
  return { terms, about: aboutTerms };
}

/** Words of ours that filters ask for. They have a column of their own, so no text can contain them. */
export const marks = {
  group: (group: string): string => `g${group}`,
  session: (sessionId: string): string => `s${sessionId}`,
  kind: (kind: string): string => `k${kind}`,
  failed: 'failed',
  decision: 'decision',
  /** Asked for each entry of a session. */
  folder: memoizeByName((folder) => `f${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`),
  tool: (tool: string): string => `t${tool.toLowerCase().replace(/[^a-z0-9_-]/g, '_')}`,
};

type EntryText = IndexableText & Omit<EntryProperties, 'decision'> & { readonly kind: RecallKind };

export function indexedText(source: SourceProperties, entry: EntryText, analyzer: TextAnalyzer) {
  const decision = isDecision(analyzer, entry);
  return { failed: entry.failed ? 1 : 0, marks: marksOf(source, { ...entry, decision }), ...termsIn(analyzer, entry) };
}

type EntryProperties = { readonly kind: string; readonly tool: string; readonly failed: boolean; readonly decision?: boolean };
type SourceProperties = { readonly grp: string; readonly session: string; readonly folder: string };

export const marksOf = (source: SourceProperties, { kind, tool, failed, decision = false }: EntryProperties): string =>
  [
    marks.group(source.grp),
    marks.folder(source.folder),
    ...(source.session === '' ? [] : [marks.session(source.session)]),
    marks.kind(kind),
    ...(tool === '' ? [] : [marks.tool(tool)]),
    ...(failed ? [marks.failed] : []),
    ...(decision ? [marks.decision] : []),
  ].join(' ');

/** Decisions are what the user and the assistant say, not what tools return. */
export const isDecision = (
  analyzer: Pick<TextAnalyzer, 'statesDecision'>,
  { kind, text }: { readonly kind: RecallKind; readonly text: string },
): boolean => (kind === 'user' || kind === 'assistant') && analyzer.statesDecision(text);
