import { type SummaryWords, summaryLanguages } from '../rules/rule-summary-words.ts';
import { DETAIL_CHARS } from './change-lines.ts';
import type { FitLine } from './fit-sections.ts';

type Kind = 'added' | 'inside' | 'removed';

/** One thing that a line tells: of a name what became of it, or a text as it stands. */
type Fact = { readonly kind: Kind | 'whole' | 'times' | 'quote'; readonly text: string };

const KINDS: readonly Kind[] = ['added', 'inside', 'removed'];

/** Puts what an earlier summary told of a file in the line that tells of it now, so that each file has one. */
export function mergeChanges(carried: readonly FitLine[], own: readonly FitLine[], words: SummaryWords): readonly FitLine[] {
  const lines = new Map<string, FitLine>();
  for (const line of [...carried, ...own]) {
    const end = line.text.indexOf(': ');
    const key = end === -1 ? line.text : line.text.slice(0, end);
    const earlier = lines.get(key);
    lines.delete(key);
    lines.set(key, earlier === undefined || end === -1 ? line : mergeLine(earlier, line, { from: end + 2, words }));
  }
  return [...lines.values()];
}

/** The newer details come last; where there are too many, the older ones go. */
function mergeLine(earlier: FitLine, later: FitLine, { from, words }: { readonly from: number; readonly words: SummaryWords }): FitLine {
  const facts = [...mergeFacts(factsIn(earlier.text.slice(from)), factsIn(later.text.slice(from)), words)];
  while (facts.length > 1 && tell(facts, words).length > DETAIL_CHARS) facts.shift();
  return { text: `${later.text.slice(0, from)}${tell(facts, words)}`, worth: Math.max(earlier.worth, later.worth) };
}

/** The later word of a name stands, but a new name that was worked in is still new; one that was made and removed was never there. */
function mergeFacts(earlier: readonly Fact[], later: readonly Fact[], words: SummaryWords): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const fact of [...earlier, ...later]) {
    const key = isName(fact) || fact.kind === 'quote' ? fact.text : fact.kind;
    const before = facts.get(key);
    facts.delete(key);
    if (before?.kind === 'added' && fact.kind === 'removed') continue;
    facts.set(key, before?.kind === 'added' && fact.kind === 'inside' ? before : fact);
  }
  const [timesBefore, timesSince] = [timesIn(earlier), timesIn(later)];
  facts.delete('times');
  return facts.size === 0 ? [{ kind: 'times', text: words.times(timesBefore + timesSince) }] : [...facts.values()];
}

const isName = ({ kind }: Fact): boolean => kind === 'added' || kind === 'inside' || kind === 'removed';

/** A line that tells what changed tells of one edit at least. */
const timesIn = (facts: readonly Fact[]): number =>
  Number(/^\d{1,6}/.exec(facts.find(({ kind }) => kind === 'times')?.text ?? '')?.[0] ?? 1);

function tell(facts: readonly Fact[], { edits }: SummaryWords): string {
  const names = KINDS.map((kind) => facts.filter((fact) => fact.kind === kind).map(({ text }) => text));
  const lists = KINDS.flatMap((kind, at) => (names[at]?.length ? [`${edits[kind]} ${names[at].join(', ')}`] : []));
  return [...lists, ...facts.filter((fact) => !isName(fact)).map(({ text }) => text)].join('; ');
}

/** Semicolons and commas inside a quotation part nothing. */
const PARTS = /(?:`[^`]*`|"[^"]*"|[^;]|;(?! ))+/g;
const NAMES = /"[^"]*"|[^\s,][^,]*/g;

function factsIn(details: string): readonly Fact[] {
  return (details.match(PARTS) ?? []).flatMap((part): readonly Fact[] => {
    const text = part.trim();
    for (const { edits } of summaryLanguages)
      for (const kind of KINDS)
        if (text.startsWith(`${edits[kind]} `))
          return (text.slice(edits[kind].length).match(NAMES) ?? []).map((name) => ({ kind, text: name.trim() }));
    if (summaryLanguages.some(({ edits }) => text.startsWith(edits.written(0).split('0')[0] ?? ''))) return [{ kind: 'whole', text }];
    return [{ kind: /^(?:once|\d{1,6} times|\d{1,6} 次)$/.test(text) ? 'times' : 'quote', text }];
  });
}
