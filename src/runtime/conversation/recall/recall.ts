/**
 * Looking up what was said and seen: for the tool `recall`, `/recall` and `sanbot search`. A query comes in, the best hits come out, or a
 * whole original by its reference. `recall-hits.ts` finds and ranks them; store/search keeps the index.
 *
 * Where the settings name an endpoint for embeddings, what is near in meaning is found too. `embeddings.ts` is the way to the endpoint,
 * `embed-pending.ts` makes vectors for what has none yet, and `embed-in-background.ts` does that while nobody waits.
 *
 * A look-up changes nothing but the index, stays inside its group, and never fails for want of vectors: then words alone decide. The
 * database is loaded with this file, so whoever needs it only sometimes loads it then.
 */

import { setImmediate as pause } from 'node:timers/promises';
import type { Session } from '../../../agent/session/session.ts';
import { type CompactionSample, checkCompaction, type Tally } from '../../../context/fidelity/fidelity.ts';
import { queryTerms } from '../../../context/search/query-terms.ts';
import { callText, decisionAt, messageDocument, RECALL_TOOL, searchableTexts } from '../../../context/search/search-snippet.ts';
import { indexTerms } from '../../../context/search/search-terms.ts';
import { AbortedError, SanbotError } from '../../../domain/errors.ts';
import type { RecallAnswer, RecalledText, RecallOptions, RecallSource } from '../../../domain/recall.ts';
import type { Message } from '../../../domain/session/message.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { memoizeByName, memoizeByObject } from '../../../domain/value/memoize.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import type { Vector } from '../../../model/embeddings.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import type { EntryMatch, FindOptions } from '../../../store/search/search-find.ts';
import type { SearchIndex } from '../../../store/search/search-index.ts';
import { memoryKeyOf } from '../../../store/search/search-pages.ts';
import {
  findRef,
  type IndexState,
  readEntry,
  recallSourceOf,
  type SearchDeps,
  sessionOfRef,
  withSearchIndex,
} from '../../../store/search/search-store.ts';
import type { TextAnalyzer } from '../../../store/search/search-texts.ts';
import type { IndexFirst, IndexLimits } from '../../../store/search/search-update.ts';
import type { BodyStore } from '../../../store/session/bodies/bodies.ts';
import { peekHeader } from '../../../store/session/peek-session.ts';
import { storeEnvironmentOf } from '../../open-store.ts';
import type { RecallContext, Runtime } from '../../runtime.ts';
import { findHits, UNREADABLE } from './recall-hits.ts';

const analyzer: TextAnalyzer = {
  terms: indexTerms,
  messageText: messageDocument,
  callText,
  statesDecision: (text) => decisionAt(text) !== undefined,
  excludedTool: RECALL_TOOL,
};

/** `indexes`: every session, however long that takes, or only those that the request names; undefined for what there is time for. */
type RecallRequest = RecallOptions & Pick<FindOptions, 'beside'> & { readonly indexes?: 'all' | 'named' | undefined };

/** The best hits, first. Throws `usage` for a query without a word in it. `beside` is what an agent that asks has in its context. */
export async function search(
  context: RecallContext & { readonly group: string },
  { indexes, only, ...request }: RecallRequest,
  signal: AbortSignal,
): Promise<RecallAnswer> {
  const { query, errors, decisions, since, until } = request;
  const words = queryTerms(query);
  if (words.length === 0 && !(errors || decisions || since || until))
    throw new SanbotError(
      'usage',
      { en: 'There is nothing to search for', zh: '没有要搜索的内容' },
      { en: 'Give a word, a name, a path or part of an error message.', zh: '请给出一个词、名称、路径或错误信息的一部分。' },
    );
  for (const id of new Set([request.session, request.beside?.sessionId])) if (id !== undefined) await context.bringRest?.(id);
  const deps = {
    ...createSearchContext(context),
    first: indexedFirst(context, request),
    limits: indexes === 'all' ? undefined : indexes === 'named' ? NAMED_ALONE : SEARCH_LIMITS,
  };
  const mayShow = only === true && request.project !== undefined ? ownOf(context, request.project) : undefined;
  const search = { words, group: context.group, now: context.environment.now(), mayShow };
  const vector = words.length === 0 ? undefined : await queryVector(context, query, signal);
  const find = (index: SearchIndex, { sessionsLeft }: IndexState): RecallAnswer => {
    const isComparable = vector !== undefined && index.vectors.space() === `${context.embeddings?.space} ${vector.length}`;
    const hits = findHits(index, deps, { ...request, ...search, vector: isComparable ? vector : undefined });
    return { hits, sessionsLeft };
  };
  const answer = await withSearchIndex(deps, find, signal);
  return { ...answer, hits: withImported(context, answer.hits) };
}

/** Says of what is in the index whether it is the project's: by its folder, or by that of the session in which it was said. */
function ownOf({ store, group }: RecallContext, project: string): NonNullable<FindOptions['mayShow']> {
  let listed: ReadonlyMap<string, string> | undefined;
  // Rarely needed, and 15 ms where there are a thousand sessions.
  const folderOf = (session: string): string | undefined => {
    listed ??= new Map(store.sessions.list().map(({ sessionId, cwd }) => [sessionId, cwd]));
    return listed.get(session);
  };
  const isOwn = (folder: string | undefined): boolean => folder !== undefined && folder !== '' && isWithin(folder, project);
  const lines = group === undefined ? [] : store.memories(group).list();
  const ownKeys = new Set(lines.flatMap(({ text, cwd }) => (isOwn(cwd) ? [memoryKeyOf(text)] : [])));
  return ({ entry, source }) =>
    entry.kind === 'memory' ? ownKeys.has(entry.key) || isOwn(folderOf(entry.place)) : isOwn(source.folder || folderOf(source.session));
}

/** Tells which of them come from an imported session. */
function withImported<Source extends RecallSource>({ home }: RecallContext, sources: readonly Source[]): readonly Source[] {
  const isImported = memoizeByName((sessionId) => orUndefined(() => peekHeader(pathsOf(home), sessionId))?.imported !== undefined);
  return sources.map((each) => (isImported(each.sessionId) ? { ...each, imported: true } : each));
}

/**
 * What a person waits for an answer without a thought. One batch takes about half a second at the first time; smaller ones would make a
 * larger index (search-update).
 */
const SEARCH_LIMITS: IndexLimits = { ms: 1_000, batchBytes: 2 * 1024 * 1024 };
/** Not even one batch of any other. */
const NAMED_ALONE: IndexLimits = { ms: 0, batchBytes: 1 };

/** The session that is asked for, and that of the agent that asks; then those of the project. */
function indexedFirst({ store }: RecallContext, { session, beside, project, all }: RecallRequest): IndexFirst {
  const named = [session, beside?.sessionId].flatMap((id) => id ?? []);
  if (project === undefined || all === true) return { named };
  const preferred = () => {
    const inside = store.sessions.list().filter(({ cwd }) => isWithin(cwd, project));
    const ids = new Set(inside.map(({ sessionId }) => sessionId));
    return (sessionId: string) => ids.has(sessionId);
  };
  return { named, preferred };
}

/** Nobody waits longer for an answer that words give too. */
const QUERY_TIMEOUT_MS = 5_000;

async function queryVector({ embeddings, warn }: RecallContext, query: string, signal: AbortSignal): Promise<Vector | undefined> {
  const vectors = await embeddings?.embed([query], { signal, timeoutMs: QUERY_TIMEOUT_MS, warn });
  return vectors?.[0];
}

/**
 * The original that a reference names, with its neighbours; undefined when there is none, or when it is of another group or, where one is
 * named, of another project.
 */
export async function openRef(
  context: RecallContext,
  ref: string,
  signal: AbortSignal,
  project?: string,
): Promise<RecalledText | undefined> {
  const session = sessionOfRef(ref);
  if (session !== undefined) await context.bringRest?.(session);
  const first = { named: session === undefined ? [] : [session] };
  const searchContext = { ...createSearchContext(context), first, limits: NAMED_ALONE };
  const mayShow = project === undefined ? () => true : ownOf(context, project);
  const opened = await withSearchIndex(
    searchContext,
    (index): RecalledText | undefined => {
      const match = findRef(index, searchContext.paths, ref);
      if (match === undefined || (context.group !== undefined && match.source.grp !== context.group) || !mayShow(match)) return undefined;
      const neighbourOf = (side: 'before' | 'after') => {
        const entry = index.neighbour(match.entry, side);
        return entry === undefined ? undefined : recallSourceOf({ entry, source: match.source });
      };
      return { ...recallSourceOf(match), text: textOf(searchContext, match), before: neighbourOf('before'), after: neighbourOf('after') };
    },
    signal,
  );
  return opened === undefined ? undefined : withImported(context, [opened])[0];
}

const textOf = (searchContext: SearchDeps, match: Pick<EntryMatch, 'entry' | 'source'>): string =>
  readEntry(searchContext, match, analyzer)?.text ?? UNREADABLE;

export function createSearchContext({ environment, home, store, warn }: RecallContext): SearchDeps {
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

/** As many hits as the recall tool shows. */
const MAX_HITS = 8;

/** What one look-up in a session shows an agent that has these messages in its context. */
export async function findPassages(
  context: RecallContext & { readonly group: string },
  { words, session, messages }: { readonly words: readonly string[]; readonly session: string; readonly messages: readonly Message[] },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const beside = { sessionId: session, texts: textsOf(messages) };
  const request = { query: words.join(' '), session, limit: MAX_HITS, beside, indexes: 'named' as const };
  return (await search(context, request, signal)).hits.map(({ snippet }) => snippet.text);
}

/** Many look-ups are made with the same messages. */
const textsOf = memoizeByObject(searchableTexts);

/** Beyond this the figure is not worth the wait. A session of which much is not indexed catches up by so much each time. */
const CHECK_TIMEOUT_MS = 3_000;

/** To find the facts of more messages takes longer than that by itself: 36 µs of CPU each, and nothing else runs meanwhile. */
const MAX_MESSAGES = 50_000;

/** Checks a compaction with the look-up that the agent has. Undefined when there was no time for it. */
export async function checkWithTimeout(
  { environment, home, store }: Pick<Runtime, 'environment' | 'home' | 'store'>,
  { id: session, group }: Pick<Session, 'id' | 'group'>,
  compaction: CompactionSample,
): Promise<Tally | undefined> {
  if (compaction.before.length > MAX_MESSAGES) return undefined;
  const signal = environment.deadline(CHECK_TIMEOUT_MS);
  const silentContext = { environment, home, store, group, warn: () => undefined };
  try {
    return await checkCompaction(compaction, async (words, messages) => {
      // A look-up never waits for anything, so that without this no timer would ever fire.
      await environment.sleep(0, signal);
      if (signal.aborted) throw new AbortedError();
      return findPassages(silentContext, { words, session, messages }, signal);
    });
  } catch (error) {
    if (error instanceof AbortedError) return undefined;
    throw error;
  }
}
