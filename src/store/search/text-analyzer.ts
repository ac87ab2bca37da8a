import type { RecallKind } from '../../domain/recall.ts';
import type { Message, ToolUseBlock } from '../../domain/session/message.ts';
import { MAX_SLICES } from './search-index.ts';
import type { ToolResultText } from './search-texts.ts';

/** How texts become search terms. Implemented elsewhere, as pure functions, and the same for the index and for what is shown. */
export type TextAnalyzer = {
  /** Returns the terms of each text, separated by spaces, without those of the texts before it. */
  readonly terms: (...texts: readonly string[]) => readonly string[];
  /** Returns what a message says; undefined when it says nothing. */
  readonly messageText: (message: Message) => { readonly kind: RecallKind; readonly text: string } | undefined;
  /** Returns the text of a call with its result, the beginning of that text, and whether the call failed. */
  readonly callText: (
    call: Pick<ToolUseBlock, 'name' | 'input'>,
    result: ToolResultText | undefined,
  ) => { readonly text: string; readonly lead: string; readonly failed: boolean };
  /** The tool whose calls are not indexed. */
  readonly excludedTool: string;
};

const SLICE_CHARS = 8_000;
/** Taken from the next slice as well, so that no word is cut in two at the end of a slice. */
const OVERLAP_CHARS = 64;

/** Returns how many characters apart the slices of a text of this length begin. */
export const sliceStep = (length: number, maxSlices: number): number => Math.max(SLICE_CHARS, Math.ceil(length / maxSlices));

/** Cuts a text into the slices that are searched one by one; all but the first also get the text's beginning, its `lead`. */
function slicesOf(text: string, lead: string, maxSlices: number): readonly string[] {
  const step = sliceStep(text.length, maxSlices);
  const slices: string[] = [];
  for (let from = 0; from === 0 || from < text.length; from += step) {
    const slice = text.slice(from, from + step + OVERLAP_CHARS);
    slices.push(from === 0 ? slice : `${lead}\n${slice}`);
  }
  return slices;
}

type IndexableText = { readonly text: string; readonly lead?: string; readonly about?: string };

/** Returns the terms of each slice of a text, and those terms of what it was made for that the first slice does not contain. */
export function termsIn(
  analyzer: TextAnalyzer,
  { text, lead = '', about = '' }: IndexableText,
): { readonly terms: readonly string[]; readonly about: string } {
  const [first = '', ...rest] = slicesOf(text, lead, MAX_SLICES);
  const [firstTerms = '', aboutTerms = ''] = analyzer.terms(first, about);
  return { terms: [firstTerms, ...rest.flatMap((slice) => analyzer.terms(slice))], about: aboutTerms };
}

/** Words of ours that filters ask for. They have a column of their own, so no text can contain them. */
export const marks = {
  group: (group: string): string => `g${group}`,
  session: (sessionId: string): string => `s${sessionId}`,
  kind: (kind: string): string => `k${kind}`,
  failed: 'failed',
  tool: (tool: string): string => `t${tool.toLowerCase().replace(/[^a-z0-9_-]/g, '_')}`,
};

type EntryProperties = { readonly kind: string; readonly tool: string; readonly failed: boolean };

/** Returns everything that filters can ask of an entry. */
export const marksOf = (source: { readonly grp: string; readonly session: string }, { kind, tool, failed }: EntryProperties): string =>
  [
    marks.group(source.grp),
    ...(source.session === '' ? [] : [marks.session(source.session)]),
    marks.kind(kind),
    ...(tool === '' ? [] : [marks.tool(tool)]),
    ...(failed ? [marks.failed] : []),
  ].join(' ');
