import { orFailure, SanbotError } from '../../domain/errors.ts';
import type { RecallOptions } from '../../domain/recall.ts';
import { inspectText } from '../../domain/text.ts';
import { type Embeddings, openEmbeddings } from '../../runtime/conversation/recall/embeddings.ts';
import { openRef, search } from '../../runtime/conversation/recall/recall.ts';
import { type GroupOptions, groupOf, type HomeOptions } from '../../runtime/home.ts';
import type { RecallContext } from '../../runtime/runtime.ts';
import { readSettings } from '../../runtime/settings.ts';
import { projectRootOf } from '../../runtime/trust/repository.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { originalJson, originalText, recallHitsJson, recallHitsText, sessionsLeftText } from '../../terminal/views/recall-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

export type SearchOptions = HomeOptions & GroupOptions & RecallOptions & { readonly json?: boolean; readonly wait?: boolean };

export type ShowOptions = HomeOptions & { readonly ref: string; readonly json?: boolean };

const neverAborted = new AbortController().signal;

/** What was found, the best first; without a hit nothing on stdout, and exit code 0. What was not searched is told on stderr. */
export async function showHits(options: SearchOptions, { environment, io }: CommandContext): Promise<void> {
  const context = recallContextOf(options, { environment, io });
  const session = options.session === undefined ? undefined : context.store.sessions.findId(options.session);
  const { query, tool, role, errors, decisions, since, until, all, limit, wait } = options;
  const { hits, sessionsLeft } = await search(
    { ...context, group: groupOf(environment, options), embeddings: embeddingsFor(options, { environment, io }) },
    {
      ...{ query, session, tool, role, errors, decisions, since, until, all, limit, indexes: wait ? 'all' : undefined },
      project: projectRootOf(environment),
    },
    neverAborted,
  );
  if (options.json) io.out(recallHitsJson(hits));
  else if (hits.length > 0) io.out(recallHitsText(hits, { paint: createPaint(io.colour) }));
  else io.warn({ en: 'nothing found', zh: '没有找到' });
  const left = sessionsLeftText(sessionsLeft, SEARCH_AGAIN);
  if (left !== undefined) io.warn(left);
}

const SEARCH_AGAIN = {
  en: 'search again to go on, or with --wait to index all of them first',
  zh: '再搜一次会继续索引，加 --wait 则先全部索引完',
};

/** Words find what they find, also where the settings cannot be read. */
export function embeddingsFor(options: HomeOptions, { environment, io }: CommandContext): Embeddings | undefined {
  const opened = orFailure(() => openEmbeddings(environment, readSettings(environment, options)));
  if (!(opened instanceof SanbotError)) return opened;
  const { en, zh } = opened.shown.message;
  io.warn({ en: `${en}: this search goes by words alone.`, zh: `${zh}：本次只按词语查找。` });
  return undefined;
}

/** The text of one reference, whole. Throws not_found when there is none. */
export async function showOriginal({ ref, json, ...options }: ShowOptions, { environment, io }: CommandContext): Promise<void> {
  const original = await openRef(recallContextOf(options, { environment, io }), ref, neverAborted);
  if (original === undefined)
    throw new SanbotError(
      'not_found',
      { en: `There is no text with the reference ${inspectText(ref)}`, zh: `没有引用为 ${inspectText(ref)} 的文本` },
      { en: 'sanbot search QUERY prints references.', zh: 'sanbot search QUERY 会输出引用。' },
    );
  io.out(json ? originalJson(original) : originalText(original, { paint: createPaint(io.colour) }));
}

function recallContextOf(options: HomeOptions, { environment, io }: CommandContext): RecallContext {
  const { home, store } = openHome(options, { environment, io });
  return { environment, home, store, group: undefined, warn: io.warn };
}
