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
import type { TextAnalyzer } from '../../store/search/text-analyzer.ts';
import type { BodyStore } from '../../store/session/bodies.ts';
import type { Store } from '../../store/store.ts';
import type { Environment } from '../environment.ts';
import { storeEnvironmentOf } from '../open-store.ts';

export type RecallContext = {
  readonly environment: Environment;
  readonly home: string;
  readonly store: Store;
  /** Undefined: of any group, for the person whose home it is. */
  readonly group: string | undefined;
  readonly warn: (line: string) => void;
};

const words: TextAnalyzer = { terms: indexTerms, messageText: messageDocument, callText, excludedTool: RECALL_TOOL };

/** The best hits, first. Throws `usage` for a query without a word in it. `beside` is what an agent that asks has in its context. */
export async function search(
  context: RecallContext & { readonly group: string },
  request: RecallOptions & Pick<FindOptions, 'beside'>,
  signal: AbortSignal,
): Promise<readonly RecallHit[]> {
  return (await searchTexts(context, request, signal)).map(({ hit }) => hit);
}

export type RecallMatch = { readonly hit: RecallHit /** The whole of it. */; readonly text: string };

/** The same with the whole text of each hit. */
export async function searchTexts(
  context: RecallContext & { readonly group: string },
  request: RecallOptions & Pick<FindOptions, 'beside'>,
  signal: AbortSignal,
): Promise<readonly RecallMatch[]> {
  const { query, ...filter } = request;
  const terms = queryTerms(query);
  if (terms.length === 0)
    throw new SanbotError('usage', 'There is nothing to search for', { hint: 'Give a word, a name, a path or part of an error message.' });
  const searchContext = createSearchContext(context);
  return withSearchIndex(
    searchContext,
    (index) =>
      findEntries(index, { ...filter, words: terms, group: context.group }, (match) =>
        readEntry(searchContext, match, searchContext.analyzer),
      ).map((match): RecallMatch => {
        const text = textOf(searchContext, match);
        const start = sliceStart(text, match.slice);
        const excerpt = snippetOf(text.slice(start, start + MAX_EXCERPT_SOURCE_CHARS), terms, start);
        const source = recallSourceOf(match);
        return { text, hit: { ...source, score: roundScore(match.score), snippet: excerpt.snippet, charOffset: excerpt.start } };
      }),
    signal,
  );
}

/** What a slice holds at most is more only in texts of many megabytes. */
const MAX_EXCERPT_SOURCE_CHARS = 64_000;

const roundScore = (score: number): number => Math.round(score * 1000) / 1000;

/** The original that a reference names, with its neighbours; undefined when there is none, or when it belongs to another group. */
export async function openRef(context: RecallContext, ref: string, signal: AbortSignal): Promise<RecalledText | undefined> {
  const searchContext = createSearchContext(context);
  return withSearchIndex(
    searchContext,
    (index) => {
      const match = findRef(index, searchContext.paths, ref);
      if (match === undefined || (context.group !== undefined && match.source.grp !== context.group)) return undefined;
      const neighbourOf = (side: 'before' | 'after') => {
        const entry = index.neighbour(match.entry, side);
        return entry === undefined ? undefined : recallSourceOf({ entry, source: match.source });
      };
      return { ...recallSourceOf(match), text: textOf(searchContext, match), before: neighbourOf('before'), after: neighbourOf('after') };
    },
    signal,
  );
}

const textOf = (searchContext: SearchDeps, match: Pick<EntryMatch, 'entry' | 'source'>): string =>
  readEntry(searchContext, match, words) ?? '(the original can no longer be read)';

function createSearchContext({ environment, home, store, warn }: RecallContext): SearchDeps {
  // Each knows after a first look where in bodies.jsonl its bodies are.
  const bodies = new Map<string, BodyStore>();
  return {
    disk: { ...storeEnvironmentOf(environment, home), warn },
    paths: pathsOf(home),
    analyzer: words,
    bodies: (sessionId) => {
      const bodyStore = bodies.get(sessionId) ?? store.bodies(sessionId);
      bodies.set(sessionId, bodyStore);
      return bodyStore;
    },
    pause: () => pause(),
  };
}
