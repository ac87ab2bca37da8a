/**
 * The sessions of one process on their way to the hubs that its home joined, while they are written. Loaded some time after the first of
 * them was opened, so that a short run does without.
 *
 * In come the names of sessions that are open here, and word that something was written. Out go the same records to each hub, and a line for
 * the person when a session goes on there in a fork.
 *
 * Nothing here keeps a turn: what a server does not take now is sent later, by this process or by the next exchange.
 */

import type { Warn } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import { followHub, type HubFollower } from './follow-hub.ts';
import { openSync } from './open-sync.ts';

/** Gives for each session that is open here what is to be told of it. */
export function linkHubs(home: string, environment: Environment, warn: Warn): (log: string) => HubFollower {
  const opened = openSync({ home }, { environment, io: { warn: () => undefined } });
  return (log) => {
    const followers = opened.targets.flatMap(({ hub, id, folder }) =>
      hub === undefined || !opened.mayLeave(log) ? [] : followHub({ opened, hub: { id, folder, address: hub }, log, environment, warn }),
    );
    return {
      wrote: () => {
        for (const { wrote } of followers) wrote();
      },
      end: async () => (await Promise.all(followers.map(({ end }) => end()))).every(Boolean),
    };
  };
}
