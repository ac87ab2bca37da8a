import type { Ledger } from '../../domain/session/ledger.ts';
import { density } from '../ledger/exchange/exchanges.ts';
import { parseSuccess } from '../ledger/outcomes.ts';
import type { ToolCall } from '../ledger/types.ts';
import { chinese, english, type SummaryWords } from '../rules/rule-summary-words.ts';
import { constraintStrength, decisionStrength, statesOutcome } from '../text/cues.ts';
import { cutAt, oneLine, wordsFrom, wordsTo } from '../text/sentences.ts';
import { bindingSpans, keepSpans, placeBindingFirst } from './binding-requests.ts';
import { mendedNoteIn, mendedSince } from './failure-note.ts';
import { type FitLine, fitLines, type TokenBudget } from './fit-sections.ts';
import { isStateLine } from './state-lines.ts';
import { type SectionName, sectionNames, sectionsIn } from './summary-sections.ts';

const LINE_CHARS = 300;
/**
 * An older request is shortened in its middle, but for what it says is to hold: what it is about stands at its beginning, what it asks at
 * its end.
 */
const REQUEST_CHARS = { whole: 460, head: 280, tail: 140 };
const CODE_CHARS = 300;
/** A line of changes is bounded as it is made; cut, it would lose what is newest. */
const CHANGE_CHARS = 500;
/** Lines that were worth keeping once rank above new lines of the same kind, within their budget. */
const CARRIED_BONUS = 3;

export type SectionLines = Readonly<Partial<Record<SectionName, readonly FitLine[]>>>;

export type CarriedSummary = {
  readonly sections: SectionLines;
  /** What was said to the request that goes on. */
  readonly replies: readonly FitLine[];
  /** How many requests, failures and changes are no longer in it. */
  readonly leftOut: Readonly<Partial<Record<SectionName, number>>>;
};

export type CarryOptions = TokenBudget & {
  readonly words: SummaryWords;
  readonly ledger: Ledger;
  /** The calls since. */
  readonly calls: readonly ToolCall[];
  /** The request that goes on in the messages after, as the summary quotes it. It is recorded there and not twice. */
  readonly continued: string | undefined;
  /** For each request that was undone since, the commit where it is known; else it is the newest. */
  readonly undone: readonly (string | undefined)[];
};

/**
 * Returns the lines of the earlier summary to carry into the next one, at most `tokens`; the densest are kept first. The earlier current
 * status becomes history; figures that are stated anew are left out. A summary without sections is carried as an overview.
 */
export function carriedSections(earlier: string, { tokens, count, words, ledger, calls, continued, undone }: CarryOptions): CarriedSummary {
  const sections = sectionsIn(earlier);
  const sourceSections = sectionNames.some((name) => sections[name] !== undefined) ? sections : { 'Project Overview': earlier };
  const inLedger = new Set([...ledger.constraints, ...ledger.decisions, ...ledger.open]);
  const linesOf = (items: readonly string[], name: SectionName): readonly string[] =>
    items.flatMap((item) => carryLine(item, name, words)).filter((line) => !inLedger.has(line.replace(/^- "?|"$/g, '')));
  const statusItems = itemsOf(sourceSections['Current Status'] ?? '');
  const state = statusItems.filter(isStateLine);
  const status = dividedStatus(
    statusItems.filter((item) => !isStateLine(item)),
    continued,
  );
  const lines = sectionNames.map((name) => {
    const own = name === 'Current Status' ? state : linesOf(itemsOf(sourceSections[name] ?? ''), name);
    if (name === 'Project Overview') {
      const rated = rateLines(markUndone([...own, ...linesOf(status.past, 'Current Status')], undone, words), name);
      return placeBindingFirst(rated, { tokens, count, words, elsewhere: inLedger });
    }
    return rateLines(name === 'Debugging & Issues' ? own.map(restate({ ledger, calls, words })) : own, name);
  });
  const fitted = lines.map((section, at) => ({ heading: '', lines: section, share: SHARES[at] ?? 0 }));
  const replies = rateLines(linesOf(status.replies, 'Current Status'), 'Current Status');
  const kept = fitLines([...fitted, { heading: '', lines: replies, share: 0.1 }], { tokens, count });
  return {
    sections: Object.fromEntries(sectionNames.map((name, at) => [name, kept[at] ?? []])),
    replies: kept.at(-1) ?? [],
    leftOut: Object.fromEntries(
      sectionNames.map((name, at) => {
        const entriesIn = name === 'Project Overview' ? requestsIn : headsIn;
        return [name, leftOutIn(sourceSections[name] ?? '') + entriesIn(lines[at] ?? []) - entriesIn(kept[at] ?? [])];
      }),
    ),
  };
}

/** The newest request of the summary, as it quotes it: what comes after without a request goes on with it. */
export function lastRequestIn(earlier: string): { readonly request: string; readonly isOpen: boolean } | undefined {
  for (const item of itemsOf(sectionsIn(earlier)['Current Status'] ?? '')) {
    const request = requestOf(item);
    if (request !== undefined) return { request, isOpen: OPEN_REQUEST.test(item) };
  }
  return undefined;
}

/** The request of a line of the status, without its quotation marks. */
const requestOf = (item: string): string | undefined => STATUS_REQUEST.exec(item.replace(/^- /, ''))?.[1]?.slice(1, -1);

/** Takes out the request that goes on, and sets what was said to it apart. */
function dividedStatus(
  items: readonly string[],
  continued: string | undefined,
): { readonly past: readonly string[]; readonly replies: readonly string[] } {
  const at = continued === undefined ? -1 : items.findIndex((item) => requestOf(item) === continued);
  if (at === -1) return { past: items, replies: [] };
  const end = items.findIndex((item, index) => index > at && !item.startsWith('  '));
  const until = end === -1 ? items.length : end;
  return { past: [...items.slice(0, at), ...items.slice(until)], replies: items.slice(at + 1, until) };
}

const requestsIn = (lines: readonly FitLine[]): number => lines.filter(({ text }) => text.startsWith('- ') && text.includes(': "')).length;

const headsIn = (lines: readonly FitLine[]): number => lines.filter(({ text }) => !text.startsWith('  ')).length;

const leftOutIn = (section: string): number =>
  Number(
    /^\((\d{1,6}) more(?: requests?)?, left out for room|^（另有 (\d{1,6}) 条(?:请求)?因篇幅略去/m
      .exec(section)
      ?.slice(1)
      .find((figure) => figure !== undefined) ?? 0,
  );

/** Marks the request whose lines name the commit, or else the newest that was done. */
function markUndone(lines: readonly string[], undone: readonly (string | undefined)[], words: SummaryWords): readonly string[] {
  return undone.reduce<readonly string[]>((marked, hash) => {
    const from = hash === undefined ? marked.length - 1 : marked.findIndex((line) => line.includes(hash));
    const at = marked.findLastIndex((line, place) => place <= from && line.startsWith('- '));
    const done = LANGUAGES.map((language) => `- ${language.done}: "`);
    const head = hash === undefined ? marked.findLastIndex((line) => done.some((mark) => line.startsWith(mark))) : at;
    const mark = done.find((each) => marked[head]?.startsWith(each));
    return mark === undefined ? marked : marked.with(head, `- ${words.undone}: "${marked[head]?.slice(mark.length)}`);
  }, lines);
}

const SHARES: readonly number[] = [0.05, 0.25, 0.1, 0.1, 0.04, 0.05, 0.1, 0.15];

/** Says of a failure how it stands by now: what failed then may have worked since, and what had worked may fail again. */
function restate({ ledger, calls, words }: Pick<CarryOptions, 'ledger' | 'calls' | 'words'>): (line: string) => string {
  const names = (line: string, error: string): boolean => error !== '' && line.includes(error.slice(0, 80));
  return (line) => {
    const mended = mendedNoteIn(line);
    const note = mended ?? NOTES.find((each) => line.includes(each));
    if (note === undefined && !line.startsWith('- `')) return line;
    const fails = ledger.failedCommands.some(({ error }) => names(line, error));
    const worked = ledger.done.some((text) =>
      parseSuccess(text)?.after.some((cause) => names(line, cause.replace(/^`[^`]{1,100}`: /, ''))),
    );
    if (note === undefined) return worked && !fails ? `${line}${mendedSince(line, calls, words)}` : line;
    const hadWorked = mended !== undefined || note === ` (${words.failureStates.worked})`;
    const told = (now: string): string => line.replace(note, () => now);
    if (fails) return hadWorked ? told(` (${words.failureStates.fails})`) : line;
    return hadWorked ? line : told(worked ? mendedSince(line, calls, words) : '');
  };
}

/** Returns the lines that are not blank; a fenced block is one item, closed again where it is cut. */
function itemsOf(section: string): readonly string[] {
  const items: string[] = [];
  let block: string[] | undefined;
  for (const line of section.split('\n').slice(0, MAX_ITEMS)) {
    if (line.trimStart().startsWith('```')) {
      if (block === undefined) block = [line];
      else {
        items.push(closeFence(block));
        block = undefined;
      }
    } else if (block !== undefined) block.push(line);
    else if (line.trim() !== '') items.push(line.trimEnd());
  }
  return block === undefined ? items : [...items, closeFence(block)];
}

const closeFence = (lines: readonly string[]): string => `${cutAt(lines.join('\n'), CODE_CHARS)}\n\`\`\``;

const LANGUAGES = [english, chinese];
/** The last ones are of summaries made before: what they say was often not so. */
const NOTES = LANGUAGES.flatMap(({ failureStates }) => Object.values(failureStates))
  .concat('not tried again', '之后未再尝试')
  .map((state) => ` (${state})`);
const NONE_LINES = new Set(LANGUAGES.map(({ none }) => none));
/** What is counted anew each time, and what summaries of older versions said of their ledger, their tools and past refusals. */
const STALE_LABELS = LANGUAGES.flatMap(({ tools, programs, counts, before }) => [
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
const REQUEST_LABELS = LANGUAGES.flatMap(({ lastRequest, earlierRequest }) => [lastRequest, earlierRequest]).concat(
  'Last request before the newest',
  '最新请求之前的请求',
);
/** A request as the status has it: what became of it stands behind it. */
const STATUS_REQUEST = new RegExp(`^(?:${REQUEST_LABELS.join('|')})(?: \\(\\d{4}-\\d\\d-\\d\\d\\))?: (".*") \\(([^()]{2,60})\\)$`);
const OPEN_REQUEST = new RegExp(
  `^- (?:${REQUEST_LABELS.join('|')})(?: \\(\\d{4}-\\d\\d-\\d\\d\\))?: ".*" \\((?:${LANGUAGES.map(({ unfinished }) => unfinished).join('|')})\\)$`,
);
/** More lines than any summary has, ours or a model's. */
const MAX_ITEMS = 2_000;

/** What was asked then is answered, or past. */
const ASKS = /[?？]["'”’)*]*$/;

/** Returns one line as it is carried on, or nothing when it is stale. */
function carryLine(item: string, from: SectionName, words: SummaryWords): readonly string[] {
  if (item.includes('\n')) return [item];
  const indent = item.startsWith('  ') ? '  ' : '';
  const line = `${indent}${item.includes(': "') ? shortRequest(oneLine(item, 4_000), words) : oneLine(item, from === 'Code Changes' ? CHANGE_CHARS : LINE_CHARS)}`;
  const content = line.replace(/^\s*[-*] /, '');
  if (NONE_LINES.has(content) || STALE_LABELS.some((label) => content.startsWith(label)) || leftOutIn(content) > 0) return [];
  const [, request, state] = STATUS_REQUEST.exec(content) ?? [];
  if (request !== undefined) return [`- ${state}: ${request}`];
  if (from === 'Current Status' && indent !== '' && ASKS.test(content)) return [];
  if (from === 'Current Status') return [indent === '' ? labelLine(line, content, words) : line];
  if (from === 'Pending Tasks') return ASKS.test(content) ? [] : [labelLine(line, content, words)];
  return [line];
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

function rateLines(lines: readonly string[], section: SectionName): readonly FitLine[] {
  const bonus = section === 'Key Decisions' || section === 'User Preferences' ? 2 : section === 'Debugging & Issues' ? 1 : 0;
  return lines.map((text, at) => {
    const cue = (constraintStrength(text) >= 2 ? 1 : 0) + (decisionStrength(text) === 2 ? 1 : 0) + (statesOutcome(text) ? 0.5 : 0);
    const request = text.startsWith('- ') && text.includes(': "') ? 1 : 0;
    return { text, worth: CARRIED_BONUS + 2 + bonus + cue + request + density(text) + at / (2 * lines.length) };
  });
}
