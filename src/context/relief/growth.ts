import type { Message } from '../../domain/session/message.ts';

/** What came long ago may stand there as stubs by now, and the work may have been of another kind. */
const MAX_REPLIES = 16;

/**
 * By how many tokens a step makes the context grow, as its newest messages say: all that came with the last replies of the model, for each
 * of them. Undefined before the first reply. `sizes` are the tokens of each message.
 */
export function growthPerStep(messages: readonly Message[], sizes: readonly number[]): number | undefined {
  let replies = 0;
  let tokens = 0;
  for (let index = messages.length - 1; index >= 0 && replies < MAX_REPLIES; index--) {
    const origin = messages[index]?.origin;
    if (origin === 'summary') break;
    if (origin === 'model') replies += 1;
    tokens += sizes[index] ?? 0;
  }
  return replies === 0 ? undefined : tokens / replies;
}
