import { SanbotError } from '../../domain/errors.ts';
import { openMcp } from '../../runtime/conversation/mcp.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import type { Login } from '../../tools/mcp/connection/connect.ts';
import type { Mcp } from '../../tools/mcp/mcp.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';
import { viewOf } from './mcp-rows.ts';

export type McpCommandOptions = HomeOptions & { readonly json?: boolean; readonly trust?: boolean; readonly yes?: boolean };
export type NamedServer = McpCommandOptions & { readonly name: string };

/** The servers of the settings; none of them is started or called yet. */
export const openServers = (options: McpCommandOptions, context: CommandContext, login?: Login): Mcp =>
  // What the connection has to tell, the command tells.
  openMcp(context.environment, settingsOf(options, context), () => undefined, login);

/** Connects to one server, and ends it afterwards. Throws refused when it does not answer. */
export async function withServer(
  name: string,
  options: McpCommandOptions,
  context: CommandContext,
  work: (mcp: Mcp) => void | Promise<void>,
  login?: Login,
): Promise<void> {
  const mcp = openServers(options, context, login);
  const server = mcp.server(viewOf(mcp, name).name)?.server;
  const stop = new AbortController();
  context.environment.onSignal('SIGINT', () => stop.abort());
  try {
    await server?.connect(stop.signal);
    const { status, problem } = viewOf(mcp, name);
    if (status === 'failed')
      throw new SanbotError(
        'refused',
        { en: `The MCP server ${name} does not answer: ${problem?.en ?? ''}`, zh: `MCP 服务器 ${name} 没有响应：${problem?.zh ?? ''}` },
        { en: 'docs/mcp.md says what to look at.', zh: 'docs/mcp.md 说明了应检查什么。' },
      );
    await work(mcp);
  } finally {
    await mcp.close();
  }
}
