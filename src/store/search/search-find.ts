import type { RecallWish, Term, TermGroup } from '../../domain/recall.ts';
import { isId } from '../files/ids.ts';
import type { EntryRow, SearchIndex, SourceRow } from './search-index.ts';
import { marks } from './search-words.ts';

export type FindWish = Omit<RecallWish, 'query'> & {
  readonly words: readonly TermGroup[];
  readonly group: string;
  /** Whoever asks has these texts of this session before their eyes: they are left out. */
  readonly beside?: { readonly sessionId: string; readonly texts: ReadonlySet<string> } | undefined;
};

export type Found = { readonly entry: EntryRow; readonly source: SourceRow; readonly slice: number; readonly score: number };

/** The whole text of an entry. */
export type TextOf = (found: Pick<Found, 'entry' | 'source'>) => string | undefined;

/**
 * Those that say every word first, then those that were made for something that says it, then those with some words; each entry once,
 * by its best slice.
 */
export function findEntries(index: SearchIndex, wish: FindWish, textOf: TextOf): readonly Found[] {
  const filter = filterOf(wish);
  if (filter === undefined || wish.words.length === 0) return [];
  const finding: Finding = { index, wish, filter, accepts: acceptor(wish, textOf) };
  const every = wish.words.map(groupExpression).join(' AND ');
  const found: Found[] = [];
  const add = (tier: Omit<Tier, 'but'>): void => {
    if (found.length < wish.limit) found.push(...collect(finding, { ...tier, but: new Set(found.map(({ entry }) => entry.id)) }));
  };
  add({ expression: `words : (${every})`, base: 0.75, span: 0.25 });
  add({ expression: `{words about} : (${every})`, base: 0.5, span: 0.25 });
  if (wish.words.length > 1 && found.length < wish.limit) {
    const some = tellingWords(index, wish.words).map(groupExpression).join(' OR ');
    add({ expression: `{words about} : (${some})`, base: 0, span: 0.5 });
  }
  return found.slice(0, wish.limit);
}

/** What is asked of every hit beside its words; undefined when nothing can be one. */
function filterOf(wish: FindWish): string | undefined {
  if (wish.session !== undefined && !isId(wish.session)) return undefined;
  const asked = [
    marks.group(wish.group),
    ...(wish.session === undefined ? [] : [marks.session(wish.session)]),
    ...(wish.role === undefined ? [] : [marks.kind(wish.role)]),
    ...(wish.tool === undefined ? [] : [marks.tool(wish.tool)]),
    ...(wish.errors === true ? [marks.failed] : []),
  ];
  return asked.map((mark) => quoted(mark)).join(' AND ');
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const termExpression = ({ text, prefix }: Term): string => `${quoted(text)}${prefix ? ' *' : ''}`;
const groupExpression = ({ any }: TermGroup): string => `(${any.map((all) => `(${all.map(termExpression).join(' AND ')})`).join(' OR ')})`;

/** Words that stand everywhere tell nothing apart and cost the most: beyond so many places in all, only the rarest words are used. */
const MAX_PLACES = 40_000;
const PLACES_OF_BEGINNING = 5_000;

function tellingWords(index: SearchIndex, words: readonly TermGroup[]): readonly TermGroup[] {
  const places = (term: Term): number => (term.prefix ? PLACES_OF_BEGINNING : index.count(term.text));
  const counted = words.map((word) => ({ word, count: word.any.reduce((sum, all) => sum + Math.min(...all.map(places)), 0) }));
  let left = MAX_PLACES;
  const rarest = counted.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count);
  const kept = rarest.filter(({ count }, i) => {
    left -= count;
    return i === 0 || left >= 0;
  });
  return kept.length === 0 ? words.slice(0, 1) : kept.map(({ word }) => word);
}

type Finding = {
  readonly index: SearchIndex;
  readonly wish: FindWish;
  readonly filter: string;
  readonly accepts: (entry: EntryRow, source: SourceRow) => boolean;
};

/** The group is asked for in the index already; it is a border, so it is looked at twice. */
const acceptor =
  ({ group, beside }: FindWish, textOf: TextOf): Finding['accepts'] =>
  (entry, source) =>
    source.grp === group && !(beside?.sessionId === source.session && beside.texts.has(textOf({ entry, source }) ?? ''));

const FIRST_FETCH = 200;
const MAX_FETCH = 20_000;

type Tier = {
  readonly expression: string /** Of the lowest score, and how far up the best is. */;
  readonly base: number;
  readonly span: number;
  readonly but: ReadonlySet<number>;
};

/** Asks for more slices until there are entries enough: a long text may be found in many of its slices. */
function collect({ index, wish, filter, accepts }: Finding, { expression, base, span, but }: Tier): readonly Found[] {
  const since = wish.since?.toISOString();
  for (let fetch = Math.max(FIRST_FETCH, wish.limit * 4); ; fetch *= 10) {
    const slices = index.find(`${expression} AND marks : (${filter})`, { since, limit: fetch });
    const best = slices[0]?.score ?? 0;
    const found = new Map<number, Found>();
    for (const { entry: id, slice, score } of slices) {
      if (found.size >= wish.limit) break;
      if (found.has(id) || but.has(id)) continue;
      const entry = index.entry(id);
      const source = entry === undefined ? undefined : index.source(entry.source);
      if (entry === undefined || source === undefined || !accepts(entry, source)) continue;
      found.set(id, { entry, source, slice, score: base + (best > 0 ? (span * score) / best : 0) });
    }
    if (found.size >= wish.limit || slices.length < fetch || fetch >= MAX_FETCH) return newestOfEqual([...found.values()]);
  }
}

const newestOfEqual = (found: readonly Found[]): readonly Found[] =>
  found.toSorted((a, b) => b.score - a.score || (a.entry.at < b.entry.at ? 1 : a.entry.at > b.entry.at ? -1 : 0));
