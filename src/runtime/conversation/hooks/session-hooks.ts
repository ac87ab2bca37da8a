import { addPromptContext, addStartContext, type StartSource } from '../../../agent/hooks/hooks.ts';
import { AbortedError, SanbotError } from '../../../domain/errors.ts';
import type { Conversation, EndReason } from '../types.ts';

export type SessionHooks = {
  /** Before each turn: runs the SessionStart hooks once, and once more after `renew`. Rejects only with store_failed. */
  readonly start: (signal: AbortSignal) => Promise<void>;
  /**
   * Shows the UserPromptSubmit hooks what was said, before anything is made of it. Rejects with refused when one blocks it, with
   * AbortedError when the user did not wait for their answer: nothing was said then.
   */
  readonly submit: (prompt: string, signal: AbortSignal) => Promise<void>;
  readonly renew: (source: StartSource) => void;
  /** Runs the SessionEnd hooks of a session that was begun. Never rejects. */
  readonly end: (reason: EndReason) => Promise<void>;
};

/** When the hooks of one session run. Looking at a session and leaving again runs none. */
export function createSessionHooks({ session, deps }: Pick<Conversation, 'session' | 'deps'>, initialSource: StartSource): SessionHooks {
  let source: StartSource | undefined = initialSource;
  let hasStarted = false;
  return {
    start: async (signal) => {
      if (source === undefined) return;
      const from = source;
      source = undefined;
      hasStarted = true;
      await addStartContext(from, session, deps, signal).catch((error: unknown) => {
        // The turn itself sees the signal, and keeps what the user said.
        if (!(error instanceof AbortedError)) throw error;
      });
    },
    submit: async (prompt, signal) => {
      const why = await addPromptContext(prompt, session, deps, signal);
      if (why === undefined) return;
      throw new SanbotError('refused', `A UserPromptSubmit hook blocked what you said: ${why}`, { hint: 'Nothing was sent or stored.' });
    },
    renew: (nextSource) => {
      source = nextSource;
    },
    end: async (reason) => {
      if (hasStarted) await deps.person.runHooks?.('SessionEnd', { reason }, new AbortController().signal);
    },
  };
}
