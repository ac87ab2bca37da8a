import type { CountTokens } from '../measure/count.ts';

/**
 * A line that begins with two blanks belongs to the nearest before it that does not: never shown without that one, nor that one without any
 * of its lines, but where there is no room.
 */
export type FitLine = {
  readonly text: string;
  readonly worth: number;
  /** The label of the lines beside it that have the same one, where lines are not parted by newlines. */
  readonly group?: string;
  /** True when it says as much without the lines that belong to it. */
  readonly standsAlone?: boolean;
};

export type FitSection = {
  readonly heading: string;
  readonly lines: readonly FitLine[];
  /** The share of the budget that is reserved for this section before any other may use it. */
  readonly share: number;
  /** Shown under the heading when there are no lines; without it a section without lines is left out. */
  readonly none?: string;
  readonly separator?: string;
  /** Returns the note on how many lines did not fit, and how many of them others belong to. */
  readonly cut?: (lines: number, heads: number) => string;
  /** True when lines were left out before: then there is a note in any case. */
  readonly wasCut?: boolean;
};

const CUT_TOKENS = 12;

export type TokenBudget = { readonly tokens: number; readonly count: CountTokens };

/** Each section first fills its share with its worthiest lines, then all compete. Empty when not even the headings fit. */
export function fitSections(sections: readonly FitSection[], { tokens, count }: TokenBudget): string {
  const visible = sections.filter(({ lines, none }) => lines.length > 0 || none !== undefined);
  const frameTokens = visible.map(
    (section) => count(`${section.heading}\n\n${section.lines.length === 0 ? section.none : ''}\n`) + (section.cut ? CUT_TOKENS : 0),
  );
  const budget = tokens - frameTokens.reduce((sum, cost) => sum + cost, 0);
  if (budget < 0) return '';
  return dropToLimit(chooseLines(visible, { tokens: budget, count }), { tokens, count });
}

/** Returns the lines of each section that fit into `tokens` together, headings not counted, chosen in the same way. */
export const fitLines = (sections: readonly FitSection[], budget: TokenBudget): readonly (readonly FitLine[])[] =>
  chooseLines(sections, budget).map(({ rows }) => rows.flatMap(({ line, isChosen }) => (isChosen ? [line] : [])));

/** A line with what it costs, the one that it belongs to, and those that belong to it. */
type Row = { readonly line: FitLine; readonly cost: number; readonly head: Row | undefined; readonly parts: Row[]; isChosen: boolean };
type Filled = { readonly section: FitSection; readonly rows: readonly Row[] };

function chooseLines(sections: readonly FitSection[], { tokens: budget, count }: TokenBudget): readonly Filled[] {
  const filled = sections.map((section) => ({ section, rows: rowsOf(section, count) }));
  const leftover: Row[] = [];
  let usedTokens = 0;
  for (const { section, rows } of filled) {
    let sectionTokens = 0;
    for (const row of rows.toSorted((a, b) => b.line.worth - a.line.worth)) {
      const cost = choose(row, section.share * budget - sectionTokens);
      if (cost === undefined) leftover.push(row);
      else sectionTokens += cost;
    }
    usedTokens += sectionTokens;
  }
  leftover.sort((a, b) => b.line.worth - a.line.worth);
  for (const row of leftover) usedTokens += choose(row, budget - usedTokens) ?? 0;
  for (const row of leftover) {
    if (row.isChosen || row.head !== undefined || usedTokens + row.cost > budget) continue;
    usedTokens += row.cost;
    row.isChosen = true;
  }
  return filled;
}

function rowsOf({ lines, separator = '\n' }: FitSection, count: CountTokens): readonly Row[] {
  const first = worthiestOfGroups(lines);
  let head: Row | undefined;
  return lines.map((line) => {
    const isPart = line.text.startsWith('  ');
    const cost = count(`${first.get(line.group ?? '') === line ? labelOf(line) : ''}${line.text}${separator}`);
    const row: Row = { line, cost, head: isPart ? head : undefined, parts: [], isChosen: false };
    if (isPart) head?.parts.push(row);
    else head = row;
    return row;
  });
}

/** Chooses the line with its head, or the cheapest of its parts, when all of it fits; returns what that costs. */
function choose(row: Row, room: number): number | undefined {
  if (row.isChosen) return 0;
  const parts = row.line.standsAlone ? [] : row.parts.toSorted((a, b) => a.cost - b.cost).slice(0, 1);
  const needed = [row, ...(row.head === undefined ? parts : [row.head])].filter(({ isChosen }) => !isChosen);
  const cost = needed.reduce((sum, each) => sum + each.cost, 0);
  if (cost > room) return undefined;
  for (const each of needed) each.isChosen = true;
  return cost;
}

const labelOf = ({ group }: FitLine): string => (group === undefined ? '' : `${group}: `);

/** The line of each group that is chosen first: the label is paid for with it. */
function worthiestOfGroups(lines: readonly FitLine[]): ReadonlyMap<string, FitLine> {
  const first = new Map<string, FitLine>();
  for (const line of lines) if (line.group !== undefined && line.worth > (first.get(line.group)?.worth ?? -1)) first.set(line.group, line);
  return first;
}

/** The lines with their separator; those of one group in a line of their own, behind its label. */
function joinLines(lines: readonly FitLine[], separator: string): string {
  let text = '';
  for (const [at, line] of lines.entries()) {
    const startsGroup = line.group !== undefined && line.group !== lines[at - 1]?.group;
    text += `${at === 0 ? '' : startsGroup ? '\n' : separator}${startsGroup ? labelOf(line) : ''}${line.text}`;
  }
  return text;
}

/** Token counts of the parts do not always add up to that of the whole: drops the least worthy lines until the text fits. */
function dropToLimit(filled: readonly Filled[], { tokens, count }: TokenBudget): string {
  const order = filled
    .flatMap(({ rows }) => rows)
    .filter(({ isChosen }) => isChosen)
    .sort((a, b) => a.line.worth - b.line.worth);
  for (let drop = 0; ; ) {
    const text = filled.map(renderSection).join('\n\n');
    const excess = count(text) - tokens;
    if (excess <= 0) return text;
    if (drop >= order.length) return '';
    const step = Math.max(1, Math.ceil((order.length * excess) / (tokens + excess)));
    for (const row of order.slice(drop, drop + step)) row.isChosen = false;
    drop += step;
  }
}

function renderSection({ section, rows }: Filled): string {
  const { heading, none = '', separator = '\n', cut, wasCut } = section;
  const isShown = ({ isChosen, head }: Row): boolean => isChosen && head?.isChosen !== false;
  const hidden = rows.filter((row) => !isShown(row));
  const isCut = hidden.length > 0 || wasCut;
  const note = cut !== undefined && isCut ? cut(hidden.length, hidden.filter(({ head }) => head === undefined).length) : '';
  const shown = rows.filter(isShown).map(({ line }) => line);
  const body = [joinLines(shown, separator), note].filter((part) => part !== '').join('\n');
  return `${heading}\n\n${body === '' ? none : body}`.trimEnd();
}
