import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { openRef, type RecallPlace, search } from '../../runtime/conversation/recall.ts';
import { groupOf, homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { hitsJson, hitsText, originalJson, originalText } from '../../terminal/views/recall-text.ts';
import type { SearchOptions, ShowOptions } from '../actions.ts';
import { requireSession } from '../history/history.ts';

const never = new AbortController().signal;

/** What was found, the best first; without a hit nothing on stdout, and exit code 0. */
export async function showHits(world: World, options: SearchOptions, screen: Screen): Promise<number> {
  const place = placeOf(world, options, screen);
  if (options.session !== undefined) requireSession(place.store.sessions.find(options.session), options.session);
  const { query, session, tool, role, errors, since, limit } = options;
  const hits = await search({ ...place, group: groupOf(world, options) }, { query, session, tool, role, errors, since, limit }, never);
  if (options.json) screen.out(hitsJson(hits));
  else if (hits.length > 0) screen.out(hitsText(hits, { paint: createPaint(screen.colour) }));
  else screen.err('sanbot: nothing was found\n');
  return 0;
}

/** The text of one reference, whole. Throws not_found when nothing bears it. */
export async function showOriginal(world: World, { ref, json, ...options }: ShowOptions, screen: Screen): Promise<number> {
  const found = await openRef(placeOf(world, options, screen), ref, never);
  if (found === undefined)
    throw new SanbotError('not_found', `Nothing bears the reference ${inspectText(ref)}`, {
      hint: 'sanbot search QUERY shows references.',
    });
  screen.out(json ? originalJson(found) : originalText(found, { paint: createPaint(screen.colour) }));
  return 0;
}

function placeOf(world: World, options: { readonly home: string | undefined }, screen: Screen): RecallPlace {
  const home = homeOf(world, options);
  const tell = (line: string) => screen.err(`sanbot: ${line}\n`);
  return { world, home, group: undefined, tell, store: openStore(world, home, { maxSessionBytes: NO_CAP, tell }) };
}
