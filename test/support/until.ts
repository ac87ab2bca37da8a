import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** For what never comes: a busy machine may take twenty times as long as one alone. */
export const PATIENCE_MS = 120_000;
const LOOK_MS = 10;

/**
 * Resolves with what `look` finds as soon as it finds something. For all that another process does, since it comes when that process gets
 * to it: what is thrown until then, such as of a file that is not there, counts as nothing found, and is told where nothing comes.
 */
export async function until<T>(look: () => T | false | undefined): Promise<T> {
  const start = performance.now();
  for (let why: unknown; ; ) {
    try {
      const found = look();
      if (found !== undefined && found !== false) return found;
      why = undefined;
    } catch (error) {
      why = error;
    }
    if (performance.now() - start > PATIENCE_MS) throw new Error(`It did not come: ${look}`, { cause: why });
    await pause(LOOK_MS);
  }
}

/** The text of a file that another process writes, once it has this in it; without a wish, once its first line is whole. */
export const textComes = (path: string, wanted: string | RegExp = '\n'): Promise<string> =>
  until(() => {
    const text = readFileSync(path, 'utf8');
    return (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) && text;
  });
