import type { ModelReply } from '../../domain/session/model-answer.ts';
import type { Miss } from '../../domain/session/prefix.ts';

/** Follows what the provider says of the start of each request, and whether a change of it was meant. */
export function createPrefixWatch() {
  let previousReply: string | null = null;
  let isChangePlanned = false;
  return {
    /** With which reply's request the next one is compared; null when nothing is to be compared. */
    get previousReply() {
      return previousReply;
    },
    /** The past was changed on purpose. */
    expectChange: (): void => {
      isChangePlanned = true;
    },
    /** Takes the reply to the newest request; returns what the provider found, undefined when it compared nothing. */
    answered: ({ id, prefix }: ModelReply): Miss | undefined => {
      const found = prefix && { ...prefix, planned: isChangePlanned && prefix.changed !== 'nothing' };
      previousReply = id ?? null;
      isChangePlanned = false;
      return found;
    },
  };
}
