import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CountTokens } from '../context/measure/count.ts';
import { openRankTable } from '../context/measure/rank-table.ts';
import { createTokenCounter } from '../context/measure/tokens.ts';
import { SanbotError } from '../domain/errors.ts';
import type { Environment } from './environment.ts';

/** The one counter, with the vocabulary that the build has laid beside the program (4 MB). Throws SanbotError `internal` where it is missing. */
export function loadTokenCounter({ packageRoot }: Pick<Environment, 'packageRoot'>): CountTokens {
  const path = join(packageRoot, 'dist', 'bundle', 'o200k.ranks');
  try {
    return createTokenCounter(openRankTable(readFileSync(path)));
  } catch (cause) {
    throw new SanbotError(
      'internal',
      { en: `The vocabulary for counting tokens cannot be read: ${path}`, zh: `无法读取用于估算 token 的词表：${path}` },
      {
        cause,
        hint: {
          en: 'Install SanBot again; in a checkout of its source, run npm run build.',
          zh: '请重新安装 SanBot；如果是源代码的检出，请运行 npm run build。',
        },
      },
    );
  }
}
