import type { CountTokens } from '../measure/count.ts';

export type FitLine = { readonly text: string; readonly worth: number };

export type FitSection = {
  readonly heading: string;
  /** In the order in which they are shown. */
  readonly lines: readonly FitLine[];
  /** The part of the budget that is this section's before any other may have it. */
  readonly share: number;
  /** Stands for a section without lines; without it such a section is left out. */
  readonly none?: string;
  /** What parts the lines: a new line by default. */
  readonly between?: string;
  /** Says how many lines there was no room for. */
  readonly cut?: (lines: number) => string;
};

const CUT_TOKENS = 12;

export type Room = { readonly tokens: number; readonly count: CountTokens };

/**
 * The sections with as many of their lines as fit into `tokens`: each first gets its share, by worth; what is left over goes to
 * the worthiest lines of all. Empty when not even the headings fit.
 */
export function fitSections(sections: readonly FitSection[], { tokens, count }: Room): string {
  const shown = sections.filter(({ lines, none }) => lines.length > 0 || none !== undefined);
  const frame = shown.map(
    (section) => count(`${section.heading}\n\n${section.lines.length === 0 ? section.none : ''}\n`) + (section.cut ? CUT_TOKENS : 0),
  );
  const room = tokens - frame.reduce((sum, cost) => sum + cost, 0);
  if (room < 0) return '';
  return withinLimit(shown, choose(shown, { tokens: room, count }), { tokens, count });
}

/** The lines of each section that fit into `tokens` together, headings apart, chosen in the same way. */
export function fitLines(sections: readonly FitSection[], room: Room): readonly (readonly FitLine[])[] {
  const chosen = choose(sections, room);
  return sections.map(({ lines }, s) => lines.filter((_, l) => chosen[s]?.[l]));
}

/** For each section, which of its lines are taken. */
function choose(sections: readonly FitSection[], { tokens: room, count }: Room): boolean[][] {
  const chosen = sections.map(({ lines }) => lines.map(() => false));
  const left: Candidate[] = [];
  let spent = 0;
  sections.forEach(({ lines, share, between = '\n' }, s) => {
    let own = 0;
    const byWorth = lines
      .map(({ worth, text }, l) => ({ s, l, worth, cost: count(`${text}${between}`) }))
      .sort((a, b) => b.worth - a.worth);
    for (const candidate of byWorth) {
      if (own + candidate.cost <= share * room) {
        own += candidate.cost;
        take(chosen, candidate);
      } else left.push(candidate);
    }
    spent += own;
  });
  for (const candidate of left.sort((a, b) => b.worth - a.worth)) {
    if (spent + candidate.cost > room) continue;
    spent += candidate.cost;
    take(chosen, candidate);
  }
  return chosen;
}

type Candidate = { readonly s: number; readonly l: number; readonly worth: number; readonly cost: number };

function take(chosen: boolean[][], { s, l }: Candidate): void {
  const section = chosen[s];
  if (section !== undefined) section[l] = true;
}

/** Counts of parts do not always add up to the count of the whole: what is too much after all goes, the least worthy first. */
function withinLimit(sections: readonly FitSection[], chosen: boolean[][], { tokens, count }: Room): string {
  const order = sections
    .flatMap(({ lines }, s) => lines.map(({ worth }, l) => ({ s, l, worth })))
    .filter(({ s, l }) => chosen[s]?.[l])
    .sort((a, b) => a.worth - b.worth);
  for (let drop = 0; ; ) {
    const text = assemble(sections, chosen);
    const over = count(text) - tokens;
    if (over <= 0) return text;
    if (drop >= order.length) return '';
    const step = Math.max(1, Math.ceil((order.length * over) / (tokens + over)));
    for (const { s, l } of order.slice(drop, drop + step)) {
      const section = chosen[s];
      if (section !== undefined) section[l] = false;
    }
    drop += step;
  }
}

const assemble = (sections: readonly FitSection[], chosen: readonly (readonly boolean[])[]): string =>
  sections
    .map(({ heading, lines, none, between = '\n', cut }, s) => {
      const taken = lines.filter((_, l) => chosen[s]?.[l]).map(({ text }) => text);
      const dropped = lines.length - taken.length;
      const body = [taken.join(between), ...(dropped > 0 && cut ? [cut(dropped)] : [])].filter((part) => part !== '').join('\n');
      return `${heading}\n\n${body === '' ? (none ?? '') : body}`.trimEnd();
    })
    .join('\n\n');
