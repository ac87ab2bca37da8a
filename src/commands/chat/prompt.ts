import { SanbotError } from '../../domain/errors.ts';
import type { World } from '../../runtime/world.ts';

type Asking = { readonly given: string | undefined; readonly tell: (line: string) => void };

/**
 * What is asked without a person: the prompt that was given, and after a blank line what comes from a file or a pipe. Without a prompt,
 * all of stdin, whenever it ends. With one, a stdin that nobody writes to or ends holds nothing up for long, and that is told.
 * Throws usage when there is nothing to read, or more than a prompt can be.
 */
export async function promptOf(world: Pick<World, 'stdin' | 'sleep'>, { given, tell }: Asking): Promise<string> {
  const { stdin } = world;
  if (given === undefined) {
    if (stdin.isTTY) throw new SanbotError('usage', 'There is no prompt: give one after --print, or pipe it in');
    return (await readPieces(stdin[Symbol.asyncIterator](), async (next) => next)).text;
  }
  if (stdin.isTTY) return given;
  const piped = await readInTime(world, tell);
  if (piped.trim() === '') return given;
  return given.trim() === '' ? piped : `${given}\n\n${piped}`;
}

/** A parent that gives no input often leaves the pipe open: cron, CI, a program that starts another. */
const FIRST_WAIT_MS = 3_000;
/** What began to write may work for a while between two pieces: a build, a test run. */
const NEXT_WAIT_MS = 60_000;
/** Far more than any window holds; a stdin without an end (/dev/zero) meets it. */
const MAX_BYTES = 100_000_000;

async function readInTime({ stdin, sleep }: Pick<World, 'stdin' | 'sleep'>, tell: Asking['tell']): Promise<string> {
  try {
    const { text, late } = await readPieces(stdin[Symbol.asyncIterator](), (next, begun) =>
      inTime(next, (signal) => sleep(begun ? NEXT_WAIT_MS : FIRST_WAIT_MS, signal)),
    );
    if (late && text === '')
      tell(`stdin was not read: nothing came in ${FIRST_WAIT_MS / 1_000} s (to say that there is none: < /dev/null)`);
    else if (late) tell(`stdin did not end: the prompt has what came until ${NEXT_WAIT_MS / 1_000} s passed without more`);
    return text;
  } catch (error) {
    if (error instanceof SanbotError) throw error;
    tell(`stdin was not read: ${error instanceof Error ? error.message : String(error)}`);
    return '';
  } finally {
    stdin.destroy();
  }
}

type Next = IteratorResult<unknown>;
type Wait = (next: Promise<Next>, begun: boolean) => Promise<Next | undefined>;

/** All that comes until the end, or until `wait` gives up on the next piece. */
async function readPieces(from: AsyncIterator<unknown>, wait: Wait): Promise<{ readonly text: string; readonly late: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const next = await wait(from.next(), pieces.length > 0);
    if (next === undefined || next.done === true) return { text: Buffer.concat(pieces).toString('utf8'), late: next === undefined };
    const piece = Buffer.isBuffer(next.value) ? next.value : Buffer.from(String(next.value));
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_BYTES)
      throw new SanbotError('usage', `stdin has more than ${MAX_BYTES / 1_000_000} MB: no prompt can hold that`, {
        hint: 'Put it into a file, and name the file in the prompt.',
      });
  }
}

async function inTime(next: Promise<Next>, pause: (signal: AbortSignal) => Promise<void>): Promise<Next | undefined> {
  const came = new AbortController();
  const late = pause(came.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([next, late]);
  } finally {
    came.abort();
  }
}
