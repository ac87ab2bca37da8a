/**
 * `sanbot mcp serve`: what SanBot keeps, as a server of the Model Context Protocol for agents that have no memory of their own.
 *
 * Requests of a client come in on standard input; answers go out, and nothing else is written to standard output.
 * `server.ts` says what is offered, `records.ts` reads it from the home, `stdio.ts` is the pipe, `protocol.ts` the library.
 *
 * It decides nothing: what is found and shown is said by the code of `recall`, `sanbot sessions` and `sanbot memory`. What it tells is
 * masked, of this project alone unless that is asked for, and called a record. It writes
 * nothing unless it is started with --write.
 */

import { versionOf } from '../../../runtime/home.ts';
import type { CommandContext } from '../../command.ts';
import { serveStdio } from './protocol.ts';
import { openRecords, type ServeOptions } from './records.ts';
import { createRecordServer } from './server.ts';
import { openStdio } from './stdio.ts';
import { openWrites } from './writes.ts';

/** Serves one client on standard input and output until it goes. Resolves with the exit code. */
export async function runServer(options: ServeOptions, context: CommandContext): Promise<number> {
  const { environment } = context;
  const records = openRecords(options, context);
  const writes = options.write === true ? openWrites(records, options, context) : undefined;
  const { transport, closed } = openStdio(environment.stdin, environment.stdout);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) environment.onSignal(signal, () => void transport.close());
  serveStdio(() => createRecordServer({ ...records, writes }, versionOf(environment)), { transport });
  await closed;
  return 0;
}
