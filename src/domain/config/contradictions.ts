import type { Config } from './config.ts';

/** `key` does not meet what `other` requires of it. */
type Contradiction = { readonly key: string; readonly other: string; readonly expected: string; readonly found: string };

/** Returns the contradictions between numbers that are each valid by themselves. */
export function contradictions(config: Config): readonly Contradiction[] {
  const { compaction } = config;
  const conflicts: Contradiction[] = [];
  if (compaction.softTokenRatio >= compaction.maxTokenRatio) {
    conflicts.push({
      key: 'compaction.softTokenRatio',
      other: 'compaction.maxTokenRatio',
      expected: `a number below compaction.maxTokenRatio (${compaction.maxTokenRatio})`,
      found: `${compaction.softTokenRatio}`,
    });
  }
  const { softThresholdTokens: soft, hardThresholdTokens: hard } = compaction;
  if (soft !== null && hard !== null && soft >= hard) {
    conflicts.push({
      key: 'compaction.softThresholdTokens',
      other: 'compaction.hardThresholdTokens',
      expected: `a number below compaction.hardThresholdTokens (${hard})`,
      found: `${soft}`,
    });
  }
  for (const section of ['offload', 'pruning'] as const) {
    const { headKeepRatio, tailKeepRatio } = config[section];
    if (headKeepRatio + tailKeepRatio <= 1) continue;
    conflicts.push({
      key: `${section}.headKeepRatio`,
      other: `${section}.tailKeepRatio`,
      expected: `at most 1 together with ${section}.tailKeepRatio (${tailKeepRatio})`,
      found: `${headKeepRatio}`,
    });
  }
  return conflicts;
}
