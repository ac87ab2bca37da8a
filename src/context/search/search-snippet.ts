import type { HighlightRange, RecallKind, Snippet, TermGroup } from '../../domain/recall.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, resultText, type ToolUseBlock, textOf } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { errorLine, isFailure } from '../ledger/error-line.ts';
import { mayState, statesChoice } from '../sentence/judge.ts';
import { sentencesOf } from '../text/sentences.ts';
import { scanTerms } from './search-terms.ts';
import { stemOf } from './stem.ts';

/** At most so much of a hit is shown: a look-up brings back what is within it. */
export const HIT_CHARS = 1_000;
const CONTEXT_CHARS = 160;
const CALL_CHARS = 160;
/** A text that leaves so much is shown between its neighbours. */
const LEAST_NEIGHBOUR_CHARS = 120;
/** Enough to choose a place from; a text that only repeats the searched word has many more. */
const MAX_MATCHES = 5_000;

export type SnippetSource = {
  readonly text: string;
  /** The part that was found; the whole text when left out. */
  readonly slice?: { readonly start: number; readonly end: number } | undefined;
  /** The beginning of the call whose result this is; empty for what was said. */
  readonly call?: string;
  readonly anchor?: number | undefined;
};

/** What stands before and after a text in its session; asked for only where there is room. */
export type ReadNeighbours = () => { readonly before: string; readonly after: string };

/** The place where most of the searched words are close together, or the beginning of the part; a short text with its neighbours. */
export function snippetOf(source: SnippetSource, groups: readonly TermGroup[], neighbours?: ReadNeighbours) {
  const { text, call = '' } = source;
  const { start: from, end: to } = source.slice ?? { start: 0, end: text.length };
  const matches = matchesIn(text.slice(from, to), groups).map((match) => ({ ...match, start: match.start + from, end: match.end + from }));
  const sought = source.anchor ?? (matches.length === 0 ? from : bestStart(matches));
  const isBehindCall = call !== '' && sought - CONTEXT_CHARS > call.length;
  const heading = isBehindCall ? `${oneLine(call.slice(0, CALL_CHARS))} …\n` : '';
  const room = HIT_CHARS - heading.length - 2;
  const start = text.length <= room ? 0 : startOf(text, Math.min(sought, text.length - room + CONTEXT_CHARS));
  const end = endOf(text, start + room);
  const inside = matches.filter((match) => match.start >= start && match.end <= end);
  const body = toLines(text, [start, end], mergeMarks(inside));
  const rest = room - body.text.length;
  const beside = neighbours !== undefined && text.length <= room && rest >= LEAST_NEIGHBOUR_CHARS ? neighbours() : NO_NEIGHBOURS;
  return { snippet: between(heading, body, edgesOf(beside, rest)), start };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const NO_NEIGHBOURS = { before: '', after: '' };
const BEFORE_LABEL = 'before it: ';
const AFTER_LABEL = 'after it: ';

/** Two fifths for what came before, the rest for what followed, each on one line. */
function edgesOf({ before, after }: ReturnType<ReadNeighbours>, room: number): readonly [before: string, after: string] {
  const chars = room - BEFORE_LABEL.length - AFTER_LABEL.length - 4;
  const beforeRoom = after === '' ? chars : Math.floor(chars * 0.4);
  const end = before === '' ? '' : oneLine(before.slice(-Math.max(0, beforeRoom)).toWellFormed());
  const begin = after === '' ? '' : oneLine(after.slice(0, Math.max(0, chars - end.length)).toWellFormed());
  const isCut = end.length < oneLine(before.slice(-HIT_CHARS)).length;
  return [
    end === '' ? '' : `${BEFORE_LABEL}${isCut ? '…' : ''}${end}\n`,
    begin === '' ? '' : `\n${AFTER_LABEL}${begin}${after.length > chars ? '…' : ''}`,
  ];
}

function between(heading: string, body: Snippet, [before, after]: readonly [string, string]): Snippet {
  const shift = heading.length + before.length;
  return { text: `${heading}${before}${body.text}${after}`, marks: body.marks.map(([from, to]) => [from + shift, to + shift]) };
}

type Match = { readonly start: number; readonly end: number; readonly term: string };

function matchesIn(text: string, groups: readonly TermGroup[]): readonly Match[] {
  const terms = groups.flatMap(({ any }) => any.flat());
  const exact = new Set(terms.filter(({ prefix }) => !prefix).map((term) => term.text));
  const prefixes = terms.filter(({ prefix }) => prefix).map((term) => term.text);
  const matches: Match[] = [];
  scanTerms(text, (word, start, end) => {
    if (matches.length >= MAX_MATCHES) return;
    const term = stemOf(word);
    const prefixText = prefixes.find((each) => word.startsWith(each));
    if (exact.has(term)) matches.push({ start, end, term });
    else if (prefixText !== undefined) matches.push({ start, end: Math.min(end, start + prefixText.length), term: prefixText });
  });
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

function bestStart(matches: readonly Match[]): number {
  let best = { start: matches[0]?.start ?? 0, terms: 0 };
  const termCounts = new Map<string, number>();
  let last = 0;
  for (const { start, term } of matches) {
    for (let next = matches[last]; next !== undefined && next.end <= start + HIT_CHARS - 2 * CONTEXT_CHARS; next = matches[++last])
      termCounts.set(next.term, (termCounts.get(next.term) ?? 0) + 1);
    if (termCounts.size > best.terms) best = { start, terms: termCounts.size };
    const remaining = (termCounts.get(term) ?? 1) - 1;
    if (remaining <= 0) termCounts.delete(term);
    else termCounts.set(term, remaining);
  }
  return best.start;
}

/** Returns a position a little before the match, at the start of a word where there is one. */
function startOf(text: string, at: number): number {
  const from = Math.max(0, at - CONTEXT_CHARS);
  if (from === 0) return 0;
  const blank = text.slice(from, at).search(/\s/);
  return blank >= 0 ? from + blank + 1 : from + (isLowHalf(text, from) ? 1 : 0);
}

const endOf = (text: string, end: number): number => (end >= text.length ? text.length : end - (isLowHalf(text, end) ? 1 : 0));
const isLowHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '');

function mergeMarks(matches: readonly Match[]): readonly HighlightRange[] {
  const marks: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = marks.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  return marks;
}

/** Lines stay lines, since code is read by them; blanks at their ends and empty lines go. */
function toLines(text: string, [start, end]: HighlightRange, marks: readonly HighlightRange[]): Snippet {
  let shown = start > 0 ? '…' : '';
  const shownMarks: HighlightRange[] = [];
  let at = start;
  const append = (to: number): void => {
    const piece = text.slice(at, to).replace(/\r\n?/g, '\n');
    const lines = piece
      .replace(/(\S)[^\S\n]{2,}/g, '$1 ')
      .replaceAll('\t', ' ')
      .split('\n');
    for (const [i, line] of lines.entries()) {
      if (i > 0) shown = shown.trimEnd() === '' ? '' : `${shown.trimEnd()}\n`;
      shown += line;
    }
    at = to;
  };
  for (const [from, to] of marks) {
    append(from);
    const markStart = shown.length;
    append(to);
    shownMarks.push([markStart, shown.length]);
  }
  append(end);
  return { text: `${shown.trimEnd()}${end < text.length ? '…' : ''}`, marks: shownMarks };
}

/** The tool whose own calls and results are not searched: they only repeat what was found. */
export const RECALL_TOOL = 'recall';

const kinds: Readonly<Partial<Record<Message['origin'], RecallKind>>> = { user: 'user', model: 'assistant', summary: 'summary' };

export function messageDocument(message: Message): { readonly kind: RecallKind; readonly text: string } | undefined {
  const text = textOf(message.content);
  return text.trim() === '' ? undefined : { kind: kinds[message.origin] ?? 'notice', text };
}

export function decisionAt(text: string): number | undefined {
  const start = text.slice(0, MAX_DECISION_TEXT);
  // Most texts have none of the words of a decision, and need not be cut into sentences.
  const sentence = mayState(start) ? sentencesOf(start).find((each) => mayState(each) && statesChoice(each)) : undefined;
  return sentence === undefined ? undefined : Math.max(0, text.indexOf(sentence.slice(0, ANCHOR_CHARS)));
}

/** Returns where in the text of a failed call its error stands; undefined when that is not one line. */
export function errorAt({ text, lead }: { readonly text: string; readonly lead: string }): number | undefined {
  const [line = ''] = errorLine(text.slice(lead.length)).split(' | ');
  const at = line === '' ? -1 : text.indexOf(line.slice(0, ANCHOR_CHARS), lead.length);
  return at < 0 ? undefined : at;
}

const MAX_DECISION_TEXT = 20_000;
const ANCHOR_CHARS = 24;

const OPENING_CHARS = 600;

export function callText(call: Pick<ToolUseBlock, 'name' | 'input'>, result: CallResult | undefined) {
  const invocation = invocationText(call);
  return {
    text: result === undefined ? invocation : `${invocation}\n\n${result.text}`,
    /** The beginning of the call, by which every part of a long text is found too. */
    lead: invocation.slice(0, OPENING_CHARS),
    failed: result !== undefined && isFailure(result.text, { isError: result.isError, command: commandIn(call.input) }),
  };
}

export type CallResult = { readonly text: string; readonly isError: boolean };

export function searchableTexts(messages: readonly Message[]): ReadonlySet<string> {
  const blocks = messages.flatMap(({ content }) => content);
  const results = new Map<string, CallResult>();
  for (const block of blocks)
    if (isToolResult(block)) results.set(block.tool_use_id, { text: resultText(block), isError: block.is_error === true });
  const calls = blocks.filter(isToolUse).map(calledTool);
  return new Set([
    ...messages.flatMap((message) => messageDocument(message)?.text ?? []),
    ...calls.map((call) => callText(call, results.get(call.id)).text),
  ]);
}

/** Returns the tool's name, then a string input as it is, or any other input with one line per argument; strings verbatim. */
function invocationText({ name, input }: Pick<ToolUseBlock, 'name' | 'input'>): string {
  if (typeof input === 'string') return `${name}\n${input}`;
  if (typeof input !== 'object' || input === null) return name;
  const lines = Object.entries(input).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`);
  return [name, ...lines].join('\n');
}

/** Only the result of a command ends with an exit status that says whether it failed. */
function commandIn(input: unknown): string | undefined {
  const { command, cmd, script } = isObject(input) ? input : {};
  const called = command ?? cmd ?? script;
  return Array.isArray(called) ? called.join(' ') : isString(called) ? called : undefined;
}
