/**
 * The summary that needs no model: for the offline model, and for when no model answers or gives a usable one. It has the sections of a
 * model's that the ledger does not write, in the language of the conversation.
 *
 * Messages, the ledger and the earlier summary come in; a text comes out that keeps to its tokens. Its lines are quotations of what was
 * asked and said, and records of what was run and changed, chosen by worth.
 *
 * It understands nothing and says nothing that was not there. Total for any messages, linear in their length, and without a clock: the
 * same messages give the same summary.
 */

import { type Sense, sameSense, senseOf } from '../../domain/memory/memory-sense.ts';
import type { Message } from '../../domain/session/message.ts';
import { quotedBy, quoteRequest } from '../ledger/exchange/exchange-lines.ts';
import { callsIn, type Exchange, exchangesBefore, isRequest, onlyKept } from '../ledger/exchange/exchanges.ts';
import { type Undone, undoneIn } from '../ledger/files/undone.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { ToolCall } from '../ledger/types.ts';
import type { CountTokens } from '../measure/count.ts';
import { disputes } from '../sentence/asks.ts';
import { placeBindingFirst } from '../summary/carried/carried-line.ts';
import { type CarriedSummary, carriedSections, lastRequestIn, type SectionLines } from '../summary/carried/carried-summary.ts';
import { changeLines, mergeChanges } from '../summary/change-lines.ts';
import { chinese, english, type FitLine, type FitSection, fitSections, type SummaryWords } from '../summary/fit-sections.ts';
import { folderLines, isFolderLine, isReplaced, stateLines } from '../summary/state-lines.ts';
import { requiredSections, type SectionName, sectionNames } from '../summary/summary-check.ts';
import { isChinese } from '../text/sentences.ts';
import {
  boostMentioned,
  debugLines,
  noticeLines,
  overviewLines,
  type SummarySource,
  statusLines,
  summaryRoom,
  technicalLines,
} from './section-lines.ts';

export type RuleSummaryOptions = SummarySource & {
  /** What stays in the context after the summary: it shows whether the latest request is finished. */
  readonly kept?: readonly Message[] | undefined;
  readonly instructions?: string | undefined;
  readonly cwd?: string | undefined;
};

/** The share of the budget that the earlier summary can always have, so that new lines do not crowd it out. */
const CARRIED_SHARE = 0.45;

/** Carries the earlier summary on. At most `tokens`, and smaller than its source as far as the headings allow. */
export function ruleSummary(messages: readonly Message[], options: RuleSummaryOptions): string {
  const { earlier, count, instructions, kept = [] } = options;
  const tokens = summaryRoom(messages, options);
  const found = exchangesBefore(messages, kept);
  const words = wordsFor(found, earlier);
  const { exchanges, continued } = continueRequest(found, lastRequestIn(earlier ?? ''), words);
  const calls = toolCalls(messages, options.bodyOf);
  const undone = undoneIn(exchanges, calls);
  const newLines = newSectionLines(messages, exchanges, { ...options, words, calls, undone });
  const cost = (lines: readonly FitLine[]) => lines.reduce((sum, { text }) => sum + count(`${text}\n`), 0);
  const newCost = requiredSections.reduce((sum, name) => sum + cost(newLines[name] ?? []), 0);
  const carriedBudget = Math.max(Math.floor(tokens * CARRIED_SHARE), tokens - newCost - HEADINGS_TOKENS);
  const carried = carriedSections(earlier ?? '', {
    ...{ tokens: carriedBudget, count, words, ledger: options.ledger, calls, continued, undone: undone.before },
  });
  const sections = sectionNames.flatMap((name): readonly FitSection[] => {
    const own =
      name === 'Project Overview' || (name === 'Current Status' && exchanges.length === 1)
        ? withReplies(newLines[name] ?? [], carried.replies, continued)
        : (newLines[name] ?? []);
    const before = carriedBeside(carried.sections[name] ?? [], own);
    const together = name === 'Code Changes' ? mergeChanges(before, own, words) : withoutRepeats([...before, ...own]);
    const lines = together.map(boostMentioned(instructions));
    const section = {
      heading: `## ${name}`,
      lines,
      share: SHARES[name] ?? 0,
      ...leftOutNote(name, carried.leftOut, words),
    };
    if (requiredSections.includes(name)) return [{ ...section, none: words.none }];
    return lines.length === 0 ? [] : [section];
  });
  return fitSections(sections, { tokens, count }) || bareSummary(sections, tokens, count);
}

const COUNTED: readonly SectionName[] = ['Project Overview', 'Code Changes', 'Debugging & Issues'];

function leftOutNote(name: SectionName, leftOut: CarriedSummary['leftOut'], words: SummaryWords): Pick<FitSection, 'cut' | 'wasCut'> {
  if (!COUNTED.includes(name)) return {};
  const before = leftOut[name] ?? 0;
  const note = name === 'Project Overview' ? words.requestsLeftOut : words.linesLeftOut;
  return { cut: (_, heads) => (heads + before === 0 ? '' : note(heads + before)), wasCut: before > 0 };
}

/** A turn that an earlier compaction divided goes on with its request, whether or not that is among the messages. */
function continueRequest(
  exchanges: readonly Exchange[],
  last: ReturnType<typeof lastRequestIn>,
  words: SummaryWords,
): { readonly exchanges: readonly Exchange[]; readonly continued: string | undefined } {
  const [first, ...rest] = exchanges;
  if (first === undefined || last === undefined) return { exchanges, continued: undefined };
  const { request, isOpen } = last;
  if (first.request === '') return { exchanges: [{ ...first, request }, ...rest], continued: request };
  return { exchanges, continued: isOpen && quoteRequest(first.request, words) === request ? request : undefined };
}

function withReplies(lines: readonly FitLine[], replies: readonly FitLine[], continued: string | undefined): readonly FitLine[] {
  const at = continued === undefined ? -1 : lines.findIndex(({ text }) => text.startsWith('- ') && text.includes(`"${continued}"`));
  return at === -1 ? lines : [...lines.slice(0, at + 1), ...replies, ...lines.slice(at + 1)];
}

/** There is one working folder, one branch and one last commit: the newest. */
const carriedBeside = (carried: readonly FitLine[], own: readonly FitLine[]): readonly FitLine[] =>
  carried.filter(({ text }) => !isReplaced(text, own) && !isFolderLine(text));

/**
 * What was said again, in the same or in other words, stands once: a line, and a request with all that was answered to it. A line that
 * stands below several requests is left where nothing else tells what came of one.
 */
function withoutRepeats(lines: readonly FitLine[]): readonly FitLine[] {
  const isNew = saidFirst();
  const asksNew = saidFirst();
  return groupsOf(lines).flatMap(([head, ...parts]) => {
    if (head === undefined) return [];
    const quote = /: "(.*)"/.exec(head.text)?.[1];
    const isAgain = quote !== undefined && !asksNew(quote);
    const fresh = parts.filter(({ text }) => isNew(text));
    if (quote === undefined) return isNew(head.text) ? [head, ...fresh] : fresh;
    if (isAgain && fresh.length === 0) return [];
    return [head, ...(fresh.length === 0 ? parts.slice(-1) : fresh)];
  });
}

/** Each line with those that are indented below it. */
const groupsOf = (lines: readonly FitLine[]): readonly (readonly FitLine[])[] =>
  lines.reduce<FitLine[][]>((groups, line) => {
    const last = groups.at(-1);
    if (last === undefined || !line.text.startsWith('  ')) groups.push([line]);
    else last.push(line);
    return groups;
  }, []);

/** Returns a test that is false for a text that says what one before it said; of few words only the very same does. */
function saidFirst(): (text: string) => boolean {
  const seen = new Set<string>();
  const senses: Sense[] = [];
  return (text) => {
    const sense = senseOf(text);
    const isAgain = seen.has(text) || (sense.terms.length >= MIN_TERMS && senses.some((earlier) => sameSense(earlier, sense)));
    seen.add(text);
    senses.push(sense);
    return !isAgain;
  };
}

const MIN_TERMS = 4;

const HEADINGS_TOKENS = 80;

/** Each section's share of the budget; the worthiest lines of all sections share the rest. */
const SHARES: Readonly<Partial<Record<SectionName, number>>> = {
  'Technical Context': 0.03,
  'Project Overview': 0.25,
  'Code Changes': 0.04,
  'Debugging & Issues': 0.12,
  'Current Status': 0.1,
};

type SectionInput = RuleSummaryOptions & {
  readonly words: SummaryWords;
  readonly calls: readonly ToolCall[];
  readonly undone: Undone;
};

function newSectionLines(messages: readonly Message[], exchanges: readonly Exchange[], input: SectionInput): SectionLines {
  const { words, ledger, kept = [], calls, undone } = input;
  const after = onlyKept(kept, messages);
  const stateCalls = toolCalls([...messages, ...after], input.bodyOf);
  const problems = debugLines(messages, calls, stateCalls, words);
  const quoted = problems.flatMap(({ sentence }) => (sentence === undefined ? [] : [sentence]));
  const elsewhere = new Set([...quoted, ...ledger.decisions, ...(ledger.overruled ?? []), ...ledger.constraints, ...ledger.open]);
  const last = exchanges.length - 1;
  // Then the user went on to something else, and the last request of these messages is not the latest.
  const hasNewer = after.some(isRequest);
  const contextAt = (at: number) => ({
    words,
    elsewhere: new Set([...elsewhere, ...quotedBy(exchanges[at + 1])]),
    ...{ calls: callsIn(exchanges, at, calls), isUndone: undone.exchanges.has(at), overruled: ledger.overruled ?? [] },
    isDisputed: disputes(exchanges[at + 1]?.request ?? '', exchanges[at]?.replies.at(-1) ?? ''),
  });
  const counts = words.counts(
    exchanges.filter(({ request }) => request !== '').length,
    calls.length,
    calls.filter(({ failed }) => failed).length,
  );
  const judged = callsIn(exchangesBefore([...messages, ...after], []), last, stateCalls);
  const takenBack = new Set([...undone.exchanges].flatMap((at) => callsIn(exchanges, at, calls)));
  const standing = calls.filter((call) => !takenBack.has(call));
  return {
    'Technical Context': [
      ...noticeLines(messages, words),
      ...folderLines(stateCalls, words, input),
      ...technicalLines(messages, calls, words),
    ],
    'Project Overview': placeBindingFirst(overviewLines(exchanges, contextAt, input), { ...input, elsewhere }),
    'Code Changes': changeLines(standing, words),
    'Debugging & Issues': problems,
    'Current Status': [
      ...statusLines(exchanges[last], { ...contextAt(last), counts, hasNewer, judged }),
      ...stateLines(stateCalls, words, input.earlier),
    ],
  };
}

function wordsFor(exchanges: readonly Exchange[], earlier: string | undefined): SummaryWords {
  const requestText = exchanges.map((exchange) => exchange.request).join('\n');
  return isChinese(requestText.trim() === '' ? (earlier ?? '') : requestText) ? chinese : english;
}

function bareSummary(sections: readonly FitSection[], tokens: number, count: CountTokens): string {
  const lines = sections.flatMap((section) => section.lines).sort((a, b) => b.worth - a.worth);
  let text = '';
  for (const line of lines) {
    const longer = text === '' ? line.text : `${text}\n${line.text}`;
    if (count(longer) <= tokens) text = longer;
  }
  return text;
}
