/**
 * The sessions of one process on their way to the hubs that its home joined, while they are written. Loaded some time after the first of
 * them was opened, so that a short run does without; at once where a run names its hub, or waits for what the hub acknowledges.
 *
 * In come the names of sessions that are open here, and word that something was written. Out go the same records to each hub, and a line for
 * the person when a session goes on there in a fork.
 *
 * Nothing keeps a turn that does not ask when a record is settled: what a server does not take now is sent later, by this process or by the
 * next exchange.
 */

import type { Warn } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import { auditedSession } from '../../store/files/paths.ts';
import { noteAudit } from '../../store/replica/audit.ts';
import { withSyncLock } from '../../store/replica/targets.ts';
import { exchangeSession } from '../../sync/fetch.ts';
import type { Fence, SyncTarget } from '../../sync/port.ts';
import { shownAddress } from '../../sync/postgres/address.ts';
import { withHub } from '../../sync/postgres/postgres.ts';
import { fetchRest, fetchSession, type WantedSession } from './fetch-session.ts';
import { followHub, type HubFollower, MUST_MS } from './follow-hub.ts';
import { joinNamedHub } from './hub.ts';
import { hubAddress, type KnownTarget, type OpenSync, openSync } from './open-sync.ts';

export type HubLink = {
  /** What is to be told of a session that is open here. */
  readonly follow: (log: string) => HubFollower;
  /** Once all sessions are there: whether what is told of them beside their logs is too. */
  readonly sendAudit: () => Promise<boolean>;
  /** As `fetchSession`, from the first hub that has it. */
  readonly fetch: (wanted: WantedSession) => Promise<string | undefined>;
  /** Fetches what is not here yet of a session. Rejects with SanbotError. */
  readonly bringRest: (log: string) => Promise<void>;
  /** What was fetched is not gone on with: others may, at once. */
  readonly letGo: () => Promise<void>;
};

/** To the hub that SANBOT_HUB names, which is joined where it was not, else to all that were joined. */
export async function linkHubs(home: string, environment: Environment, warn: Warn): Promise<HubLink> {
  const context = { environment, io: { warn: () => undefined } };
  const named = environment.env.SANBOT_HUB;
  if (named) await joinNamedHub(home, named, context);
  const opened = openSync({ home }, context);
  const { acknowledge } = opened;
  const isMeant = named ? shownAddress(named) : undefined;
  const hubs = opened.targets.filter(({ hub, folder }) => hub !== undefined && (isMeant ?? folder) === folder);
  const mustSend = Boolean(named) || acknowledge === 'hub';
  const followed = new Set<string>();
  const taken: { readonly hub: KnownTarget; readonly fence: Fence }[] = [];
  return {
    sendAudit: async () => {
      const waiting = new AbortController();
      const late = environment.sleep(MUST_MS, waiting.signal).then(() => false);
      const isThere = await Promise.race([sendAudit({ opened, hubs, followed, environment }), late]).catch(() => false);
      waiting.abort();
      await late.catch(() => undefined);
      return isThere;
    },
    follow: (log) => {
      followed.add(log);
      const followers = (opened.mayLeave(log) ? hubs : []).map((hub) =>
        followHub({ opened, hub, address: hubAddress(hub, environment), log, environment, warn, acknowledge, mustSend }),
      );
      return {
        wrote: () => {
          for (const { wrote } of followers) wrote();
        },
        settled: async (signal) => void (await Promise.all(followers.map(({ settled }) => settled(signal)))),
        end: async () => (await Promise.all(followers.map(({ end }) => end()))).every(Boolean),
      };
    },
    bringRest: async (log) => {
      if (opened.home.has(log) && opened.home.rest(log) !== undefined)
        for (const hub of hubs) await fetchRest(opened, hub, log, environment);
    },
    letGo: async () => {
      for (const { hub, fence } of taken.splice(0))
        await withHub(hubAddress(hub, environment), environment, ({ leases }) => leases.release(fence), opened.holder).catch(
          () => undefined,
        );
    },
    fetch: async (wanted) => {
      for (const hub of hubs) {
        const found = await fetchSession(opened, hub, wanted, environment);
        if (found?.fence !== undefined) taken.push({ hub, fence: found.fence });
        if (found !== undefined) return found.log;
      }
      return undefined;
    },
  };
}

type Sending = {
  readonly opened: OpenSync;
  readonly hubs: readonly KnownTarget[];
  readonly followed: ReadonlySet<string>;
  readonly environment: Environment;
};

async function sendAudit({ opened, hubs, followed, environment }: Sending): Promise<boolean> {
  const { disk, paths, home, holder } = opened;
  let isAllThere = true;
  const send = async (hub: KnownTarget, target: SyncTarget): Promise<void> => {
    noteAudit(disk, paths, opened);
    for (const log of home.logs().filter((each) => followed.has(auditedSession(each) ?? ''))) {
      const { waiting } = await exchangeSession(home, target, home.agreementsWith(hub.id), log);
      if (waiting.size > 0) isAllThere = false;
    }
  };
  for (const hub of hubs)
    await withHub(
      hubAddress(hub, environment),
      environment,
      ({ require, target }) => {
        require(hub.id);
        return withSyncLock(disk, paths, () => send(hub, target));
      },
      holder,
    );
  return isAllThere;
}
