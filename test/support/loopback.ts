import { expect } from 'vitest';

import { madeOnce } from './copied-world.ts';
import { startFakeApi } from './fake-api.ts';
import { createSandbox, type Ran, type Sandbox } from './sanbot.ts';
import { replies, type Script, type Step } from './scenario.ts';
import { goodSummary } from './summary.ts';

export const prose = (about: string, sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `${about} has a fact number ${i} that somebody may need later.`).join(' ');

/** Turns reply with prose that fills the window; summaries as the test wants. Both say what they are asked for by the request's purpose. */
export const script =
  ({ summary = () => replies(goodSummary), turn }: { readonly summary?: Script; readonly turn?: Script } = {}): Script =>
  (request, n) =>
    request.purpose === 'summary' ? summary(request, n) : (turn?.(request, n) ?? replies(prose(`Answer ${n}`, 300)));

export const events = (ran: Ran): readonly Record<string, unknown>[] =>
  ran.out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const typesOf = (ran: Ran) => events(ran).map((event) => event.type);

export const resultOf = (ran: Ran) => events(ran).at(-1) ?? {};

export type Say = (prompt: string, more?: readonly string[]) => Promise<Ran>;

/** Talks until a compaction happened; at most 12 turns. */
export const untilCompacted = async (say: Say, first: readonly string[] = ['--continue']): Promise<Ran> => {
  let ran = await say('Tell me about part 0; never touch vendor/lib.ts.', first);
  for (let i = 1; i < 12; i++) {
    expect(ran.err).toBe('');
    if (typesOf(ran).some((type) => type === 'compacted' || type === 'compaction_failed')) return ran;
    ran = await say(`Tell me about part ${i}. ${prose('My question', 20)}`);
  }
  throw new Error('no compaction in twelve turns');
};

export const compactedIn = (ran: Ran) => events(ran).find((event) => event.type === 'compacted');

/** The program against an API on loopback; whoever starts it closes `api`. */
export async function startLoopback(steps: Script | readonly Step[], env: Record<string, string> = {}, world: Sandbox = createSandbox()) {
  const api = await startFakeApi(steps, { home: world.home, key: 'test-key', chunkBytes: 97 });
  const vars = {
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test-key',
    SANBOT_CONTEXT_WINDOW: '16000',
    SANBOT_MODEL: 'claude-sonnet-5-5',
    SANBOT_COMPACT_RETRY_COUNT: '0',
    ...env,
  };
  const say = (prompt: string, more: readonly string[] = ['--continue']): Promise<Ran> =>
    world.run(['-p', prompt, '--output-format', 'stream-json', '--permission-mode', 'bypass', ...more], { env: vars });
  return { world, api, say, vars };
}

/** Two turns that nearly fill the window; nothing has been compacted yet. */
export const createNearlyFull = () =>
  madeOnce(async () => {
    const { world, api, say } = await startLoopback(script());
    await say('Tell me about the whole; never touch vendor/lib.ts.', []);
    await say(`Tell me more. ${prose('My question', 8)}`);
    await api.close();
    return { world };
  });
