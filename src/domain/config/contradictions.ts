import { type Bilingual, sameInBoth } from '../language.ts';
import type { Config } from './config.ts';

/** `key` does not meet what `other` requires of it. */
type Contradiction = { readonly key: string; readonly other: string; readonly expected: Bilingual; readonly found: Bilingual };

const below = (key: string): Bilingual => ({ en: `a number below ${key}`, zh: `小于 ${key} 的数字` });

/** Returns the contradictions between numbers that are each valid by themselves. */
export function contradictions(config: Config): readonly Contradiction[] {
  const { compaction } = config;
  const conflicts: Contradiction[] = [];
  if (compaction.softTokenRatio >= compaction.maxTokenRatio) {
    conflicts.push({
      key: 'compaction.softTokenRatio',
      other: 'compaction.maxTokenRatio',
      expected: below(`compaction.maxTokenRatio (${compaction.maxTokenRatio})`),
      found: sameInBoth(`${compaction.softTokenRatio}`),
    });
  }
  const { softThresholdTokens: soft, hardThresholdTokens: hard } = compaction;
  if (soft !== null && hard !== null && soft >= hard) {
    conflicts.push({
      key: 'compaction.softThresholdTokens',
      other: 'compaction.hardThresholdTokens',
      expected: below(`compaction.hardThresholdTokens (${hard})`),
      found: sameInBoth(`${soft}`),
    });
  }
  for (const section of ['offload', 'pruning'] as const) {
    const { headKeepRatio, tailKeepRatio } = config[section];
    if (headKeepRatio + tailKeepRatio <= 1) continue;
    conflicts.push({
      key: `${section}.headKeepRatio`,
      other: `${section}.tailKeepRatio`,
      expected: {
        en: `at most 1 together with ${section}.tailKeepRatio (${tailKeepRatio})`,
        zh: `与 ${section}.tailKeepRatio (${tailKeepRatio}) 之和不超过 1`,
      },
      found: sameInBoth(`${headKeepRatio}`),
    });
  }
  return conflicts;
}
