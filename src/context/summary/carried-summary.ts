import type { Ledger } from '../../domain/session/ledger.ts';
import { density } from '../ledger/exchanges.ts';
import { parseSuccess } from '../ledger/outcomes.ts';
import { chinese, english, type SummaryWords } from '../rules/rule-summary-words.ts';
import { constraintStrength, decisionStrength, statesOutcome } from '../text/cues.ts';
import { cutAt, oneLine } from '../text/sentences.ts';
import { type FitLine, fitLines, type TokenBudget } from './fit-sections.ts';
import { type SectionName, sectionNames, sectionsIn } from './summary-sections.ts';

const LINE_CHARS = 280;
const CODE_CHARS = 300;
/** Lines that were worth keeping once rank above new lines of the same kind, within their budget. */
const CARRIED_BONUS = 3;

export type SectionLines = Readonly<Partial<Record<SectionName, readonly FitLine[]>>>;

/**
 * Returns the lines of the earlier summary to carry into the next one, at most `tokens`; the densest are kept first. The earlier current
 * status becomes history; figures that are stated anew are left out. A summary without sections is carried as an overview.
 */
export function carriedSections(
  earlier: string,
  { tokens, count, words, ledger }: TokenBudget & { readonly words: SummaryWords; readonly ledger: Ledger },
): SectionLines {
  const sections = sectionsIn(earlier);
  const sourceSections = sectionNames.some((name) => sections[name] !== undefined) ? sections : { 'Project Overview': earlier };
  const inLedger = new Set([...ledger.constraints, ...ledger.decisions, ...ledger.open]);
  const lines = sectionNames.map((name) => {
    const ownLines = itemsOf(sourceSections[name] ?? '').flatMap((item) => carryLine(item, name, words));
    const pastLines =
      name === 'Project Overview'
        ? itemsOf(sourceSections['Current Status'] ?? '').flatMap((item) => carryLine(item, 'Current Status', words))
        : [];
    const facts = [...ownLines, ...pastLines].filter((line) => !inLedger.has(line.replace(/^- "?|"$/g, '')));
    return name === 'Current Status' ? [] : rateLines(name === 'Debugging & Issues' ? facts.map(restate(ledger, words)) : facts, name);
  });
  const kept = fitLines(
    lines.map((section, at) => ({ heading: '', lines: section, share: SHARES[at] ?? 0 })),
    { tokens, count },
  );
  return Object.fromEntries(sectionNames.map((name, at) => [name, kept[at] ?? []]));
}

const SHARES: readonly number[] = [0.05, 0.25, 0.1, 0.1, 0, 0.05, 0.1, 0.15];

/** Says of a failure how it stands by now: what failed then may have worked since, and what had worked may fail again. */
function restate(ledger: Ledger, words: SummaryWords): (line: string) => string {
  const names = (line: string, error: string): boolean => error !== '' && line.includes(error.slice(0, 80));
  return (line) => {
    const state = STATES.find((each) => line.includes(` (${each})`));
    if (state === undefined) return line;
    const fails = ledger.failedCommands.some(({ error }) => names(line, error));
    const worked = !fails && ledger.done.some((text) => parseSuccess(text)?.after.some((error) => names(line, error)));
    const now = fails ? ` (${words.stillFails})` : worked ? ` (${words.laterWorked})` : '';
    return line.replace(` (${state})`, now);
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
const STATES = LANGUAGES.flatMap(({ stillFails, laterWorked }) => [stillFails, laterWorked]);
const NONE_LINES = new Set(LANGUAGES.map(({ none }) => none));
/** What is counted anew each time, and what summaries of older versions said of their ledger, their tools and past refusals. */
const STALE_LABELS = LANGUAGES.flatMap(({ tools, programs, fileTypes, counts, before }) => [
  `${tools}: `,
  `${programs}: `,
  `${fileTypes}: `,
  counts(0, 0, 0).slice(0, 8),
  'Standing constraints of the user, word for word',
  '用户的长期约束，原文见',
  'Not allowed when it was tried: ',
  `${before}: Not allowed when it was tried: `,
]);
const REQUEST_LABELS = LANGUAGES.flatMap(({ lastRequest, earlierRequest, unfinished }) => [
  `${lastRequest}: `,
  `${earlierRequest}: `,
  `${unfinished}: `,
]);
/** More lines than any summary has, ours or a model's. */
const MAX_ITEMS = 2_000;

/** Returns one line as it is carried on, or nothing when it is stale. */
function carryLine(item: string, from: SectionName, words: SummaryWords): readonly string[] {
  if (item.includes('\n')) return [item];
  const indent = item.startsWith('  ') ? '  ' : '';
  const line = `${indent}${oneLine(item, LINE_CHARS)}`;
  const content = line.replace(/^\s*[-*] /, '');
  if (NONE_LINES.has(content) || STALE_LABELS.some((label) => content.startsWith(label))) return [];
  const openLabel = REQUEST_LABELS.find((label) => content.startsWith(label));
  if (openLabel !== undefined) return [`- ${words.before}: ${content.slice(openLabel.length)}`];
  if (from === 'Current Status') return [labelLine(line, content, words)];
  if (from === 'Pending Tasks') return /[?？]["'”’)]*$/.test(content) ? [] : [labelLine(line, content, words)];
  return [line];
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
