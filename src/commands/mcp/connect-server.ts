import { SanbotError } from '../../domain/errors.ts';
import { openMcp } from '../../runtime/conversation/mcp.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { Login } from '../../tools/mcp/connection/connect.ts';
import type { Mcp } from '../../tools/mcp/mcp.ts';
import type { CommandContext } from '../command.ts';
import { viewOf } from './mcp-rows.ts';

export type McpCommandOptions = HomeOptions & { readonly json?: boolean; readonly trust?: boolean; readonly yes?: boolean };

/** The servers of the settings; none of them is started or called yet. */
export function openServers(options: McpCommandOptions, { environment, io }: CommandContext, login?: Login): Mcp {
  const settings = readSettings(environment, options);
  for (const notice of settings.notices) io.warn(notice);
  // What the connection has to tell, the command tells.
  return openMcp(environment, settings, () => undefined, login);
}

/** Connects to one server, and ends it afterwards. Throws refused when it does not answer. */
export async function withServer(
  name: string,
  options: McpCommandOptions,
  context: CommandContext,
  work: (mcp: Mcp) => number | Promise<number>,
  login?: Login,
): Promise<number> {
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
        {
          hint: { en: 'docs/mcp.md says what to look at.', zh: 'docs/mcp.md 说明了应检查什么。' },
        },
      );
    return await work(mcp);
  } finally {
    await mcp.close();
  }
}
