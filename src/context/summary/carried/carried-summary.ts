import type { Ledger } from '../../../domain/session/ledger.ts';
import { density } from '../../ledger/exchange/exchanges.ts';
import { parseSuccess } from '../../ledger/outcomes.ts';
import type { ToolCall } from '../../ledger/types.ts';
import { isBinding, isSettled, judge } from '../../sentence/judge.ts';
import { statesOutcome } from '../../sentence/work.ts';
import { cutAt } from '../../text/sentences.ts';
import { type FitLine, fitLines, type SummaryWords, summaryLanguages, type TokenBudget } from '../fit-sections.ts';
import { isStateLine } from '../state-lines.ts';
import { type SectionName, sectionNames, sectionsIn } from '../summary-check.ts';
import {
  carryLine,
  failureNoteIn,
  leftOutIn,
  mendedNoteIn,
  mendedSince,
  OPEN_REQUEST,
  placeBindingFirst,
  STATUS_REQUEST,
  withoutOverruled,
} from './carried-line.ts';

const CODE_CHARS = 300;
/** Lines that were worth keeping once rank above new lines of the same kind, within their budget. */
const CARRIED_BONUS = 3;

export type SectionLines = Readonly<Partial<Record<SectionName, readonly FitLine[]>>>;

export type CarriedSummary = ReturnType<typeof carriedSections>;

type CarryOptions = TokenBudget & {
  readonly words: SummaryWords;
  readonly ledger: Ledger;
  readonly calls: readonly ToolCall[];
  /** The request that goes on in the messages after, as the summary quotes it. It is recorded there and not twice. */
  readonly continued: string | undefined;
  /** For each request that was undone since, the commit where it is known; else it is the newest. */
  readonly undone: readonly (string | undefined)[];
};

/** The lines of the earlier summary for the next, the densest first. Without sections, all of it is carried as an overview. */
export function carriedSections(earlier: string, { tokens, count, words, ledger, calls, continued, undone }: CarryOptions) {
  const sections = sectionsIn(earlier);
  const sourceSections = sectionNames.some((name) => sections[name] !== undefined) ? sections : { 'Project Overview': earlier };
  const inLedger = new Set([...ledger.constraints, ...ledger.decisions, ...ledger.open]);
  const linesOf = (items: readonly string[], name: SectionName): readonly string[] =>
    items
      .flatMap((item) => carryLine(item, name, words))
      .flatMap((line) => withoutOverruled(line, ledger.overruled ?? [], words))
      .filter((line) => !inLedger.has(line.replace(/^- "?|"$/g, '')));
  const statusItems = itemsOf(sourceSections['Current Status'] ?? '');
  const state = statusItems.filter(isStateLine);
  const requests = statusItems.filter((item) => !isStateLine(item));
  const status = dividedStatus(requests, continued);
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
  const sectionsOf: SectionLines = Object.fromEntries(sectionNames.map((name, at) => [name, kept[at] ?? []]));
  return {
    sections: sectionsOf,
    replies: kept.at(-1) ?? [],
    /** How many requests, failures and changes are no longer in it. */
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

const requestOf = (item: string): string | undefined => STATUS_REQUEST.exec(item.replace(/^- /, ''))?.[1]?.slice(1, -1);

function dividedStatus(items: readonly string[], continued: string | undefined) {
  const at = continued === undefined ? -1 : items.findIndex((item) => requestOf(item) === continued);
  if (at === -1) return { past: items, replies: [] };
  const end = items.findIndex((item, index) => index > at && !item.startsWith('  '));
  const until = end === -1 ? items.length : end;
  return { past: [...items.slice(0, at), ...items.slice(until)], replies: items.slice(at + 1, until) };
}

const requestsIn = (lines: readonly FitLine[]): number => lines.filter(({ text }) => text.startsWith('- ') && text.includes(': "')).length;

const headsIn = (lines: readonly FitLine[]): number => lines.filter(({ text }) => !text.startsWith('  ')).length;

/** Marks the request whose lines name the commit, or else the newest that was done. */
function markUndone(lines: readonly string[], undone: readonly (string | undefined)[], words: SummaryWords): readonly string[] {
  const done = summaryLanguages.flatMap(({ done: worked, checkFailed, partly, brokenOff }) =>
    [worked, checkFailed, partly, brokenOff].map((state) => `- ${state}: "`),
  );
  return undone.reduce<readonly string[]>((marked, hash) => {
    const from = hash === undefined ? marked.length - 1 : marked.findIndex((line) => line.includes(hash));
    const at = marked.findLastIndex((line, place) => place <= from && line.startsWith('- '));
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
    const note = mended ?? failureNoteIn(line);
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

/** More lines than any summary has, ours or a model's. */
const MAX_ITEMS = 2_000;

/** What the session is for, and what does not work yet, outlast what is merely newer. */
const GOALS = summaryLanguages.map(({ goal }) => `- ${goal}: "`);
const GOAL_BONUS = 10;
const FAILS_BONUS = 4;

function rateLines(lines: readonly string[], section: SectionName): readonly FitLine[] {
  const bonus = section === 'Key Decisions' || section === 'User Preferences' ? 2 : section === 'Debugging & Issues' ? 1 : 0;
  return lines.map((text, at) => {
    const cue = (isBinding(judge(text)) ? 1 : 0) + (isSettled(judge(text, 'model')) ? 1 : 0) + (statesOutcome(text) ? 0.5 : 0);
    const request = text.startsWith('- ') && text.includes(': "') ? (GOALS.some((goal) => text.startsWith(goal)) ? GOAL_BONUS : 1) : 0;
    const fails = section === 'Debugging & Issues' && text.startsWith('- `') && mendedNoteIn(text) === undefined ? FAILS_BONUS : 0;
    return { text, worth: CARRIED_BONUS + 2 + bonus + cue + request + fails + density(text) + at / (2 * lines.length) };
  });
}
