import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { expect } from 'vitest';
import { startFakeApi } from './fake-api.ts';
import { prose } from './loopback.ts';
import { createSandbox, type Ran } from './sanbot.ts';
import { replies, type Script } from './scenario.ts';
import { goodSummary } from './summary.ts';

const script: Script = (request, n) => (request.purpose === 'summary' ? replies(goodSummary) : replies(prose(`Answer ${n}`, 30)));

/** A session of three turns, of which a compaction keeps the last message or two; whoever asks for it closes `api`. */
export async function threeTurns() {
  const world = createSandbox();
  const api = await startFakeApi(script, { home: world.home, key: 'test-key' });
  const settings = {
    compaction: { keepRecentMessages: 2, targetTokens: 1_000 },
    model: { price: { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 } },
  };
  outputJsonSync(join(world.home, 'config.json'), settings, { mode: 0o600 });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const run = (...args: string[]): Promise<Ran> => world.run(args, { env });
  for (const [n, more] of [[], ['--continue'], ['--continue']].entries()) {
    expect(await run('-p', `Tell me about part ${n}; never touch vendor/lib${n}.ts.`, ...more)).toMatchObject({ code: 0 });
  }
  return { world, api, id: world.names('sessions')[0] ?? '', run };
}
