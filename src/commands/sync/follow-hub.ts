import type { SessionLog } from '../../agent/ports/disk.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { Warn } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import { followSession, type LiveFork, type LiveSession } from '../../sync/live.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { KnownTarget, OpenSync } from './open-sync.ts';
import { machineOf } from './sync-text.ts';

type Following = {
  readonly opened: OpenSync;
  readonly hub: Pick<KnownTarget, 'id'>;
  readonly address: string;
  readonly log: string;
  readonly environment: Environment;
  readonly warn: Warn;
  /** `hub`: what follows from a record waits until the server has it. */
  readonly acknowledge: 'local' | 'hub';
  /** An end waits until all is there: the disk may go with the process. */
  readonly mustSend: boolean;
};

export type HubFollower = {
  /** A record of the session is on disk. */
  readonly wrote: () => void;
  /** As `settled` of a session's log. */
  readonly settled: NonNullable<SessionLog['settled']>;
  /** Once nothing is written any more: whether all of it is there. Waits for no server that is slow or gone, unless it must. */
  readonly end: () => Promise<boolean>;
};

/** What is written within this time goes together, where nobody waits for it. */
export const PACE_MS = 2_000;
/** How long an end waits for a server that answers, or for one that must have all; and how long one is left alone that did not answer. */
export const MUST_MS = 30_000;
const [END_MS, AWAY_MS] = [2_000, 30_000];
/** The pauses before a server is asked again while somebody waits, until that fails. */
const [PAUSES_MS, LONGEST_PAUSE_MS] = [[200, 500, 1_000, 2_000], 4_000];

/** Sends one open session to one hub until it ends, connected all the while, so that nobody else writes it there. */
export function followHub({ opened, hub, address, log, environment, warn, acknowledge, mustSend }: Following): HubFollower {
  const ending = new AbortController();
  const waiters = createWaiters();
  let [nap, isDue, isConnected, written, arrived] = [new AbortController(), false, false, 1, 0];
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
      if (arrived < upTo && !(await live.push())) throw notTaken(log);
      arrived = upTo;
      waiters.arrived(upTo);
      if (isDue) await live.renew();
      isDue = false;
      if (ending.signal.aborted && arrived === written) return live.release();
      nap = new AbortController();
      if (arrived === written) await sleep(AWAY_MS, AbortSignal.any([nap.signal, ending.signal]));
      if (arrived < written && acknowledge === 'local') await sleep(Math.min(PACE_MS, beatMs));
    }
  };
  const { home, agreedWith, holder } = opened;
  const onFork = (fork: LiveFork): void => warn(forkText(fork, holder));
  const serve = async ({ require, target, leases }: HubOf): Promise<void> => {
    require(hub.id);
    isConnected = true;
    const live = followSession({ home, target, leases, log, known: agreedWith(hub.id).logs[log], onFork });
    await live.hold();
    const [beatMs, beat] = [(await leases.ms()) / 3, new AbortController()];
    void beatEach(beatMs, beat.signal);
    await sendAll(live, beatMs).finally(() => beat.abort());
  };
  const run = async (): Promise<void> => {
    const { withHub } = await loadPostgres();
    while (mustSend || !ending.signal.aborted) {
      const failure = await withHub(address, environment, serve, holder).catch((error: unknown) => error);
      isConnected = false;
      if (ending.signal.aborted) return waiters.failed(failure);
      await sleep(acknowledge === 'local' ? AWAY_MS : waiters.pauseMs(failure));
    }
  };
  const running = run();
  return {
    wrote: () => {
      written += 1;
      nap.abort();
    },
    settled: async (signal) => (acknowledge === 'hub' && arrived < written ? waiters.wait(written, signal) : undefined),
    end: async () => {
      ending.abort();
      if (isConnected || mustSend) await Promise.race([running, sleep(mustSend ? MUST_MS : END_MS, new AbortController().signal)]);
      return arrived === written;
    },
  };
}

type Waiter = { readonly upTo: number; readonly settle: (failure?: unknown) => void };

/** Who waits for the server to have what was written. */
function createWaiters() {
  const waiting = new Set<Waiter>();
  let failures = 0;
  const failed = (failure: unknown): void => {
    for (const { settle } of waiting) settle(failure ?? new AbortedError());
  };
  return {
    failed,
    arrived: (upTo: number): void => {
      failures = 0;
      for (const waiter of waiting) if (waiter.upTo <= upTo) waiter.settle();
    },
    /** How long to wait after a failure. After some, those who wait are told of it. */
    pauseMs: (failure: unknown): number => {
      failures += 1;
      const pause = PAUSES_MS[failures - 1];
      if (pause === undefined) failed(failure);
      return pause ?? LONGEST_PAUSE_MS;
    },
    wait: (upTo: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const stop = (): void => settle(new AbortedError());
        const settle = (failure?: unknown): void => {
          waiting.delete(waiter);
          signal.removeEventListener('abort', stop);
          if (failure === undefined) resolve();
          else reject(failure);
        };
        const waiter: Waiter = { upTo, settle };
        waiting.add(waiter);
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      }),
  };
}

const notTaken = (log: string): SanbotError =>
  new SanbotError(
    'refused',
    { en: `The hub does not take session ${safeLine(log)} as it is here`, zh: `hub 不接受此处的会话 ${safeLine(log)}` },
    {
      en: 'Close it and run sanbot sync: it was purged or deleted on another machine.',
      zh: '请关闭它并运行 sanbot sync：它已在另一台机器上被清除或删除。',
    },
  );

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
