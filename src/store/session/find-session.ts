import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { namesIn } from '../files/atomic-write.ts';
import { isId, noSuchSession } from '../files/ids.ts';
import type { StorePaths } from '../files/paths.ts';

const MAX_SHOWN = 5;

/**
 * The session with this id, or the only one whose id has `text` in it. Reads names of folders, no log. Throws not_found: with the nearest
 * ids, or with those that `text` fits.
 */
export function findSessionId(paths: StorePaths, text: string): string {
  const ids = namesIn(paths.sessions).filter(isId);
  if (ids.includes(text)) return text;
  const matches = text === '' ? [] : ids.filter((id) => id.includes(text));
  const [match] = matches;
  if (match === undefined) throw noSuchSession(text, ids);
  if (matches.length === 1) return match;
  const shown = matches.sort().reverse().slice(0, MAX_SHOWN);
  const more = matches.length > shown.length ? ` and ${matches.length - shown.length} more` : '';
  throw new SanbotError('not_found', `${inspectText(text)} fits ${matches.length} sessions`, {
    hint: `Give more of the id: ${shown.join(', ')}${more}.`,
  });
}
