import { type FailureState, stateSince } from '../../ledger/outcomes.ts';
import type { ToolCall } from '../../ledger/types.ts';
import { restatesDecision } from '../../rules/supersede.ts';
import { isBinding, judge } from '../../sentence/judge.ts';
import { cutAt, oneLine, quoteLine, splitSentences, wordsFrom, wordsTo } from '../../text/sentences.ts';
import { type FitLine, type SummaryWords, summaryLanguages, type TokenBudget } from '../fit-sections.ts';
import type { SectionName } from '../summary-check.ts';

type Span = { readonly from: number; readonly to: number };

/** What a request that binds is worth more than others: none of these is left out for one that is done with. */
const BINDING_BONUS = 2;
const WHOLE_SHARE = 0.4;
/** What is shown of the beginning of a shortened request: what it is about. */
const TOPIC_CHARS = 60;
/** A smaller gap is not worth its mark. */
const MIN_GAP_CHARS = 48;
const MAX_BINDING_CHARS = 500;

const QUOTED_REQUEST = /^(- [^"]{2,80}: ")(.*)(")$/;

/** Returns where the text says what is to hold, what to avoid or what was chosen; the last of these, where they are too long together. */
function bindingSpans(text: string, elsewhere: ReadonlySet<string> = new Set()): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const sentence of splitSentences(text)) {
    const at = text.indexOf(sentence, from);
    if (at === -1) continue;
    from = at + sentence.length;
    if (!elsewhere.has(sentence) && isBinding(judge(sentence))) spans.push({ from: at, to: from });
  }
  let room = MAX_BINDING_CHARS;
  return spans
    .toReversed()
    .filter((span) => {
      room -= span.to - span.from;
      return room >= 0;
    })
    .toReversed();
}

/** Returns the text without what lies between the spans, each gap with its mark. */
export function keepSpans(text: string, spans: readonly Span[], words: SummaryWords): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of [...spans, { from: text.length, to: text.length }].toSorted((a, b) => a.from - b.from)) {
    const gap = text.slice(end, span.from);
    if (gap.length >= MIN_GAP_CHARS) parts.push(words.leftOut(gap.trim().length));
    else if (gap.trim() !== '') parts.push(gap.trim());
    if (span.to > end) parts.push(text.slice(Math.max(end, span.from), span.to).trim());
    end = Math.max(end, span.to);
  }
  return parts.filter((part) => part !== '').join(' ');
}

/** Puts requests that bind first, and shortens the oldest to what they say is to hold where all would take too much room whole. */
export function placeBindingFirst(
  lines: readonly FitLine[],
  { tokens, count, words, elsewhere }: TokenBudget & { readonly words: SummaryWords; readonly elsewhere: ReadonlySet<string> },
): readonly FitLine[] {
  const found = lines.map(({ text }) => {
    const [, label = '', quoted = '', end = ''] = QUOTED_REQUEST.exec(text) ?? [];
    const spans = bindingSpans(quoted, elsewhere);
    return spans.length === 0 ? undefined : { label, quoted, end, spans };
  });
  let excess = lines.reduce((sum, { text }, at) => sum + (found[at] === undefined ? 0 : count(`${text}\n`)), 0) - tokens * WHOLE_SHARE;
  return lines.map((line, at) => {
    const request = found[at];
    if (request === undefined) return line;
    const worth = line.worth + BINDING_BONUS;
    if (excess <= 0) return { text: line.text, worth };
    const topic = cutAt(request.quoted, TOPIC_CHARS).replace(/\s\S{0,59}$/, '').length;
    const text = `${request.label}${keepSpans(request.quoted, [{ from: 0, to: topic }, ...request.spans], words)}${request.end}`;
    if (text.length >= line.text.length) return { text: line.text, worth };
    excess -= count(`${line.text}\n`) - count(`${text}\n`);
    return { text, worth };
  });
}

const LINE_CHARS = 300;
/** An older request is shortened in its middle, but for what it says is to hold. */
const REQUEST_CHARS = { whole: 460, head: 280, tail: 140 };
/** A line of changes is bounded as it is made; cut, it would lose what is newest. */
const CHANGE_CHARS = 500;

const NONE_LINES = new Set(summaryLanguages.map(({ none }) => none));
/** What is counted anew each time, and what summaries of older versions said of their ledger, their tools and past refusals. */
const STALE_LABELS = summaryLanguages.flatMap(({ tools, programs, counts, before }) => [
  `${tools}: `,
  `${programs}: `,
  counts(0, 0, 0).slice(0, 8),
  'Kinds of files changed: ',
  '改动的文件类型: ',
  'Code shown',
  '给出的代码',
  'Standing constraints of the user, word for word',
  '用户的长期约束，原文见',
  'Not allowed when it was tried: ',
  `${before}: Not allowed when it was tried: `,
]);
const REQUEST_LABELS = summaryLanguages
  .flatMap(({ lastRequest, earlierRequest }) => [lastRequest, earlierRequest])
  .concat('Last request before the newest', '最新请求之前的请求');
const LABEL = `(?:${REQUEST_LABELS.join('|')})(?: \\(\\d{4}-\\d\\d-\\d\\d\\))?`;
/** A request as the status has it: what became of it stands behind it. */
export const STATUS_REQUEST = new RegExp(`^${LABEL}: (".*") \\(([^()]{2,60})\\)$`);
export const OPEN_REQUEST = new RegExp(`^- ${LABEL}: ".*" \\((?:${summaryLanguages.map(({ unfinished }) => unfinished).join('|')})\\)$`);

/** What was asked then is answered, or past. */
const ASKS = /[?？]["'”’)*]*$/;

export function carryLine(item: string, from: SectionName, words: SummaryWords): readonly string[] {
  if (item.includes('\n')) return [item];
  const indent = item.startsWith('  ') ? '  ' : '';
  const line = `${indent}${item.includes(': "') ? shortRequest(oneLine(item, 4_000), words) : shorten(item, from)}`;
  const content = line.replace(/^\s*[-*] /, '');
  if (NONE_LINES.has(content) || STALE_LABELS.some((label) => content.startsWith(label)) || leftOutIn(content) > 0) return [];
  const [, request, state] = STATUS_REQUEST.exec(content) ?? [];
  if (request !== undefined) return [`- ${state}: ${request}`];
  if (from === 'Current Status' && indent !== '' && ASKS.test(content)) return [];
  if (from === 'Current Status') return [indent === '' ? labelLine(line, content, words) : line];
  if (from === 'Pending Tasks') return ASKS.test(content) ? [] : [labelLine(line, content, words)];
  return [line];
}

/** Takes out what was decided and no longer holds; a request stays, and is marked. */
export function withoutOverruled(line: string, overruled: readonly string[], words: SummaryWords): readonly string[] {
  if (overruled.length === 0) return [line];
  const request = /^- [^:"]{1,60}: "([\s\S]*)"$/.exec(line)?.[1];
  if (request !== undefined) return [restatesDecision(request, overruled) ? `- ${words.overruled}: "${request}"` : line];
  const decision = overruled.find((text) => line.includes(text));
  if (decision === undefined) return [line];
  const rest = line.replace(decision, () => ' ').replace(/[ \t]{2,}/g, ' ');
  return /[\p{L}\d]{3}.*[\p{L}\d]{3}/u.test(rest) ? [line.startsWith('  ') ? ` ${rest}` : rest] : [];
}

/** What became of a failure stands behind it, and is never cut. */
function shorten(item: string, from: SectionName): string {
  if (from === 'Code Changes') return oneLine(item, CHANGE_CHARS);
  const note = from === 'Debugging & Issues' && item.length > LINE_CHARS ? failureNoteIn(item) : undefined;
  if (note === undefined) return oneLine(item, LINE_CHARS);
  return `${oneLine(item.slice(0, item.indexOf(note)), Math.max(LINE_CHARS / 2, LINE_CHARS - note.length))}${note}`;
}

function shortRequest(line: string, words: SummaryWords): string {
  if (line.length <= REQUEST_CHARS.whole) return line;
  const [head, tail] = [wordsFrom(line, REQUEST_CHARS.head), wordsTo(line, REQUEST_CHARS.tail)];
  const ends = [
    { from: 0, to: head.length },
    { from: line.length - tail.length, to: line.length },
  ];
  return keepSpans(line, [...ends, ...bindingSpans(line)], words);
}

const labelLine = (line: string, content: string, { before, result }: SummaryWords): string =>
  content.startsWith(before) || content.trimStart().startsWith(result) ? line : `- ${before}: ${content}`;

export const leftOutIn = (section: string): number =>
  Number(
    /^\((\d{1,6}) more(?: requests?)?, left out for room|^（另有 (\d{1,6}) 条(?:请求)?因篇幅略去/m
      .exec(section)
      ?.slice(1)
      .find((figure) => figure !== undefined) ?? 0,
  );

const MAX_FILES = 3;

/** How a failure stands, behind its line; with the newest of the files that were edited until it worked. */
export function failureNote({ state, edited }: FailureState, { failureStates, workedAfter }: SummaryWords): string {
  if (state === undefined) return '';
  const names = edited.slice(-MAX_FILES).map((path) => path.split('/').at(-1) ?? path);
  const files = [...(edited.length > MAX_FILES ? ['…'] : []), ...names].join(', ');
  return ` (${state === 'worked' && names.length > 0 ? workedAfter(quoteLine(files, 160)) : failureStates[state]})`;
}

/** Says of a failure in an earlier summary that it worked in these calls, and after which edits. */
export function mendedSince(line: string, calls: readonly ToolCall[], words: SummaryWords): string {
  const command = /^- `(.{1,120}?)`: /.exec(line)?.[1];
  const since =
    command === undefined ? undefined : stateSince(calls, { command, title: command, kind: 'run', paths: [], error: undefined });
  return failureNote(since?.state === 'worked' ? since : { state: 'worked', edited: [] }, words);
}

const MENDED = summaryLanguages.map(({ workedAfter }) => ` (${workedAfter('')}`);

/** The last ones are of summaries made before: what they say was often not so. */
const NOTES = summaryLanguages
  .flatMap(({ failureStates }) => Object.values(failureStates))
  .concat('not tried again', '之后未再尝试')
  .map((state) => ` (${state})`);

export const failureNoteIn = (line: string): string | undefined => mendedNoteIn(line) ?? NOTES.find((note) => line.includes(note));

export function mendedNoteIn(line: string): string | undefined {
  const at = Math.max(...MENDED.map((mark) => line.indexOf(mark)));
  const end = at === -1 ? null : /\)(?= (?:->|→) |$)/.exec(line.slice(at));
  // A line that was cut inside its note.
  if (end === null) return at !== -1 && line.endsWith('…') ? line.slice(at) : undefined;
  return line.slice(at, at + end.index + 1);
}
