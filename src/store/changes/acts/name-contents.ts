import { lstatSync } from 'node:fs';
import type { Change } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { sha256Of } from '../../session/bodies/body-text.ts';
import { bytesNow } from '../is-now.ts';
import { standingOf } from '../look/standing.ts';

/** So much is read after a command, to know again what it wrote; what is beyond is known by its times alone. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The changes of an act, with the names of what it wrote: its content is not kept, but known again where only its times have changed since.
 * Marked as fresh, it is read before anything is claimed of it.
 */
export function nameContents(changes: readonly Change[]): readonly Change[] {
  let left = MAX_BYTES;
  return changes.map((change) => {
    const { path, after } = change;
    if (after?.kind !== 'file' || after.holds !== undefined || after.size > left) return change;
    left -= after.size;
    const bytes = bytesNow(path);
    const now = orUndefined(() => standingOf(lstatSync(path)));
    // Somebody writes it at this moment.
    if (bytes?.length !== after.size || now?.mtime !== after.mtime || now.ctime !== after.ctime) return change;
    return { ...change, after: { ...after, holds: `sha256:${sha256Of(bytes)}`, isFresh: true } };
  });
}
