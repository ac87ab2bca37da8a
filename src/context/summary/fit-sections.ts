import type { CountTokens } from '../measure/count.ts';

export type FitLine = { readonly text: string; readonly worth: number };

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
  /** Returns the note on how many lines did not fit. */
  readonly cut?: (lines: number) => string;
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
  const leftover: Candidate[] = [];
  let usedTokens = 0;
  sections.forEach(({ lines, share, separator = '\n' }, s) => {
    let sectionTokens = 0;
    const byWorth = lines
      .map(({ worth, text }, l) => ({ s, l, worth, cost: count(`${text}${separator}`) }))
      .sort((a, b) => b.worth - a.worth);
    for (const candidate of byWorth) {
      if (sectionTokens + candidate.cost <= share * budget) {
        sectionTokens += candidate.cost;
        setChosen(chosen, candidate, true);
      } else leftover.push(candidate);
    }
    usedTokens += sectionTokens;
  });
  for (const candidate of leftover.sort((a, b) => b.worth - a.worth)) {
    if (usedTokens + candidate.cost > budget) continue;
    usedTokens += candidate.cost;
    setChosen(chosen, candidate, true);
  }
  return chosen;
}

type Candidate = { readonly s: number; readonly l: number; readonly worth: number; readonly cost: number };

function setChosen(chosen: boolean[][], { s, l }: Pick<Candidate, 's' | 'l'>, isChosen: boolean): void {
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
    .map(({ heading, lines, none, separator = '\n', cut }, s) => {
      const chosenLines = lines.filter((_, l) => chosen[s]?.[l]).map(({ text }) => text);
      const dropped = lines.length - chosenLines.length;
      const body = [chosenLines.join(separator), ...(dropped > 0 && cut ? [cut(dropped)] : [])].filter((part) => part !== '').join('\n');
      return `${heading}\n\n${body === '' ? (none ?? '') : body}`.trimEnd();
    })
    .join('\n\n');
