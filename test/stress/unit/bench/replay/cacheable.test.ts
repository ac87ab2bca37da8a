import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { metricsOf } from '../../../../../bench/replay/measure/summarise-runs.ts';
import type { OpenReplayStore } from '../../../../../bench/replay/replay-home.ts';
import { replay } from '../../../../../bench/replay/run.ts';
import { importTranscript } from '../../../../../src/commands/sessions/recordings/import-transcript.ts';
import { configSchema } from '../../../../../src/domain/config/config.ts';
import { countTokens } from '../../../../support/count-tokens.ts';
import { replayPlace } from '../../../../support/replay-place.ts';
import { root } from '../../../../support/source.ts';

const folder = process.env.SANBOT_TEST_TRANSCRIPTS ?? join(root, '..', 'shared', 'transcripts');
const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(jsonl?|traj|md)$/.test(name) && !name.startsWith('README'))
      .toSorted()
  : [];

/**
 * The share of input tokens that the provider's cache still has from the request before, over all recorded sessions. What is new
 * in each request can never be, and the smaller the context is kept, the larger is its share: of 32,000 tokens that alone is 3.5 %. The
 * limits apply to 100,000 tokens, whatever the window. In a large window little happens, and every second session shows it as well.
 */
const floors = [
  { windowTokens: 32_000, least: 0.943, oneOf: 1, atLeast: 2_000 },
  { windowTokens: 200_000, least: 0.975, oneOf: 2, atLeast: 1_000 },
];

describe.skipIf(files.length === 0)('on recorded sessions (skipped where ../shared/transcripts is not there)', () => {
  test.each(floors)(
    'at $windowTokens tokens nearly all input can be read from the cache, and nothing overflows [C57, C58]',
    async ({ windowTokens, least, oneOf, atLeast }) => {
      const runs = [];
      for (const file of files.filter((_, at) => at % oneOf === 0))
        for (const transcript of importTranscript(file, readFileSync(join(folder, file), 'utf8')))
          runs.push({
            file,
            part: transcript.part,
            format: transcript.format,
            windowTokens,
            policy: 'sanbot' as const,
            outcome: await replay(transcript, { ...wish, openStore: placeWithoutLookUps(), windowTokens }),
          });
      const { inputTokens, cachedTokens, overflowRequests, requests } = metricsOf(runs);
      expect(requests).toBeGreaterThan(atLeast);
      expect(cachedTokens / inputTokens).toBeGreaterThan(least);
      expect(overflowRequests).toBe(0);
    },
  );
});

/** What left the context is of no interest here, and to look all of it up takes most of the time of a replay. */
function placeWithoutLookUps(): OpenReplayStore {
  const open = replayPlace();
  return (now) => ({ ...open(now), find: async () => [] });
}

const counts = new Map<string, number>();
const wish = {
  policy: 'sanbot' as const,
  config: configSchema.parse({}),
  system: readFileSync(join(root, 'prompts', 'system.md'), 'utf8'),
  tools: [],
  count: (text: string) => {
    const known = counts.get(text) ?? countTokens(text);
    counts.set(text, known);
    return known;
  },
};
