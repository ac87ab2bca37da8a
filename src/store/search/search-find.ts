import type { RecallOptions, Term, TermGroup } from '../../domain/recall.ts';
import { isId } from '../files/ids.ts';
import type { EntryRow, SearchIndex, SourceRow } from './search-index.ts';
import { marks } from './text-analyzer.ts';

export type FindOptions = Omit<RecallOptions, 'query'> & {
  readonly words: readonly TermGroup[];
  readonly group: string;
  /** The caller already sees these texts of this session, so they are left out. */
  readonly beside?: { readonly sessionId: string; readonly texts: ReadonlySet<string> } | undefined;
};

export type EntryMatch = { readonly entry: EntryRow; readonly source: SourceRow; readonly slice: number; readonly score: number };

/** Returns the whole text of an entry. */
export type ReadEntryText = (matches: Pick<EntryMatch, 'entry' | 'source'>) => string | undefined;

/**
 * Finds entries that contain every word; then those that contain every word together with what they were made for; then those with some of
 * the words. Each entry appears once, by its best slice.
 */
export function findEntries(index: SearchIndex, options: FindOptions, textOf: ReadEntryText): readonly EntryMatch[] {
  const filter = filterOf(options);
  if (filter === undefined || options.words.length === 0) return [];
  const run: SearchRun = { index, options, filter, accepts: acceptor(options, textOf) };
  const allWords = options.words.map(groupExpression).join(' AND ');
  const matches: EntryMatch[] = [];
  const add = (tier: Omit<Tier, 'but'>): void => {
    if (matches.length < options.limit) matches.push(...collect(run, { ...tier, but: new Set(matches.map(({ entry }) => entry.id)) }));
  };
  add({ expression: `words : (${allWords})`, base: 0.75, span: 0.25 });
  add({ expression: `{words about} : (${allWords})`, base: 0.5, span: 0.25 });
  if (options.words.length > 1 && matches.length < options.limit) {
    const someWords = rarestWords(index, options.words).map(groupExpression).join(' OR ');
    add({ expression: `{words about} : (${someWords})`, base: 0, span: 0.5 });
  }
  return matches.slice(0, options.limit);
}

/** Returns the filter for everything asked besides the words; undefined when nothing can match. */
function filterOf(options: FindOptions): string | undefined {
  if (options.session !== undefined && !isId(options.session)) return undefined;
  const filters = [
    marks.group(options.group),
    ...(options.session === undefined ? [] : [marks.session(options.session)]),
    ...(options.role === undefined ? [] : [marks.kind(options.role)]),
    ...(options.tool === undefined ? [] : [marks.tool(options.tool)]),
    ...(options.errors === true ? [marks.failed] : []),
  ];
  return filters.map((mark) => quote(mark)).join(' AND ');
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const termExpression = ({ text, prefix }: Term): string => `${quote(text)}${prefix ? ' *' : ''}`;
const groupExpression = ({ any }: TermGroup): string => `(${any.map((all) => `(${all.map(termExpression).join(' AND ')})`).join(' OR ')})`;

/** Very common words distinguish nothing and cost the most: beyond this many places in all, only the rarest words are used. */
const MAX_PLACES = 40_000;
const PLACES_OF_BEGINNING = 5_000;

function rarestWords(index: SearchIndex, words: readonly TermGroup[]): readonly TermGroup[] {
  const places = (term: Term): number => (term.prefix ? PLACES_OF_BEGINNING : index.count(term.text));
  const wordCounts = words.map((word) => ({ word, count: word.any.reduce((sum, all) => sum + Math.min(...all.map(places)), 0) }));
  let budget = MAX_PLACES;
  const rarest = wordCounts.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count);
  const kept = rarest.filter(({ count }, i) => {
    budget -= count;
    return i === 0 || budget >= 0;
  });
  return kept.length === 0 ? words.slice(0, 1) : kept.map(({ word }) => word);
}

type SearchRun = {
  readonly index: SearchIndex;
  readonly options: FindOptions;
  readonly filter: string;
  readonly accepts: (entry: EntryRow, source: SourceRow) => boolean;
};

/** The index already filters by group, but the group is a boundary, so it is checked again. */
const acceptor =
  ({ group, beside }: FindOptions, textOf: ReadEntryText): SearchRun['accepts'] =>
  (entry, source) =>
    source.grp === group && !(beside?.sessionId === source.session && beside.texts.has(textOf({ entry, source }) ?? ''));

const FIRST_FETCH = 200;
const MAX_FETCH = 20_000;

type Tier = {
  readonly expression: string;
  /** The lowest score of this tier, and how far above it the best match is. */
  readonly base: number;
  readonly span: number;
  readonly but: ReadonlySet<number>;
};

/** Fetches more slices until there are enough entries: a long text may match in many of its slices. */
function collect({ index, options, filter, accepts }: SearchRun, { expression, base, span, but }: Tier): readonly EntryMatch[] {
  const since = options.since?.toISOString();
  for (let fetch = Math.max(FIRST_FETCH, options.limit * 4); ; fetch *= 10) {
    const slices = index.find(`${expression} AND marks : (${filter})`, { since, limit: fetch });
    const best = slices[0]?.score ?? 0;
    const matches = new Map<number, EntryMatch>();
    for (const { entry: id, slice, score } of slices) {
      if (matches.size >= options.limit) break;
      if (matches.has(id) || but.has(id)) continue;
      const entry = index.entry(id);
      const source = entry === undefined ? undefined : index.source(entry.source);
      if (entry === undefined || source === undefined || !accepts(entry, source)) continue;
      matches.set(id, { entry, source, slice, score: base + (best > 0 ? (span * score) / best : 0) });
    }
    if (matches.size >= options.limit || slices.length < fetch || fetch >= MAX_FETCH) return newestOfEqual([...matches.values()]);
  }
}

const newestOfEqual = (matches: readonly EntryMatch[]): readonly EntryMatch[] =>
  matches.toSorted((a, b) => b.score - a.score || (a.entry.at < b.entry.at ? 1 : a.entry.at > b.entry.at ? -1 : 0));
