import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { openRef, type RecallContext, search } from '../../runtime/conversation/recall.ts';
import type { Environment } from '../../runtime/environment.ts';
import { groupOf, homeOf } from '../../runtime/home.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { originalJson, originalText, recallHitsJson, recallHitsText } from '../../terminal/views/recall-text.ts';
import type { SearchOptions, ShowOptions } from '../actions.ts';
import { requireSession } from '../history/history.ts';

const neverAborted = new AbortController().signal;

/** What was found, the best first; without a hit nothing on stdout, and exit code 0. */
export async function showHits(environment: Environment, options: SearchOptions, io: IoStreams): Promise<number> {
  const context = recallContextOf(environment, options, io);
  if (options.session !== undefined) requireSession(context.store.sessions.find(options.session), options.session);
  const { query, session, tool, role, errors, since, limit } = options;
  const hits = await search(
    { ...context, group: groupOf(environment, options) },
    { query, session, tool, role, errors, since, limit },
    neverAborted,
  );
  if (options.json) io.out(recallHitsJson(hits));
  else if (hits.length > 0) io.out(recallHitsText(hits, { paint: createPaint(io.colour) }));
  else io.err('sanbot: nothing was found\n');
  return 0;
}

/** The text of one reference, whole. Throws not_found when nothing bears it. */
export async function showOriginal(environment: Environment, { ref, json, ...options }: ShowOptions, io: IoStreams): Promise<number> {
  const original = await openRef(recallContextOf(environment, options, io), ref, neverAborted);
  if (original === undefined)
    throw new SanbotError('not_found', `Nothing bears the reference ${inspectText(ref)}`, {
      hint: 'sanbot search QUERY shows references.',
    });
  io.out(json ? originalJson(original) : originalText(original, { paint: createPaint(io.colour) }));
  return 0;
}

function recallContextOf(environment: Environment, options: { readonly home: string | undefined }, io: IoStreams): RecallContext {
  const home = homeOf(environment, options);
  const warn = (line: string) => io.err(`sanbot: ${line}\n`);
  return { environment, home, group: undefined, warn, store: openStore(environment, home, { maxSessionBytes: NO_CAP, warn }) };
}
