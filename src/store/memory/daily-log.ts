import type { Disk } from '../files/disk.ts';
import { changeBytes } from './page-file.ts';

type Digest = { readonly day: string; readonly text: string };
type DigestOutcome = 'added' | 'closed' | 'full';

/**
 * Adds a digest under the heading of its day. The first digest that does not fit closes the page with a line that says so (`closed`); any
 * later one is `full`. Throws store_failed.
 */
export function addDigest(disk: Disk, path: string, { day, text }: Digest): DigestOutcome {
  let outcome: DigestOutcome = 'added';
  const change = (bytes: Buffer) => {
    const start = bytes.length === 0 ? Buffer.from(`# ${day}\n\n`, 'utf8') : bytes;
    const gap = start.length > 0 && start[start.length - 1] !== 0x0a ? '\n' : '';
    const digest = Buffer.from(`${gap}${text.toWellFormed()}`, 'utf8');
    outcome = bytes.includes(FULL_DAY_LINE) ? 'full' : start.length + digest.length <= MAX_DAILY_BYTES ? 'added' : 'closed';
    if (outcome === 'full') return undefined;
    return Buffer.concat([start, outcome === 'added' ? digest : Buffer.from(`${gap}${FULL_DAY_LINE}\n`, 'utf8')]);
  };
  changeBytes(disk, path, { point: 'memory', change });
  return outcome;
}

/** Room for some two thousand turns. */
const MAX_DAILY_BYTES = 1024 * 1024;
const FULL_DAY_LINE = '- This day is full: its further turns stand in the logs of their sessions.';
