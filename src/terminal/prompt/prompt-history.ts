import type { ReplIo } from '../repl/types.ts';

/** What Up brings back, kept for later runs too. */
export type PromptHistory = { readonly newestFirst: () => readonly string[]; readonly add: (message: string) => void };

export function createPromptHistory({ history }: Pick<ReplIo, 'history'>): PromptHistory {
  let messages: readonly string[] | undefined;
  const newestFirst = (): readonly string[] => {
    messages ??= history.load().toReversed();
    return messages;
  };
  return {
    newestFirst,
    add: (message) => {
      messages = [message, ...newestFirst()];
      history.save(message);
    },
  };
}
