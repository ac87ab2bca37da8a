import type { FakeApi, FakeApiOptions } from './fake-api.ts';
import { startFakeApi } from './fake-api.ts';
import { anthropicAt, asks, fakeSleep, IDLE_MS, type Listener, listen, requestOf } from './model-rig.ts';
import type { Script, Step } from './scenario.ts';

export const hello = requestOf([asks('hi')]);
export const said = (text: string) => ({ kind: 'reply', content: [{ type: 'text', text }] });

/** The error a promise rejects with, or what it resolved to. */
export const outcomeOf = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);

export type Played = {
  /** The answer, or the error. */
  readonly outcome: unknown;
  /** The waits between attempts. */
  readonly slept: readonly number[];
  readonly heard: Listener;
  readonly server: FakeApi;
};

/** Fake APIs of one test file; `close` them all after each test. */
export function fakeApis(): {
  readonly api: (steps: readonly Step[] | Script, options?: FakeApiOptions) => Promise<FakeApi>;
  /** Asks once, over the real client, of an API that answers with the steps in turn. */
  readonly played: (steps: readonly Step[], more?: Parameters<typeof anthropicAt>[1]) => Promise<Played>;
  readonly close: () => Promise<void>;
} {
  const opened: FakeApi[] = [];
  const api = async (steps: readonly Step[] | Script, options: FakeApiOptions = {}): Promise<FakeApi> => {
    const started = await startFakeApi(steps, options);
    opened.push(started);
    return started;
  };
  return {
    api,
    played: async (steps, more = {}) => {
      const server = await api(steps);
      const { sleep, slept } = fakeSleep(IDLE_MS);
      const heard = listen();
      return { outcome: await outcomeOf(anthropicAt(server.url, { sleep, ...more })(hello, heard)), slept, heard, server };
    },
    close: async () => {
      await Promise.all(opened.splice(0).map((server) => server.close()));
    },
  };
}
