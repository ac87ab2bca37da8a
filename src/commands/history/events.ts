import { AbortedError } from '../../domain/errors.ts';
import type { AuditRecord } from '../../domain/event.ts';
import { homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import type { EventFilter } from '../../store/events.ts';
import { type EventsView, eventsJson, eventsText } from '../../terminal/views/events-text.ts';
import type { EventsOptions } from '../actions.ts';

/** The audit log, oldest first; damaged lines are counted and told. With `follow`, what comes is shown too, until Ctrl-C. */
export async function showEvents(world: World, options: EventsOptions, screen: Screen): Promise<number> {
  const store = openStore(world, homeOf(world, options), { maxSessionBytes: NO_CAP, tell: (line) => screen.err(`sanbot: ${line}\n`) });
  const { session, type, since, json } = options;
  let filter: EventFilter = {
    ...(session === undefined ? {} : { sessionId: session }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { since }),
  };
  // Whatever reads a pipe or a file wants the line whole.
  const columns = world.stdout.isTTY === true ? screen.columns : Number.POSITIVE_INFINITY;
  const view: EventsView = { columns, ofOneSession: session !== undefined };
  let shown = 0;
  const show = (record: AuditRecord): void => {
    shown += 1;
    screen.out(json ? eventsJson(record) : eventsText(record, view));
  };
  const readOn = (): void => {
    const { damaged, next } = store.events.read(filter, show);
    if (next !== undefined) filter = { ...filter, from: next };
    if (damaged > 0) screen.err(`sanbot: ${damaged === 1 ? 'a damaged line' : `${damaged} damaged lines`} of the audit log left out\n`);
  };
  readOn();
  if (shown === 0 && !json) screen.err(`sanbot: no events${options.follow ? ' yet; Ctrl-C ends this' : ' were found'}\n`);
  if (options.follow) await follow(world, readOn);
  return 0;
}

/** Looking again is cheap: only what is new is read. */
const LOOK_EVERY_MS = 300;

async function follow(world: World, readOn: () => void): Promise<void> {
  const stop = new AbortController();
  world.onSignal('SIGINT', () => stop.abort());
  world.onSignal('SIGTERM', () => stop.abort());
  try {
    for (;;) {
      await world.sleep(LOOK_EVERY_MS, stop.signal);
      readOn();
    }
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
  }
}
