import { setImmediate as pause } from 'node:timers/promises';
import { callText, messageDocument, RECALL_TOOL } from '../../context/search/search-documents.ts';
import { snippetOf } from '../../context/search/search-snippet.ts';
import { indexTerms, queryTerms } from '../../context/search/search-terms.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { RecalledText, RecallHit, RecallOptions } from '../../domain/recall.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { type EntryMatch, type FindOptions, findEntries } from '../../store/search/search-find.ts';
import { findRef, readEntry, recallSourceOf, sliceStart } from '../../store/search/search-refs.ts';
import { type SearchDeps, withSearchIndex } from '../../store/search/search-store.ts';
import type { TextAnalyzer } from '../../store/search/search-words.ts';
import type { BodyStore } from '../../store/session/bodies.ts';
import type { Store } from '../../store/store.ts';
import { storeWorldOf } from '../open-store.ts';
import type { World } from '../world.ts';

export type RecallPlace = {
  readonly world: World;
  readonly home: string;
  readonly store: Store;
  /** Undefined: of any group, for the person whose home it is. */
  readonly group: string | undefined;
  readonly tell: (line: string) => void;
};

const words: TextAnalyzer = { terms: indexTerms, messageText: messageDocument, callText, excludedTool: RECALL_TOOL };

/** The best hits, first. Throws `usage` for a query without a word in it. `beside` is what an agent that asks has in its context. */
export async function search(
  place: RecallPlace & { readonly group: string },
  wish: RecallOptions & Pick<FindOptions, 'beside'>,
  signal: AbortSignal,
): Promise<readonly RecallHit[]> {
  return (await searchTexts(place, wish, signal)).map(({ hit }) => hit);
}

export type FoundText = { readonly hit: RecallHit /** The whole of it. */; readonly text: string };

/** The same with the whole text of each hit. */
export async function searchTexts(
  place: RecallPlace & { readonly group: string },
  wish: RecallOptions & Pick<FindOptions, 'beside'>,
  signal: AbortSignal,
): Promise<readonly FoundText[]> {
  const { query, ...filter } = wish;
  const asked = queryTerms(query);
  if (asked.length === 0)
    throw new SanbotError('usage', 'There is no word to search for', { hint: 'Give a word, a name, a path or a piece of an error.' });
  const searching = searchWorld(place);
  return withSearchIndex(
    searching,
    (index) =>
      findEntries(index, { ...filter, words: asked, group: place.group }, (found) => readEntry(searching, found, searching.analyzer)).map(
        (found): FoundText => {
          const text = textOf(searching, found);
          const start = sliceStart(text, found.slice);
          const shown = snippetOf(text.slice(start, start + MAX_LOOKED_AT), asked, start);
          const source = recallSourceOf(found);
          return { text, hit: { ...source, score: rounded(found.score), snippet: shown.snippet, charOffset: shown.start } };
        },
      ),
    signal,
  );
}

/** What a slice holds at most is more only in texts of many megabytes. */
const MAX_LOOKED_AT = 64_000;

const rounded = (score: number): number => Math.round(score * 1000) / 1000;

/** The original that a reference names, with its neighbours; undefined when there is none, or when it belongs to another group. */
export async function openRef(place: RecallPlace, ref: string, signal: AbortSignal): Promise<RecalledText | undefined> {
  const searching = searchWorld(place);
  return withSearchIndex(
    searching,
    (index) => {
      const found = findRef(index, searching.paths, ref);
      if (found === undefined || (place.group !== undefined && found.source.grp !== place.group)) return undefined;
      const beside = (side: 'before' | 'after') => {
        const entry = index.neighbour(found.entry, side);
        return entry === undefined ? undefined : recallSourceOf({ entry, source: found.source });
      };
      return { ...recallSourceOf(found), text: textOf(searching, found), before: beside('before'), after: beside('after') };
    },
    signal,
  );
}

const textOf = (searching: SearchDeps, found: Pick<EntryMatch, 'entry' | 'source'>): string =>
  readEntry(searching, found, words) ?? '(the original can no longer be read)';

function searchWorld({ world, home, store, tell }: RecallPlace): SearchDeps {
  // Each knows after a first look where in bodies.jsonl its bodies are.
  const bodies = new Map<string, BodyStore>();
  return {
    disk: { ...storeWorldOf(world, home), warn: tell },
    paths: pathsOf(home),
    analyzer: words,
    bodies: (sessionId) => {
      const known = bodies.get(sessionId) ?? store.bodies(sessionId);
      bodies.set(sessionId, known);
      return known;
    },
    pause: () => pause(),
  };
}
