import type { RecallSource, RecallWish, Term, TermGroup } from '../domain/recall.ts';
import { isId } from './ids.ts';
import { MAIN_GROUP, type StorePaths } from './paths.ts';
import { type EntryRow, MAX_SLICES, type SearchIndex, type SourceRow } from './search-index.ts';
import { readItem } from './search-pages.ts';
import type { SearchWorld } from './search-store.ts';
import { readOriginal } from './search-texts.ts';
import { marks, type SearchWords, sliceStep } from './search-words.ts';

export type FindWish = Omit<RecallWish, 'query'> & {
  readonly words: readonly TermGroup[];
  readonly group: string;
  /** What was said in this session since its newest user message is left out: whoever asks has it before their eyes. */
  readonly besideTurnOf?: string | undefined;
};

export type Found = { readonly entry: EntryRow; readonly source: SourceRow; readonly slice: number; readonly score: number };

/** Those with every word first, then those with some of them; each entry once, by its best slice. */
export function findEntries(index: SearchIndex, paths: StorePaths, wish: FindWish): readonly Found[] {
  const filter = filterOf(index, paths, wish);
  if (filter === undefined || wish.words.length === 0) return [];
  const finding: Finding = { index, wish, filter, accepts: acceptor(index, paths, wish) };
  const whole = collect(finding, { expression: wish.words.map(groupExpression).join(' AND '), base: 0.5, but: new Set() });
  if (whole.length >= wish.limit || wish.words.length === 1) return whole;
  const but = new Set(whole.map(({ entry }) => entry.id));
  const some = collect(finding, { expression: tellingWords(index, wish.words).map(groupExpression).join(' OR '), base: 0, but });
  return [...whole, ...some].slice(0, wish.limit);
}

/** What is asked of every hit beside its words; undefined when nothing can be one. */
function filterOf(index: SearchIndex, paths: StorePaths, wish: FindWish): string | undefined {
  const session = wish.session === undefined ? undefined : isId(wish.session) ? index.sourceAt(paths.log(wish.session)) : undefined;
  if (wish.session !== undefined && session === undefined) return undefined;
  const asked = [
    marks.group(wish.group),
    ...(session === undefined ? [] : [marks.source(session.id)]),
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
function acceptor(index: SearchIndex, paths: StorePaths, wish: FindWish): Finding['accepts'] {
  const here = wish.besideTurnOf === undefined ? undefined : index.sourceAt(paths.log(wish.besideTurnOf));
  const turn = here === undefined ? undefined : index.newestSaid(here.id);
  return (entry, source) => source.grp === wish.group && !(source.id === here?.id && turn !== undefined && entry.n >= turn);
}

const FIRST_FETCH = 200;
const MAX_FETCH = 20_000;

type Tier = { readonly expression: string; readonly base: number; readonly but: ReadonlySet<number> };

/** Asks for more slices until there are entries enough: a long text may be found in many of its slices. */
function collect({ index, wish, filter, accepts }: Finding, { expression, base, but }: Tier): readonly Found[] {
  const since = wish.since?.toISOString();
  for (let fetch = Math.max(FIRST_FETCH, wish.limit * 4); ; fetch *= 10) {
    const slices = index.find(`words : (${expression}) AND marks : (${filter})`, { since, limit: fetch });
    const best = slices[0]?.score ?? 0;
    const found = new Map<number, Found>();
    for (const { entry: id, slice, score } of slices) {
      if (found.size >= wish.limit) break;
      if (found.has(id) || but.has(id)) continue;
      const entry = index.entry(id);
      const source = entry === undefined ? undefined : index.source(entry.source);
      if (entry === undefined || source === undefined || !accepts(entry, source)) continue;
      found.set(id, { entry, source, slice, score: base + (best > 0 ? (0.5 * score) / best : 0) });
    }
    if (found.size >= wish.limit || slices.length < fetch || fetch >= MAX_FETCH) return newestOfEqual([...found.values()]);
  }
}

const newestOfEqual = (found: readonly Found[]): readonly Found[] =>
  found.toSorted((a, b) => b.score - a.score || (a.entry.at < b.entry.at ? 1 : a.entry.at > b.entry.at ? -1 : 0));

// --- references -------------------------------------------------------------------------------------------------------

/** `SESSION:12` for what a message says, `SESSION:12.1` for a call in it, `SESSION:12+3.1` in a context that was carried over. */
export function refOf(entry: EntryRow, source: SourceRow): string {
  if (entry.kind === 'memory') return `memory:${source.grp}:${memoryKindOf(source.path)}:${entry.key}`;
  return `${source.session}:${entry.n}${entry.part < 0 ? '' : `+${entry.part}`}${entry.block < 0 ? '' : `.${entry.block}`}`;
}

const memoryKindOf = (path: string): string => /(\w+)\.md$/.exec(path)?.[1] ?? '';

const LOG_REF = /^([a-z0-9_-]+):(\d{1,15})(?:\+(\d{1,15}))?(?:\.(\d{1,15}))?$/;
const MEMORY_REF = /^memory:([a-z0-9_-]+):(decisions|facts|preferences|runtime):([0-9a-f]{8})$/;

/** What a reference names, when it is in the index. */
export function findRef(
  index: SearchIndex,
  paths: StorePaths,
  ref: string,
): { readonly entry: EntryRow; readonly source: SourceRow } | undefined {
  const [, group, kind, key] = MEMORY_REF.exec(ref) ?? [];
  if (group !== undefined && key !== undefined) {
    const page = isId(group) || group === MAIN_GROUP ? paths.memory(group) : undefined;
    const source =
      page === undefined ? undefined : index.sources().find(({ path }) => path.startsWith(page) && memoryKindOf(path) === kind);
    const entry = source === undefined ? undefined : index.entryByKey(source.id, key);
    return source === undefined || entry === undefined ? undefined : { entry, source };
  }
  const [, session, n, part, block] = LOG_REF.exec(ref) ?? [];
  const source = session !== undefined && isId(session) ? index.sourceAt(paths.log(session)) : undefined;
  if (source === undefined) return undefined;
  const spot = { n: Number(n), part: part === undefined ? -1 : Number(part), block: block === undefined ? -1 : Number(block) };
  const entry = index.entryAt(source.id, spot);
  return entry === undefined ? undefined : { entry, source };
}

/** As a person and the agent are told of it. */
export const sourceLine = (entry: EntryRow, source: SourceRow): RecallSource => ({
  ref: refOf(entry, source),
  sessionId: entry.kind === 'memory' ? entry.place : source.session,
  at: entry.at,
  kind: entry.kind,
  tool: entry.tool === '' ? undefined : entry.tool,
  failed: entry.failed === 1,
});

/** The whole text of an entry as it was indexed; undefined when its file no longer has it. */
export function readEntry(
  { bodies }: Pick<SearchWorld, 'bodies'>,
  { entry, source }: Pick<Found, 'entry' | 'source'>,
  words: SearchWords,
): string | undefined {
  if (entry.kind === 'memory') return readItem(source.path, entry);
  const original = readOriginal(source.path, entry, bodies(source.session));
  if (original === undefined) return undefined;
  if (original.kind === 'said') return words.said(original.message)?.text;
  return original.kind === 'result' ? original.result.text : words.call(original.call, original.result).text;
}

/** Where the slice of a text begins. */
export const sliceStart = (text: string, slice: number): number => Math.min(slice * sliceStep(text.length, MAX_SLICES), text.length);
