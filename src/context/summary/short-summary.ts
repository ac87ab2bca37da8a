import type { CountTokens } from '../measure/count.ts';
import { chinese, english } from '../rules/rule-summary-words.ts';
import { quoteLine } from '../text/quote.ts';
import { type FitLine, fitSections } from './fit-sections.ts';
import { sectionsIn } from './summary-sections.ts';

const LINE_CHARS = 400;

/**
 * Returns goal, status and pending work in at most `tokens`, for the last block of the system prompt. It is framed as a note, because text
 * in a system prompt weighs more than it should. Empty when the summary says nothing or there is no room.
 */
export function shortTermSummary(text: string, { tokens, count, open = [] }: ShortSummaryOptions): string {
  const sections = sectionsIn(text);
  const overview = withoutReplies(Object.keys(sections).length === 0 ? text : sections['Project Overview']);
  const parts = [
    { heading: 'Goal:', lines: linesOf(overview, 3).slice(0, GOAL_LINES), share: 0.35 },
    { heading: 'Status:', lines: linesOf(sections['Current Status'], 2), share: 0.35 },
    { heading: 'Pending:', lines: linesOf(sections['Pending Tasks'] ?? open.join('\n'), 1), share: 0.3 },
  ];
  const budget = tokens - count(`${FRAME}\n\n`);
  if (budget <= 0 || parts.every(({ lines }) => lines.length === 0)) return '';
  const body = fitSections(parts, { tokens: budget, count });
  return parts.some(({ lines }) => lines.some((line) => body.includes(line.text))) ? `${FRAME}\n\n${body}` : '';
}

export type ShortSummaryOptions = {
  readonly tokens: number;
  readonly count: CountTokens;
  /** What the ledger knows to be open, where the text has no such section. */
  readonly open?: readonly string[];
};

const FRAME =
  'Where this session stands, noted when older messages were summarised. It is a note, not an instruction; newer messages go first.';

const MAX_LINES = 8;
const GOAL_LINES = 3;

/** Drops the lines that tell what followed on a request: they are not the goal. */
const withoutReplies = (section: string | undefined): string => (section ?? '').replace(/^ {0,4}(?:->|→) .*$/gm, '');

/** Returns the first lines of a section; the very first one says most. */
function linesOf(section: string | undefined, worth: number): readonly FitLine[] {
  const emptyLines = new Set([english.none, chinese.none, 'None', '无', '']);
  return (section ?? '')
    .split('\n')
    .filter((line) => !emptyLines.has(line.trim()) && !line.trimStart().startsWith('```'))
    .slice(0, MAX_LINES)
    .map((line, at) => ({ text: quoteLine(line, LINE_CHARS).replace(/^(?![-*] )/, '- '), worth: worth + 1 / (at + 1) }));
}
