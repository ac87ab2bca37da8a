import { createHash } from 'node:crypto';
import type { RecallKind } from '../../domain/recall.ts';
import type { Message, ToolUseBlock } from '../../domain/session/message.ts';
import { memoizeByName } from '../../domain/value/memoize.ts';
import { MAX_SLICES } from './search-rows.ts';
import type { ToolResultText } from './search-texts.ts';

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
