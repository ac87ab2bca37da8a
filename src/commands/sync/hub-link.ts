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
import { shownAddress } from '../../sync/postgres/address.ts';
import { withHub } from '../../sync/postgres/postgres.ts';
import { fetchSession, type WantedSession } from './fetch-session.ts';
import { followHub, type HubFollower, MUST_MS } from './follow-hub.ts';
import { joinNamedHub } from './hub.ts';
import { hubAddress, openSync } from './open-sync.ts';

export type HubLink = {
  /** What is to be told of a session that is open here. */
  readonly follow: (log: string) => HubFollower;
  /** As `fetchSession`, from the first hub that has it. */
  /** Once all sessions are there: whether what is told of them beside their logs is too. */
  readonly sendAudit: () => Promise<boolean>;
  readonly fetch: (wanted: WantedSession) => Promise<string | undefined>;
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
  const sendAudit = async (): Promise<boolean> => {
    const { disk, paths, home, holder } = opened;
    let isAllThere = true;
    for (const hub of hubs)
      await withHub(
        hubAddress(hub, environment),
        environment,
        ({ require, target }) => {
          require(hub.id);
          return withSyncLock(disk, paths, async () => {
            noteAudit(disk, paths, opened);
            for (const log of home.logs().filter((each) => followed.has(auditedSession(each) ?? '')))
              isAllThere &&= (await exchangeSession(home, target, home.agreementsWith(hub.id), log)).waiting.size === 0;
          });
        },
        holder,
      );
    return isAllThere;
  };
  return {
    sendAudit: async () => {
      const waiting = new AbortController();
      const late = environment.sleep(MUST_MS, waiting.signal).then(() => false);
      const isThere = await Promise.race([sendAudit(), late]).catch(() => false);
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
    fetch: async (wanted) => {
      for (const hub of hubs) {
        const found = await fetchSession(opened, hub, wanted, environment);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
