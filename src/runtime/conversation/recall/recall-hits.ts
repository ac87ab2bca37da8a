import { type Passage, timeHintOf } from '../../../context/search/match-passages.ts';
import { type Question, questionOf } from '../../../context/search/query-terms.ts';
import { fuseRanks, rankPassages } from '../../../context/search/rank-passages.ts';
import { decisionAt, errorAt, HIT_CHARS, type ReadNeighbours, snippetOf } from '../../../context/search/search-snippet.ts';
import type { RecallHit, RecallOptions, TermGroup } from '../../../domain/recall.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { type EntryMatch, type FindOptions, findNear, findSlices, POOL } from '../../../store/search/search-find.ts';
import type { SearchIndex } from '../../../store/search/search-index.ts';
import type { SearchDeps } from '../../../store/search/search-store.ts';
import { type EntryText, readEntry, recallRefOf, recallSourceOf } from '../../../store/search/search-store.ts';
import { partOf, sliceRange, type TextRange } from '../../../store/search/search-texts.ts';

export const UNREADABLE = '(the original can no longer be read)';

type HitRequest = Omit<RecallOptions, 'only'> &
  Pick<FindOptions, 'beside' | 'mayShow'> & { readonly words: readonly TermGroup[]; readonly group: string; readonly now: Date } & {
    /** That of the query; undefined where there is none, or nothing to compare it with. */
    readonly vector?: readonly number[] | undefined;
  };

/** Returns the best hits, first those of the project, then those of other folders. */
export function findHits(index: SearchIndex, deps: SearchDeps, request: HitRequest): readonly RecallHit[] {
  const search: Search = { index, deps, request, read: createReader(deps) };
  const { project, all, session, limit, mayShow } = request;
  if (project !== undefined && mayShow !== undefined) return hitsIn(search, { folder: project, inside: true }, limit);
  if (project === undefined || all === true || session !== undefined) return hitsIn(search, undefined, limit);
  const hits = hitsIn(search, { folder: project, inside: true }, limit);
  return hits.length >= limit ? hits : [...hits, ...hitsIn(search, { folder: project, inside: false }, limit - hits.length)];
}

type Read = (match: Pick<EntryMatch, 'entry' | 'source'>) => EntryText;
type Search = { readonly index: SearchIndex; readonly deps: SearchDeps; readonly request: HitRequest; readonly read: Read };

/** Reads each text once: many slices of one may be found. */
function createReader(deps: SearchDeps): Read {
  const texts = new Map<number, EntryText>();
  return ({ entry, source }) => {
    const text = texts.get(entry.id) ?? readEntry(deps, { entry, source }, deps.analyzer) ?? { text: UNREADABLE, lead: '' };
    texts.set(entry.id, text);
    return text;
  };
}

/** `range`: the part of its text that was found; undefined for the whole. */
type RankedMatch = {
  readonly match: PassageMatch;
  readonly range?: TextRange | undefined;
  readonly score: number;
  readonly copies: readonly PassageMatch[];
};

function hitsIn(search: Search, place: FindOptions['place'], limit: number): readonly RecallHit[] {
  const { index, request, read } = search;
  const { query: _query, project: _project, all: _all, now: _now, vector, ...filter } = request;
  const question = questionOf(request.query);
  const found = findSlices(index, { ...filter, limit, place, isQuestion: question !== undefined }, (match) => read(match).text);
  const near = vector === undefined ? [] : findNear(index, vector, { ...filter, limit, place }, (match) => read(match).text);
  const pool = question === undefined ? POOL : found.length;
  const most = near.length === 0 ? limit : Math.max(limit, FUSED);
  const ranked = request.words.length === 0 ? inOrder(found) : rank(search, { found: found.slice(0, pool), question, limit: most });
  const seen = new Set(ranked.flatMap(({ match, copies }) => [match, ...copies].map(({ entry }) => entry.id)));
  const lowest = ranked.at(-1)?.score ?? 1;
  const rest = found.slice(pool).filter(({ entry }) => !seen.has(entry.id));
  const byWords = [...ranked, ...inOrder(rest, lowest)].slice(0, most);
  return withNear(search, { byWords, near, limit }).map((each) => hitOf(search, each));
}

/** So many of each list are put together. */
const FUSED = 40;
/** A score above it says that every word was found (RecallHit). */
const EVERY_WORD = 0.5;

type Found = { readonly byWords: readonly RankedMatch[]; readonly near: readonly EntryMatch[]; readonly limit: number };

/** Puts what is near in meaning behind what has every word, and as at most half of all, since something is always nearest. */
function withNear({ read }: Search, { byWords, near, limit }: Found): readonly RankedMatch[] {
  if (near.length === 0) return byWords.slice(0, limit);
  const textKey = (match: PassageMatch): string => read(match).text.replace(/\s+/g, ' ').trim();
  const byText = new Map(byWords.toReversed().map((each) => [textKey(each.match), each]));
  const copies = new Map<RankedMatch, PassageMatch[]>();
  const first = byWords.filter(({ score }) => score > EVERY_WORD);
  const rest = byWords.filter(({ score }) => score <= EVERY_WORD);
  const fresh = new Set<RankedMatch>();
  const nearest = near.slice(0, FUSED).flatMap((match) => {
    const known = byText.get(textKey(match));
    if (known !== undefined && ![known.match, ...known.copies].some(({ entry }) => entry.id === match.entry.id))
      copies.set(known, [...(copies.get(known) ?? []), match]);
    if (known !== undefined) return first.includes(known) ? [] : [known];
    const made = { match, score: 0, copies: [] };
    byText.set(textKey(match), made);
    if (fresh.size >= Math.ceil(limit / 2)) return [];
    fresh.add(made);
    return [made];
  });
  const fused = fuseRanks([rest, nearest]).map(({ key, worth }) => ({
    ...key,
    copies: [...key.copies, ...(copies.get(key) ?? [])],
    score: EVERY_WORD * worth,
  }));
  return [...first, ...fused].slice(0, limit);
}

const inOrder = (matches: readonly EntryMatch[], score = 1): readonly RankedMatch[] =>
  matches.map((match) => ({ match, score, copies: [] }));

type Ranking = { readonly found: readonly EntryMatch[]; readonly question: Question | undefined; readonly limit: number };

function rank(search: Search, { found, question, limit }: Ranking): readonly RankedMatch[] {
  const { index, request, read } = search;
  const passages = [...found, ...(question === undefined ? [] : besideOf(search, found))].flatMap((match) => {
    const { entry, tier, score } = match;
    const entryText = read(match);
    const base = { match, entry: entry.id, source: entry.source, kind: entry.kind, at: entry.at, tier, score };
    return partsOf(sliceRange(entryText.text.length, match.slice)).map((range): FoundPassage => {
      return { ...base, range, text: partOf(entryText, range), part: Math.floor(range.start / PART_CHARS) };
    });
  });
  const { words, query, now } = request;
  const ranked = rankPassages(passages, {
    words,
    limit,
    places: (term) => index.count(term),
    size: index.size(),
    time: timeHintOf(query, now),
    question,
  });
  return ranked.map(({ passage, score, copies }) => {
    return { match: passage.match, range: passage.range, score, copies: copies.map(({ match }) => match) };
  });
}

/** Of so many of the best, what stands so near counts with them, and may be the answer. */
const MOST_WITH_NEIGHBOURS = 40;
const REACH = 2;

function besideOf({ index, request, read }: Search, found: readonly EntryMatch[]): readonly PassageMatch[] {
  const { role, tool, errors, decisions, since, until } = request;
  if ([role, tool, errors, decisions, since, until].some((each) => each !== undefined && each !== false)) return [];
  const known = new Set(found.map(({ entry }) => entry.id));
  return found.slice(0, MOST_WITH_NEIGHBOURS).flatMap(({ entry, source }) =>
    Array.from({ length: 2 * REACH + 1 }, (_, i) => entry.id + i - REACH).flatMap((id): readonly PassageMatch[] => {
      const beside = known.has(id) ? undefined : index.entry(id);
      known.add(id);
      if (beside?.source !== source.id || isKnown(request, source.session, read({ entry: beside, source }).text)) return [];
      return [{ entry: beside, source, slice: 0, tier: 'beside', score: 0 }];
    }),
  );
}

/** What was found, or what stands beside it. */
type PassageMatch = Omit<EntryMatch, 'tier'> & { readonly tier: Passage['tier'] };
type FoundPassage = Passage & { readonly match: PassageMatch; readonly range: TextRange };

/** A part that is ranked is about as long as what is shown of it. */
const PART_CHARS = HIT_CHARS;

/** Cuts a slice into parts; a short rest belongs to the part before it. */
function partsOf({ start, end }: TextRange): readonly TextRange[] {
  const count = Math.max(1, Math.round((end - start) / PART_CHARS));
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * PART_CHARS,
    end: i === count - 1 ? end : start + (i + 1) * PART_CHARS,
  }));
}

function hitOf({ index, request, read }: Search, { match, range, score, copies }: RankedMatch): RecallHit {
  const { text, lead } = read(match);
  const neighbours: ReadNeighbours = () => {
    const textOf = (side: 'before' | 'after'): string => {
      const entry = match.entry.kind === 'memory' ? undefined : index.neighbour(match.entry, side);
      const { text = '' } = entry === undefined ? {} : read({ entry, source: match.source });
      return isKnown(request, match.source.session, text) ? '' : text;
    };
    return { before: textOf('before'), after: textOf('after') };
  };
  const isListed = request.words.length === 0;
  const source = {
    ...{ text, call: lead, slice: isListed ? undefined : (range ?? sliceRange(text.length, match.slice)) },
    anchor: anchorOf(request, { text, lead }),
  };
  const { snippet, start } = snippetOf(source, request.words, neighbours);
  const { folder } = match.source;
  const isElsewhere = request.project !== undefined && folder !== '' && !isWithin(folder, request.project);
  return {
    ...recallSourceOf(match),
    ...{
      score: roundScore(score),
      snippet,
      charOffset: start,
      folder: isElsewhere ? folder : undefined,
      copies: copies.map(recallRefOf),
    },
  };
}

/** Of a failure its error is shown; of a listed decision, the sentence. Everything else is shown where the words are. */
function anchorOf({ errors, decisions, words }: HitRequest, text: EntryText): number | undefined {
  if (errors === true) return errorAt(text);
  return decisions === true && words.length === 0 ? decisionAt(text.text) : undefined;
}

/** True for what the asking agent has in its context. */
const isKnown = ({ beside }: HitRequest, session: string, text: string): boolean => beside?.sessionId === session && beside.texts.has(text);

const roundScore = (score: number): number => Math.round(score * 1000) / 1000;
