import { join } from 'node:path';
import type { Bilingual } from '../../../../src/domain/language.ts';
import type { RecallHit, RecallOptions } from '../../../../src/domain/recall.ts';
import type { Embeddings } from '../../../../src/runtime/conversation/recall/embeddings.ts';
import { openRef, search } from '../../../../src/runtime/conversation/recall/recall.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import type { FindOptions } from '../../../../src/store/search/search-find.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { user } from '../../../support/build.ts';
import { headerOf, nextId, type storeOf } from '../files/world.ts';

const signal = new AbortController().signal;

/** What a person and an agent find in this home. */
export function recallIn(
  made: ReturnType<typeof storeOf>,
  group = 'main',
  embeddings?: Embeddings,
  bringRest?: (id: string) => Promise<void>,
) {
  const told: string[] = [];
  const place = {
    environment: { ...processEnvironment(), newId: nextId },
    home: made.world.home,
    store: made.store,
    group,
    embeddings,
    bringRest,
    warn: ({ en }: Bilingual) => told.push(en),
  };
  const find = async (query: string, wish: Partial<RecallOptions> & Pick<FindOptions, 'beside'> = {}) =>
    (await search(place, { query, limit: 10, ...wish }, signal)).hits;
  return {
    place,
    ...{ told, find, index: join(made.world.home, 'index.db') },
    refs: async (query: string, wish: Partial<RecallOptions> & Pick<FindOptions, 'beside'> = {}) =>
      (await find(query, wish)).map(({ ref }) => ref),
    open: (ref: string) => openRef(place, ref, signal),
  };
}

type Said = Parameters<ReturnType<Store['sessions']['create']>['log']['append']>[0];

/** A session with these messages; answers how to go on with it. */
export function session(
  made: ReturnType<typeof storeOf>,
  sessionId: string,
  messages: readonly ReturnType<typeof user>[],
  header: { readonly group?: string; readonly cwd?: string } = {},
) {
  const { log } = made.store.sessions.create(headerOf(sessionId, header));
  const append = (record: Said) => log.append(record);
  for (const message of messages) append({ type: 'message', message });
  return { append, close: () => log.close() };
}

export const plain = (hits: readonly RecallHit[]) =>
  hits.map(({ ref, kind, tool, failed, snippet }) => ({ ref, kind, tool, failed, text: snippet.text }));
