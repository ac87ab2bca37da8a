import { SanbotError } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import type { Store } from '../../store/store.ts';
import { timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

export type SessionChoice = { readonly store: Pick<Store, 'sessions'>; readonly named: string | undefined };

/**
 * The id of the session that a command is about: the one with the id `named`, or with that part of an id if only one has it. Without a
 * name it is the one used last in the working folder, and a line on standard error says which. Throws not_found.
 */
export function chooseSession(
  { cwd, now }: Pick<Environment, 'cwd' | 'now'>,
  { store, named }: SessionChoice,
  err: IoStreams['err'],
): string {
  if (named !== undefined) return store.sessions.findId(named);
  const newest = store.sessions.newest(cwd());
  if (newest === undefined)
    throw new SanbotError('not_found', `There is no session in ${cwd()}`, {
      hint: 'Name one with --session ID; sanbot sessions lists them.',
    });
  const title = newest.title === '' ? '' : ` ${safeLine(JSON.stringify(newest.title))}`;
  err(`Session ${newest.sessionId}${title}, last used ${timeAgo(newest.updatedAt, now())}.\n`);
  return newest.sessionId;
}
