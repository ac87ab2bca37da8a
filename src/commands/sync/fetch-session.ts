import { SanbotError } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/environment.ts';
import { withSyncLock } from '../../store/replica/targets.ts';
import { completeSession, exchangeSession } from '../../sync/fetch.ts';
import type { Fence, Holder } from '../../sync/port.ts';
import { withHub } from '../../sync/postgres/postgres.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { hubAddress, type KnownTarget, type OpenSync } from './open-sync.ts';
import { machineOf } from './sync-text.ts';

/** `part` of an id, or the `name` that a session was given. `isCopied`: it is only read, whoever has it open. */
export type WantedSession = { readonly part?: string | undefined; readonly name?: string | undefined; readonly isCopied: boolean };

/**
 * Brings the session that is meant here from the hub, as far as it is there, and takes it for this home, so that nobody else goes on with it.
 * Undefined where the hub knows none. Throws session_locked for one that is open elsewhere.
 */
export const fetchSession = (opened: OpenSync, hub: KnownTarget, wanted: WantedSession, environment: Environment) =>
  withHub(
    hubAddress(hub, environment),
    environment,
    async ({ require, find, leases, target }): Promise<{ readonly log: string; readonly fence: Fence | undefined } | undefined> => {
      require(hub.id);
      const { home, agreedWith, disk, paths, mayLeave } = opened;
      const log = await find(wanted);
      if (log === undefined || (home.has(log) && !mayLeave(log))) return undefined;
      const taken = wanted.isCopied ? undefined : await leases.hold(agreedWith(hub.id).logs[log]?.chain ?? log);
      if (taken !== undefined && !('epoch' in taken)) throw openElsewhere(log, taken);
      try {
        const { waiting } = await withSyncLock(disk, paths, () =>
          exchangeSession(home, target, home.agreementsWith(hub.id), log, { endFirst: !wanted.isCopied }),
        );
        if (waiting.size > 0 && !home.has(log)) throw notWhole(log);
      } catch (error) {
        if (taken !== undefined) await leases.release(taken);
        throw error;
      }
      return { log, fence: taken };
    },
    opened.holder,
  );

/** The rest of a session of which only the end was brought; it may be open here. */
export const fetchRest = (opened: OpenSync, hub: KnownTarget, log: string, environment: Environment) =>
  withHub(
    hubAddress(hub, environment),
    environment,
    async ({ require, target }) => {
      require(hub.id);
      const { home, disk, paths } = opened;
      if (!(await withSyncLock(disk, paths, () => completeSession(home, target, home.agreementsWith(hub.id), log)))) throw notWhole(log);
    },
    opened.holder,
  );

function openElsewhere(log: string, holder: Holder): SanbotError {
  const [id, machine, since] = [safeLine(log), machineOf(holder), safeLine(holder.since.toISOString())];
  return new SanbotError(
    'session_locked',
    { en: `Session ${id} is open on ${machine} since ${since}`, zh: `会话 ${id} 自 ${since} 起在 ${machine} 上打开` },
    {
      en: 'Wait until it is closed there with --wait SECONDS, or go on in a copy with --fork.',
      zh: '用 --wait SECONDS 等它在那里关闭，或用 --fork 在副本中继续。',
    },
  );
}

const notWhole = (log: string): SanbotError =>
  new SanbotError(
    'store_damaged',
    { en: `Session ${safeLine(log)} is not whole in the hub`, zh: `hub 中的会话 ${safeLine(log)} 不完整` },
    { en: 'Run sanbot sync on the machine that has it.', zh: '请在拥有它的机器上运行 sanbot sync。' },
  );
