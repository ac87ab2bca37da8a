import { setImmediate as pause } from 'node:timers/promises';
import { queryTerms } from '../../../context/search/query-terms.ts';
import { callText, messageDocument, RECALL_TOOL, textStatesDecision } from '../../../context/search/search-documents.ts';
import { indexTerms } from '../../../context/search/search-terms.ts';
import { SanbotError } from '../../../domain/errors.ts';
import type { RecalledText, RecallHit, RecallOptions } from '../../../domain/recall.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import type { EntryMatch, FindOptions } from '../../../store/search/search-find.ts';
import { findRef, readEntry, recallSourceOf } from '../../../store/search/search-refs.ts';
import { type SearchDeps, withSearchIndex } from '../../../store/search/search-store.ts';
import type { TextAnalyzer } from '../../../store/search/text-analyzer.ts';
import type { BodyStore } from '../../../store/session/bodies.ts';
import type { Store } from '../../../store/store.ts';
import type { Environment } from '../../environment.ts';
import { storeEnvironmentOf } from '../../open-store.ts';
import { findHits, type RecallMatch, UNREADABLE } from './recall-hits.ts';

export type RecallContext = {
  readonly environment: Environment;
  readonly home: string;
  readonly store: Store;
  /** Undefined: of any group, for the person whose home it is. */
  readonly group: string | undefined;
  readonly warn: (line: string) => void;
};

const analyzer: TextAnalyzer = {
  terms: indexTerms,
  messageText: messageDocument,
  callText,
  statesDecision: textStatesDecision,
  excludedTool: RECALL_TOOL,
};

type RecallRequest = RecallOptions & Pick<FindOptions, 'beside'>;

/** The best hits, first. Throws `usage` for a query without a word in it. `beside` is what an agent that asks has in its context. */
export async function search(
  context: RecallContext & { readonly group: string },
  request: RecallRequest,
  signal: AbortSignal,
): Promise<readonly RecallHit[]> {
  return (await searchTexts(context, request, signal)).map(({ hit }) => hit);
}

/** The same with the whole text of each hit. */
export async function searchTexts(
  context: RecallContext & { readonly group: string },
  request: RecallRequest,
  signal: AbortSignal,
): Promise<readonly RecallMatch[]> {
  const { query, errors, decisions, since, until } = request;
  const words = queryTerms(query);
  if (words.length === 0 && !(errors || decisions || since || until))
    throw new SanbotError('usage', 'There is nothing to search for', { hint: 'Give a word, a name, a path or part of an error message.' });
  const deps = createSearchContext(context);
  const search = { words, group: context.group, now: context.environment.now() };
  return withSearchIndex(deps, (index) => findHits(index, deps, { ...request, ...search }), signal);
}

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
  readEntry(searchContext, match, analyzer)?.text ?? UNREADABLE;

function createSearchContext({ environment, home, store, warn }: RecallContext): SearchDeps {
  // Each knows after a first look where in bodies.jsonl its bodies are.
  const bodies = new Map<string, BodyStore>();
  return {
    disk: { ...storeEnvironmentOf(environment, home), warn },
    paths: pathsOf(home),
    analyzer,
    bodies: (sessionId) => {
      const bodyStore = bodies.get(sessionId) ?? store.bodies(sessionId);
      bodies.set(sessionId, bodyStore);
      return bodyStore;
    },
    pause: () => pause(),
  };
}
