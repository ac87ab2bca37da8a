import { expect } from 'vitest';

import type { Ran } from './sanbot.ts';
import { replies, type Script } from './scenario.ts';
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
