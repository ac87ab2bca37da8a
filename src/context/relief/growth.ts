import type { Message } from '../../domain/session/message.ts';

/**
 * By how many tokens a step makes the context grow, as its own messages say: all of them but a summary, for each reply of the model.
 * Undefined before the first reply. `sizes` are the tokens of each message.
 */
export function growthPerStep(messages: readonly Message[], sizes: readonly number[]): number | undefined {
  let replies = 0;
  let tokens = 0;
  for (const [index, { origin }] of messages.entries()) {
    if (origin === 'summary') continue;
    if (origin === 'model') replies += 1;
    tokens += sizes[index] ?? 0;
  }
  return replies === 0 ? undefined : tokens / replies;
}
