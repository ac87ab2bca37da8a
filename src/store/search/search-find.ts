import type { RecallOptions, Term, TermGroup } from '../../domain/recall.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { isId } from '../files/paths.ts';
import type { SearchIndex } from './search-index.ts';
import type { EntryRow, SliceMatch, SourceRow } from './search-rows.ts';
import { marks } from './search-texts.ts';

export type FindOptions = Omit<RecallOptions, 'query' | 'project' | 'all' | 'only'> & {
  /** May be empty: then whatever passes the filters is found, the newest first. */
  readonly words: readonly TermGroup[];
  readonly group: string;
  /** Only in this folder and those below it and where the folder is unknown, or only everywhere else. */
  readonly place?: { readonly folder: string; readonly inside: boolean } | undefined;
  /** Says of what is found whether the caller may see it. */
  readonly mayShow?: ((found: Pick<EntryMatch, 'entry' | 'source'>) => boolean) | undefined;
  /** The words are those of a question, so that no word must be there. */
  readonly isQuestion?: boolean | undefined;
  /** The caller already sees these texts of this session, so they are left out. */
  readonly beside?: { readonly sessionId: string; readonly texts: ReadonlySet<string> } | undefined;
};

/** A slice of an entry. `tier`: it holds every word, every word together with what it was made for, or some of the words. */
export type EntryMatch = {
  readonly entry: EntryRow;
  readonly source: SourceRow;
  readonly slice: number;
  readonly tier: 'all' | 'about' | 'some';
  /** By bm25, as a part of the best of its tier. */
  readonly score: number;
};

export type ReadEntryText = (matches: Pick<EntryMatch, 'entry' | 'source'>) => string | undefined;

/** So many slices are offered to be ranked, where there are so many. */
export const POOL = 80;
/** Of a question, so many with every word, of what the user said, and of all: what a person says is short, and long replies would crowd it out. */
const QUESTION_POOL = 40;

/** Slices with every word, then those with every word together with what they were made for, then those with some. Each appears once. */
export function findSlices(index: SearchIndex, options: FindOptions, textOf: ReadEntryText): readonly EntryMatch[] {
  const filter = filterOf(index, options);
  if (filter === undefined) return [];
  const run: SearchRun = { index, options, filter, accepts: acceptor(options, textOf) };
  if (options.words.length === 0) return collect(run, { tier: 'all', expression: undefined, known: new Set(), places: 0 });
  const allWords = options.words.map(groupExpression).join(' AND ');
  const rarest = rarestWords(index, options.words);
  const someWords = rarest.words.map(groupExpression).join(' OR ');
  const matches: EntryMatch[] = [];
  const add = (tier: EntryMatch['tier'], expression: string, part: { readonly filter?: string; readonly most?: number } = {}): void => {
    const known = new Set(matches.map(sliceKey));
    const places = tier === 'some' ? rarest.places : rarest.fewest;
    matches.push(...collect({ ...run, filter: part.filter ?? filter }, { tier, expression, known, places }).slice(0, part.most));
  };
  if (options.isQuestion === true && options.words.length > 1) {
    const most = Math.max(QUESTION_POOL, options.limit);
    add('all', `words : (${allWords})`, { most });
    add('some', `words : (${someWords})`, { filter: `${filter} AND marks : ${quote(marks.kind('user'))}`, most });
    add('some', `words : (${someWords})`, { most });
    return matches;
  }
  const isEnough = () => new Set(matches.map(({ entry }) => entry.id)).size >= options.limit * 2;
  // A whole path is rarer than its parts, and must not be missed among the newest of these.
  if (options.words.some(({ any }) => any.length > 1)) add('all', `words : (${options.words.map(wholeExpression).join(' AND ')})`);
  if (!isEnough()) add('all', `words : (${allWords})`);
  if (!isEnough()) add('about', `{words about} : (${allWords})`);
  if (options.words.length > 1 && !isEnough()) add('some', `{words about} : (${someWords})`);
  return matches;
}

export function findNear(index: SearchIndex, vector: readonly number[], options: FindOptions, textOf: ReadEntryText): EntryMatch[] {
  // Without words every filter is one that stands by itself.
  const filter = filterOf(index, { ...options, words: [] })?.replace(/^AND /, '');
  if (filter === undefined) return [];
  const accepts = acceptor(options, textOf);
  const period = { since: options.since?.toISOString(), until: options.until?.toISOString() };
  const entries = new Set<number>();
  return index.vectors.near(vector, { ...period, filter, limit: 2 * POOL }).flatMap(({ entry: id, slice, score }) => {
    const found = entries.has(id) ? undefined : locate(index, id);
    if (found === undefined || !accepts(found.entry, found.source)) return [];
    entries.add(id);
    return [{ ...found, slice: Math.min(slice, found.entry.slices - 1), tier: 'some', score }];
  });
}

function locate(index: SearchIndex, id: number): Pick<EntryMatch, 'entry' | 'source'> | undefined {
  const entry = index.entry(id);
  const source = entry && index.source(entry.source);
  return entry && source && { entry, source };
}

const sliceKey = ({ entry, slice }: Pick<EntryMatch, 'entry' | 'slice'>): string => `${entry.id} ${slice}`;

/** Returns the filter for everything asked besides the words, empty for nothing; undefined when nothing can match. */
function filterOf(index: SearchIndex, options: FindOptions): string | undefined {
  if (options.session !== undefined && !isId(options.session)) return undefined;
  const groups = index.distinct('grp');
  if (!groups.includes(options.group)) return undefined;
  const filters = [
    // A mark that every slice has costs as much as all the words. Without words there must be something to look for.
    ...(groups.length > 1 || options.words.length === 0 ? [marks.group(options.group)] : []),
    ...(options.session === undefined ? [] : [marks.session(options.session)]),
    ...(options.role === undefined ? [] : [marks.kind(options.role)]),
    ...(options.tool === undefined ? [] : [marks.tool(options.tool)]),
    ...(options.errors === true ? [marks.failed] : []),
    ...(options.decisions === true ? [marks.decision] : []),
  ];
  const all = filters.map((mark) => `AND marks : ${quote(mark)}`).join(' ');
  const { place } = options;
  if (place === undefined) return all;
  const folders = index.distinct('folder');
  const inside = folders.filter((folder) => folder === '' || isWithin(folder, place.folder));
  if (inside.length === 0 || inside.length === folders.length) return place.inside === inside.length > 0 ? all : undefined;
  const oneOf = inside.map((folder) => quote(marks.folder(folder))).join(' OR ');
  return `${all} ${place.inside ? 'AND' : 'NOT'} marks : (${oneOf})`;
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const termExpression = ({ text, prefix }: Term): string => `${quote(text)}${prefix ? ' *' : ''}`;
const wholeExpression = ({ any }: TermGroup): string => groupExpression({ any: any.slice(0, 1) });
const groupExpression = ({ any }: TermGroup): string => `(${any.map((all) => `(${all.map(termExpression).join(' AND ')})`).join(' OR ')})`;

/** Very common words distinguish nothing and cost the most: beyond this many places in all, only the rarest words are used. */
const MAX_PLACES = 10_000;
/** Of what has every word so many of the newest places are ranked. */
const NEWEST_PLACES = 5_000;

function rarestWords(index: SearchIndex, words: readonly TermGroup[]) {
  const wordCounts = words.map((word) => ({ word, count: placesOf(index, word) }));
  const rarest = wordCounts.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count);
  let places = 0;
  const kept = rarest.filter(({ count }, i) => {
    if (i > 0 && places + count > MAX_PLACES) return false;
    places += count;
    return true;
  });
  return { words: kept.length === 0 ? words.slice(0, 1) : kept.map(({ word }) => word), places, fewest: rarest[0]?.count ?? 0 };
}

const placesOf = (index: Pick<SearchIndex, 'count' | 'countOfBeginning'>, { any }: TermGroup): number =>
  any.reduce(
    (sum, all) => sum + Math.min(...all.map(({ text, prefix }) => (prefix ? index.countOfBeginning(text) : index.count(text)))),
    0,
  );

type SearchRun = {
  readonly index: SearchIndex;
  readonly options: FindOptions;
  readonly filter: string;
  readonly accepts: (entry: EntryRow, source: SourceRow) => boolean;
};

/** The index already filters by group, but the group is a boundary, so it is checked again. */
const acceptor =
  ({ group, beside, mayShow = () => true }: FindOptions, textOf: ReadEntryText): SearchRun['accepts'] =>
  (entry, source) =>
    source.grp === group &&
    mayShow({ entry, source }) &&
    !(beside?.sessionId === source.session && beside.texts.has(textOf({ entry, source }) ?? ''));

const FIRST_FETCH = 200;
const MAX_FETCH = 20_000;

type Tier = {
  readonly tier: EntryMatch['tier'];
  readonly expression: string | undefined;
  readonly known: ReadonlySet<string>;
  readonly places: number;
};

/** Fetches more slices until there are enough entries: a long text may match in many of its slices. */
function collect({ index, options, filter, accepts }: SearchRun, { tier, expression, known, places }: Tier): readonly EntryMatch[] {
  const period = { since: options.since?.toISOString(), until: options.until?.toISOString() };
  // Of words that are everywhere the newest places are as good as any, where there are enough of them to be ranked.
  const most = tier === 'some' ? MAX_PLACES : NEWEST_PLACES;
  let from = places > most ? index.idAt(1 - most / places) : 0;
  const find = (limit: number): readonly SliceMatch[] => {
    if (expression === undefined) return index.newest(filter.replace(/^AND /, ''), { ...period, limit });
    return index.find(`(${expression}) ${filter}`, { ...period, limit, from });
  };
  for (let fetch = Math.max(FIRST_FETCH, options.limit * 4); ; fetch *= 10) {
    let slices = find(fetch);
    if (from > 0 && slices.length < Math.max(POOL, options.limit)) {
      from = 0;
      slices = find(fetch);
    }
    const best = slices[0]?.score ?? 0;
    const entries = new Set<number>();
    const matches: EntryMatch[] = [];
    for (const { entry: id, slice, score } of slices) {
      if (matches.length >= POOL && entries.size >= options.limit) break;
      const found = locate(index, id);
      if (found === undefined || known.has(sliceKey({ ...found, slice })) || !accepts(found.entry, found.source)) continue;
      // Beyond the pool nothing is ranked anew, and one place of a text is enough.
      if (matches.length >= POOL && entries.has(id)) continue;
      entries.add(id);
      matches.push({ ...found, slice, tier, score: best > 0 ? score / best : 0 });
    }
    if (entries.size >= options.limit || (from === 0 && slices.length < fetch) || fetch >= MAX_FETCH) return matches;
    from = 0;
  }
}
