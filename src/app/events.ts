import type { EventsOptions } from '../cli/actions.ts';
import { eventsJson, eventsText } from '../ui/events-text.ts';
import { homeOf } from './home.ts';
import { NO_CAP, openStore } from './open-store.ts';
import type { Screen } from './screen.ts';
import type { World } from './world.ts';

/** The audit log, oldest first; damaged lines are counted and told. */
export async function showEvents(world: World, options: EventsOptions, screen: Screen): Promise<number> {
  const store = openStore(world, homeOf(world, options), { maxSessionBytes: NO_CAP, tell: (line) => screen.err(`sanbot: ${line}\n`) });
  const { session, type, since, json } = options;
  const filter = {
    ...(session === undefined ? {} : { sessionId: session }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { since }),
  };
  const { damaged } = store.events.read(filter, (record) => screen.out(json ? eventsJson(record) : eventsText(record, screen.columns)));
  if (damaged > 0) screen.err(`sanbot: ${damaged === 1 ? 'a damaged line' : `${damaged} damaged lines`} of the audit log left out\n`);
  return 0;
}
