import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRankTable } from '../context/measure/byte-pairs.ts';
import type { CountTokens } from '../context/measure/count.ts';
import { createTokenCounter } from '../context/measure/tokens.ts';
import { SanbotError } from '../domain/errors.ts';
import { memoizeRecent } from '../domain/value/memoize.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import type { Environment } from './environment.ts';

/** The one counter, with the vocabulary that the build has laid beside the program (3 MB). Throws SanbotError `internal` where it is missing. */
export function loadTokenCounter({ packageRoot }: Pick<Environment, 'packageRoot'>): CountTokens {
  const folder = join(packageRoot, 'dist', 'bundle');
  const path = join(folder, 'o200k.ranks');
  try {
    return withKnown(
      memoizeRecent(createTokenCounter(openRankTable(readFileSync(path))), COUNTED_ONCE),
      readKnown(join(folder, 'known-counts.json')),
    );
  } catch (cause) {
    throw new SanbotError(
      'internal',
      { en: `The vocabulary for counting tokens cannot be read: ${path}`, zh: `无法读取用于估算 token 的词表：${path}` },
      {
        en: 'Install SanBot again; in a checkout of its source, run npm run build.',
        zh: '请重新安装 SanBot；如果是源代码的检出，请运行 npm run build。',
      },
      cause,
    );
  }
}

/**
 * A result is counted when it comes, where its stub is weighed against it, and when it has left; most of a full context is kept in between.
 * Shorter ones cost as little as to look them up, and longer ones are sampled.
 */
const COUNTED_ONCE = { minChars: 200, maxChars: 100_000, keptChars: 600_000 };

/** No text among them is longer. */
const MAX_KNOWN_CHARS = 4_000;

/** What every session tells a model of its tools was counted when the program was built: a start need not count it anew. */
const withKnown =
  (count: CountTokens, known: ReadonlyMap<string, number>): CountTokens =>
  (text) =>
    (text.length <= MAX_KNOWN_CHARS ? known.get(text) : undefined) ?? count(text);

/** None where they cannot be read: then all is counted. */
const readKnown = (path: string): ReadonlyMap<string, number> =>
  new Map(Object.entries(orUndefined(() => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, number>>) ?? {}));
