import { density } from '../ledger/exchanges.ts';
import { chinese, english, type SummaryWords } from '../rules/rule-summary-words.ts';
import { constraintStrength, decisionStrength, statesOutcome } from '../text/cues.ts';
import { cutAt, oneLine } from '../text/sentences.ts';
import { type FitLine, fitLines, type TokenBudget } from './fit-sections.ts';
import { type SectionName, sectionNames, sectionsIn } from './summary-sections.ts';

const LINE_CHARS = 280;
const CODE_CHARS = 300;
/** Lines that were worth keeping once rank above new lines of the same kind, within their budget. */
const CARRIED_BONUS = 3;

export type SectionLines = Readonly<Record<SectionName, readonly FitLine[]>>;

/**
 * Returns the lines of the earlier summary to carry into the next one, at most `tokens`; the densest are kept first. The earlier current
 * status becomes history; figures that are stated anew are left out. A summary without sections is carried as an overview.
 */
export function carriedSections(earlier: string, { tokens, count, words }: TokenBudget & { readonly words: SummaryWords }): SectionLines {
  const sections = sectionsIn(earlier);
  const sourceSections = sectionNames.some((name) => sections[name] !== undefined) ? sections : { 'Project Overview': earlier };
  const lines = sectionNames.map((name) => {
    const ownLines = itemsOf(sourceSections[name] ?? '').flatMap((item) => carryLine(item, name, words));
    const pastLines =
      name === 'Project Overview'
        ? itemsOf(sourceSections['Current Status'] ?? '').flatMap((item) => carryLine(item, 'Current Status', words))
        : [];
    return name === 'Current Status' ? [] : rateLines([...ownLines, ...pastLines], name);
  });
  const kept = fitLines(
    lines.map((section, at) => ({ heading: '', lines: section, share: SHARES[at] ?? 0 })),
    { tokens, count },
  );
  return Object.fromEntries(sectionNames.map((name, at) => [name, kept[at] ?? []])) as SectionLines; // has a key for each section name
}

const SHARES: readonly number[] = [0.05, 0.25, 0.1, 0.1, 0, 0.05, 0.1, 0.15];

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
const NONE_LINES = new Set(LANGUAGES.map(({ none }) => none));
const COUNT_LABELS = LANGUAGES.flatMap(({ tools, programs, fileTypes, counts }) => [
  `${tools}: `,
  `${programs}: `,
  `${fileTypes}: `,
  counts(0, 0, 0).slice(0, 8),
]);
const REQUEST_LABELS = LANGUAGES.flatMap(({ lastRequest, unfinished }) => [`${lastRequest}: `, `${unfinished}: `]);
/** More lines than any summary has, ours or a model's. */
const MAX_ITEMS = 2_000;

/** Returns one line as it is carried on, or nothing when it is stale. */
function carryLine(item: string, from: SectionName, words: SummaryWords): readonly string[] {
  if (item.includes('\n')) return [item];
  const indent = item.startsWith('  ') ? '  ' : '';
  const line = `${indent}${oneLine(item, LINE_CHARS)}`;
  const content = line.replace(/^\s*[-*] /, '');
  if (NONE_LINES.has(content) || COUNT_LABELS.some((label) => content.startsWith(label))) return [];
  const openLabel = REQUEST_LABELS.find((label) => content.startsWith(label));
  if (openLabel !== undefined) return [`- ${words.before}: ${content.slice(openLabel.length)}`];
  if (from === 'Current Status') return [labelLine(line, content, words)];
  if (from === 'Pending Tasks') return /[?？]["'”’)]*$/.test(content) ? [] : [labelLine(line, content, words)];
  return [line];
}

const labelLine = (line: string, content: string, { before, result }: SummaryWords): string =>
  content.startsWith(before) || content.startsWith(result) ? line : `- ${before}: ${content}`;

function rateLines(lines: readonly string[], section: SectionName): readonly FitLine[] {
  const bonus = section === 'Key Decisions' || section === 'User Preferences' ? 2 : section === 'Debugging & Issues' ? 1 : 0;
  return lines.map((text, at) => {
    const cue = (constraintStrength(text) >= 2 ? 1 : 0) + (decisionStrength(text) === 2 ? 1 : 0) + (statesOutcome(text) ? 0.5 : 0);
    const request = text.startsWith('- ') && text.includes(': "') ? 1 : 0;
    return { text, worth: CARRIED_BONUS + 2 + bonus + cue + request + density(text) + at / (2 * lines.length) };
  });
}
