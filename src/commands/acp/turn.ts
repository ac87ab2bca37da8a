import { SanbotError } from '../../domain/errors.ts';

/** What runs in a session, one thing at a time: a prompt, with all that is asked meanwhile. */
export function createTurn() {
  let current: { readonly controller: AbortController; readonly ended: Promise<unknown> } | undefined;
  const idle = new AbortController().signal;
  return {
    isRunning: (): boolean => current !== undefined,
    /** That of what runs now. */
    signal: (): AbortSignal => current?.controller.signal ?? idle,
    cancel: (): void => current?.controller.abort(),
    /** Resolves when nothing runs. */
    ended: async (): Promise<void> => {
      await current?.ended;
    },
    /** Rejects with refused while something runs, else as `work` does; `outer` ends it as well. */
    run: async <T>(work: (signal: AbortSignal) => Promise<T>, outer: AbortSignal): Promise<T> => {
      if (current !== undefined) throw stillRunning();
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      outer.addEventListener('abort', stop, { once: true });
      if (outer.aborted) stop();
      const running = work(controller.signal);
      current = { controller, ended: running.catch(() => undefined) };
      try {
        return await running;
      } finally {
        outer.removeEventListener('abort', stop);
        current = undefined;
      }
    },
  };
}

/** One thing at a time in a session. */
export const stillRunning = (): SanbotError =>
  new SanbotError(
    'refused',
    { en: 'A prompt is running in this session', zh: '此会话中已有一轮正在运行' },
    { en: 'Cancel it, or wait for its end.', zh: '请取消，或等它结束。' },
  );
