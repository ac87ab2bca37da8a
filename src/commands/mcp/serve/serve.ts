/**
 * `sanbot mcp serve`: what SanBot keeps, as a server of the Model Context Protocol for agents that have no memory of their own.
 *
 * Requests of a client come in on standard input, or over HTTP on this machine (`http.ts`); answers go out, and nothing else is written to standard output.
 * `server.ts` says what is offered, `records.ts` reads it from the home, `stdio.ts` is the pipe, `protocol.ts` the library.
 *
 * It decides nothing: what is found and shown is said by the code of `recall`, `sanbot sessions` and `sanbot memory`. What it tells is
 * masked, of this project alone unless that is asked for, and called a record. It writes
 * nothing unless it is started with --write.
 */

import { localize } from '../../../domain/language.ts';
import { versionOf } from '../../../runtime/home.ts';
import type { CommandContext } from '../../command.ts';
import { type McpServer, serveStdio } from './protocol.ts';
import { openRecords, type ServeOptions } from './records.ts';
import { createRecordServer, openWrites } from './server.ts';
import { openStdio } from './stdio.ts';

type RunOptions = ServeOptions & {
  /** The port to listen at, in place of standard input; 0 for one that is free. */
  readonly http?: number | undefined;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves one client on standard input and output until it goes, or many over HTTP until a signal. Resolves with the exit code. */
export async function runServer(options: RunOptions, context: CommandContext): Promise<number> {
  const { environment } = context;
  const records = openRecords(options, context);
  const writes = options.write === true ? openWrites(records, options, context) : undefined;
  const makeServer = () => createRecordServer({ ...records, writes }, versionOf(environment));
  if (options.http !== undefined) return runHttp(options.http, makeServer, context);
  const { transport, closed } = openStdio(environment.stdin, environment.stdout);
  for (const signal of SIGNALS) environment.onSignal(signal, () => void transport.close());
  serveStdio(makeServer, { transport });
  await closed;
  return 0;
}

async function runHttp(port: number, makeServer: () => McpServer, { environment, io }: CommandContext): Promise<number> {
  const { openHttp } = await import('./http.ts');
  const set = environment.env.SANBOT_MCP_TOKEN;
  const token = set || `${environment.newId()}${environment.newId()}`;
  const stopped = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) environment.onSignal(signal, resolve);
  });
  const { address, close } = await openHttp(makeServer, { port, token });
  const header = set ? '$SANBOT_MCP_TOKEN' : token;
  io.err(
    localize({
      en: `Listening on ${address}\nAuthorization: Bearer ${header}\n`,
      zh: `正在监听 ${address}\nAuthorization: Bearer ${header}\n`,
    }),
  );
  await stopped;
  await close();
  return 0;
}
