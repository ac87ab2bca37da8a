import { SanbotError } from '../../domain/errors.ts';
import type { Warn } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import { followSession, type LiveFork, type LiveSession } from '../../sync/live.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { OpenSync } from './open-sync.ts';
import { machineOf } from './sync-text.ts';

type Following = {
  readonly opened: OpenSync;
  readonly hub: { readonly id: string; readonly folder: string; readonly address: string };
  readonly log: string;
  readonly environment: Environment;
  readonly warn: Warn;
};

export type HubFollower = {
  /** A record of the session is on disk. */
  readonly wrote: () => void;
  /** Once nothing is written any more: whether all of it is there. Waits for no server that is slow or gone. */
  readonly end: () => Promise<boolean>;
};

/** What is written within this time goes together. */
const PACE_MS = 2_000;
/** How long an end waits for a server that answers, and how long it is left alone that did not. */
const [END_MS, AWAY_MS] = [2_000, 30_000];

/** Sends one open session to one hub until it ends, connected all the while, so that nobody else writes it there. */
export function followHub({ opened, hub, log, environment, warn }: Following): HubFollower {
  const ending = new AbortController();
  let [nap, isDue, isConnected] = [new AbortController(), false, false];
  let [written, arrived] = [1, 0];
  const sleep = (ms: number, signal = ending.signal) => environment.sleep(ms, signal).catch(() => undefined);
  const beatEach = async (ms: number, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(ms, signal);
      isDue = true;
      nap.abort();
    }
  };
  const sendAll = async (live: LiveSession, beatMs: number): Promise<void> => {
    for (;;) {
      const upTo = written;
      if (arrived < upTo && !(await live.push())) return;
      arrived = upTo;
      if (isDue) await live.renew();
      isDue = false;
      if (ending.signal.aborted && arrived === written) return live.release();
      nap = new AbortController();
      if (arrived === written) await sleep(AWAY_MS, AbortSignal.any([nap.signal, ending.signal]));
      if (arrived < written) await sleep(Math.min(PACE_MS, beatMs));
    }
  };
  const serve = async ({ require, target, leases }: HubOf): Promise<void> => {
    require(hub.id);
    isConnected = true;
    const { home, agreedWith, holder } = opened;
    const onFork = (fork: LiveFork): void => warn(forkText(fork, holder));
    const live = followSession({ home, target, leases, log, known: agreedWith(hub.id).logs[log], onFork });
    await live.hold();
    const [beatMs, beat] = [(await leases.ms()) / 3, new AbortController()];
    void beatEach(beatMs, beat.signal);
    await sendAll(live, beatMs).finally(() => beat.abort());
  };
  const run = async (): Promise<void> => {
    const { withHub } = await loadPostgres();
    while (!ending.signal.aborted) {
      await withHub(hub.address, environment, serve, opened.holder).catch((error: unknown) => {
        if (!(error instanceof SanbotError)) throw error;
      });
      isConnected = false;
      await sleep(AWAY_MS);
    }
  };
  const running = run();
  return {
    wrote: () => {
      written += 1;
      nap.abort();
    },
    end: async () => {
      ending.abort();
      if (isConnected) await Promise.race([running, sleep(END_MS, new AbortController().signal)]);
      return arrived === written;
    },
  };
}

const loadPostgres = () => import('../../sync/postgres/postgres.ts');

type HubOf = Parameters<Parameters<Awaited<ReturnType<typeof loadPostgres>>['withHub']>[2]>[0];

function forkText({ of, as, by }: LiveFork, self: string) {
  const [id, fork] = [safeLine(of), safeLine(as)];
  const next = { en: `what is said here goes on in the hub as session ${fork}`, zh: `这里的内容在 hub 中作为会话 ${fork} 继续` };
  if (by === undefined || by.holder === self)
    return { en: `Session ${id} went on elsewhere: ${next.en}.`, zh: `会话 ${id} 已在别处继续：${next.zh}。` };
  const [machine, since] = [machineOf(by), safeLine(by.since.toISOString())];
  return {
    en: `Session ${id} was taken over by ${machine} at ${since}: ${next.en}.`,
    zh: `会话 ${id} 已于 ${since} 由 ${machine} 接管：${next.zh}。`,
  };
}
