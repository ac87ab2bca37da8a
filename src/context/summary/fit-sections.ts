import type { CountTokens } from '../measure/count.ts';

/**
 * A line that begins with two blanks belongs to the nearest one before it that does not. It never stands without that one, and that one
 * stands without any of its lines only where no room is left.
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
  /** In display order. */
  readonly lines: readonly FitLine[];
  /** The share of the budget that is reserved for this section before any other may use it. */
  readonly share: number;
  /** Shown under the heading when there are no lines; without it a section without lines is left out. */
  readonly none?: string;
  /** Separates the lines; a newline by default. */
  readonly separator?: string;
  /** Returns the note on how many lines did not fit, and how many of them others belong to. */
  readonly cut?: (lines: number, heads: number) => string;
  /** True when lines were left out before: then there is a note in any case. */
  readonly wasCut?: boolean;
};

const CUT_TOKENS = 12;

export type TokenBudget = { readonly tokens: number; readonly count: CountTokens };

/**
 * Returns the sections with as many of their lines as fit into `tokens`: each section first fills its share with its worthiest lines; what
 * is left over goes to the worthiest lines of all. Empty when not even the headings fit.
 */
export function fitSections(sections: readonly FitSection[], { tokens, count }: TokenBudget): string {
  const visible = sections.filter(({ lines, none }) => lines.length > 0 || none !== undefined);
  const frameTokens = visible.map(
    (section) => count(`${section.heading}\n\n${section.lines.length === 0 ? section.none : ''}\n`) + (section.cut ? CUT_TOKENS : 0),
  );
  const budget = tokens - frameTokens.reduce((sum, cost) => sum + cost, 0);
  if (budget < 0) return '';
  return dropToLimit(visible, chooseLines(visible, { tokens: budget, count }), { tokens, count });
}

/** Returns the lines of each section that fit into `tokens` together, headings not counted, chosen in the same way. */
export function fitLines(sections: readonly FitSection[], budget: TokenBudget): readonly (readonly FitLine[])[] {
  const chosen = chooseLines(sections, budget);
  return sections.map(({ lines }, s) => lines.filter((_, l) => chosen[s]?.[l]));
}

/** For each line of each section, true when it is chosen. */
function chooseLines(sections: readonly FitSection[], { tokens: budget, count }: TokenBudget): boolean[][] {
  const chosen = sections.map(({ lines }) => lines.map(() => false));
  const heads = sections.map(({ lines }) => headsOf(lines));
  const costs = sections.map(({ lines, separator = '\n' }) => {
    const first = worthiestOfGroups(lines);
    return lines.map((line) => count(`${first.get(line.group ?? '') === line ? labelOf(line) : ''}${line.text}${separator}`));
  });
  /** Chooses the line with what it cannot stand without, when all of it fits; returns what that costs. */
  const choose = ({ s, l }: Place, room: number): number | undefined => {
    const isWhole = sections[s]?.lines[l]?.standsAlone === true;
    const needed = [
      l,
      ...(heads[s]?.[l] === undefined ? (isWhole ? [] : firstOf(heads[s] ?? [], l, costs[s] ?? [])) : [heads[s][l]]),
    ].filter((place) => chosen[s]?.[place] === false);
    if (chosen[s]?.[l] !== false) return 0;
    const cost = needed.reduce((sum, place) => sum + (costs[s]?.[place] ?? 0), 0);
    if (cost > room) return undefined;
    for (const place of needed) setChosen(chosen, { s, l: place }, true);
    return cost;
  };
  const leftover: Candidate[] = [];
  let usedTokens = 0;
  sections.forEach(({ lines, share }, s) => {
    let sectionTokens = 0;
    for (const candidate of lines.map(({ worth }, l) => ({ s, l, worth })).sort((a, b) => b.worth - a.worth)) {
      const cost = choose(candidate, share * budget - sectionTokens);
      if (cost === undefined) leftover.push(candidate);
      else sectionTokens += cost;
    }
    usedTokens += sectionTokens;
  });
  for (const candidate of leftover.sort((a, b) => b.worth - a.worth)) usedTokens += choose(candidate, budget - usedTokens) ?? 0;
  for (const { s, l } of leftover) {
    const cost = costs[s]?.[l] ?? 0;
    if (chosen[s]?.[l] || heads[s]?.[l] !== undefined || usedTokens + cost > budget) continue;
    usedTokens += cost;
    setChosen(chosen, { s, l }, true);
  }
  return chosen;
}

/** The cheapest of the lines that belong to this one, if there are any: what was asked means little without what came of it. */
function firstOf(heads: readonly (number | undefined)[], head: number, costs: readonly number[]): readonly number[] {
  let cheapest: number | undefined;
  for (let l = head + 1; l < heads.length && heads[l] === head; l++)
    if (cheapest === undefined || (costs[l] ?? 0) < (costs[cheapest] ?? 0)) cheapest = l;
  return cheapest === undefined ? [] : [cheapest];
}

/** For each line, the place of the line that it belongs to. */
function headsOf(lines: readonly FitLine[]): readonly (number | undefined)[] {
  let head: number | undefined;
  return lines.map(({ text }, l) => {
    if (text.startsWith('  ')) return head;
    head = l;
    return undefined;
  });
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

type Place = { readonly s: number; readonly l: number };
type Candidate = Place & { readonly worth: number };

function setChosen(chosen: boolean[][], { s, l }: Place, isChosen: boolean): void {
  const section = chosen[s];
  if (section !== undefined) section[l] = isChosen;
}

/** Token counts of the parts do not always add up to that of the whole: drops the least worthy lines until the text fits. */
function dropToLimit(sections: readonly FitSection[], chosen: boolean[][], { tokens, count }: TokenBudget): string {
  const order = sections
    .flatMap(({ lines }, s) => lines.map(({ worth }, l) => ({ s, l, worth })))
    .filter(({ s, l }) => chosen[s]?.[l])
    .sort((a, b) => a.worth - b.worth);
  for (let drop = 0; ; ) {
    const text = renderSections(sections, chosen);
    const excess = count(text) - tokens;
    if (excess <= 0) return text;
    if (drop >= order.length) return '';
    const step = Math.max(1, Math.ceil((order.length * excess) / (tokens + excess)));
    for (const line of order.slice(drop, drop + step)) setChosen(chosen, line, false);
    drop += step;
  }
}

const renderSections = (sections: readonly FitSection[], chosen: readonly (readonly boolean[])[]): string =>
  sections
    .map(({ heading, lines, none, separator = '\n', cut, wasCut }, s) => {
      const heads = headsOf(lines);
      const isShown = lines.map((_, l) => chosen[s]?.[l] === true && chosen[s]?.[heads[l] ?? l] === true);
      const hidden = isShown.flatMap((shown, l) => (shown ? [] : [l]));
      const note =
        cut !== undefined && (hidden.length > 0 || wasCut) ? cut(hidden.length, hidden.filter((l) => heads[l] === undefined).length) : '';
      const shown = lines.filter((_, l) => isShown[l]);
      const body = [joinLines(shown, separator), note].filter((part) => part !== '').join('\n');
      return `${heading}\n\n${body === '' ? (none ?? '') : body}`.trimEnd();
    })
    .join('\n\n');
