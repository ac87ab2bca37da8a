import { addPromptContext, addStartContext, notify, type StartSource } from '../../../agent/hooks/hooks.ts';
import type { Sleep } from '../../../agent/ports/effects.ts';
import { AbortedError, SanbotError } from '../../../domain/errors.ts';
import type { Conversation, EndReason } from '../types.ts';

export type SessionHooks = ReturnType<typeof createSessionHooks>;

/** How long nothing is said before that is a notification. */
const IDLE_MS = 60_000;
const IDLE = { type: 'idle_prompt', title: 'Waiting for you', message: 'SanBot is waiting for what you say next' };

/** When the hooks of one session run. Looking at a session and leaving again runs none. */
export function createSessionHooks(
  { session, deps }: Pick<Conversation, 'session' | 'deps'>,
  { source: initialSource, sleep }: { readonly source: StartSource; readonly sleep: Sleep },
) {
  let source: StartSource | undefined = initialSource;
  let hasStarted = false;
  let rest = new AbortController();
  const waitIdly = (): void => {
    rest = new AbortController();
    sleep(IDLE_MS, rest.signal).then(
      () => notify(IDLE, deps.person),
      () => undefined,
    );
  };
  return {
    /** Before each turn: runs the SessionStart hooks once, and once more after `renew`. Rejects only with store_failed. */
    start: async (signal: AbortSignal): Promise<void> => {
      rest.abort();
      if (source === undefined) return;
      const from = source;
      source = undefined;
      hasStarted = true;
      await addStartContext(from, session, deps, signal).catch((error: unknown) => {
        // The turn itself sees the signal, and keeps what the user said.
        if (!(error instanceof AbortedError)) throw error;
      });
    },
    /**
     * Shows the UserPromptSubmit hooks what was said, before anything is made of it. Rejects with refused when one blocks it, with
     * AbortedError when the user did not wait for their answer: nothing was said then.
     */
    submit: async (prompt: string, signal: AbortSignal): Promise<void> => {
      const why = await addPromptContext(prompt, session, deps, signal);
      if (why === undefined) return;
      throw new SanbotError(
        'refused',
        { en: `A UserPromptSubmit hook blocked what you said: ${why}`, zh: `UserPromptSubmit 钩子阻止了你的消息：${why}` },
        { en: 'Nothing was sent or stored.', zh: '没有发送或保存任何内容。' },
      );
    },
    /** The turn that runs. When it has ended and nothing is said for a minute, the Notification hooks hear that the prompt waits. */
    turn: async <T>(running: Promise<T>): Promise<T> => {
      try {
        return await running;
      } finally {
        if (deps.person.interactive === true) waitIdly();
      }
    },
    renew: (nextSource: StartSource): void => {
      source = nextSource;
    },
    /** Runs the SessionEnd hooks of a session that was begun. Never rejects. */
    end: async (reason: EndReason): Promise<void> => {
      rest.abort();
      if (hasStarted) await deps.person.runHooks?.('SessionEnd', { reason }, new AbortController().signal);
    },
  };
}
