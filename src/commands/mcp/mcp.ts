/**
 * `sanbot mcp`: the user's MCP servers. `mcp-command.ts` is the grammar, `mcp.ts` what is done with the settings and with what servers say
 * of their tools, `mcp-sign-in.ts` signing in and out, `mcp-rows.ts` what is shown of a server here and in a conversation. A
 * connection lasts for one command.
 *
 * Names and settings come in; tables and JSON go out. Only the user's own settings are changed, and nothing of a server is agreed to
 * without a yes.
 */

import { setValue } from '../../domain/config/config-text.ts';
import { isServerName, type McpServerConfig, mcpServerSchema, SERVER_NAME_RULE } from '../../domain/config/mcp-server.ts';
import { shownTarget } from '../../domain/config/shown-server.ts';
import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { openMcp, signInsOf } from '../../runtime/conversation/mcp.ts';
import { type HomeOptions, homeOf } from '../../runtime/home.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings } from '../../runtime/settings.ts';
import { configPaths, editUserConfig } from '../../store/config-file.ts';
import { changedText, serversText, toolsText } from '../../terminal/views/mcp-text.ts';
import type { Login } from '../../tools/mcp/connection/connect.ts';
import type { Mcp } from '../../tools/mcp/mcp.ts';
import { answer, isAgreed, requireYes, say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';
import { answeringView, changedRows, leftOutJson, serverJson, serverRows, toolRows, viewOf } from './mcp-rows.ts';

export async function listServers(options: McpCommandOptions, context: CommandContext): Promise<void> {
  const { io } = context;
  const rows = serverRows(openServers(options, context));
  io.out(options.json ? `${JSON.stringify(rows.map(serverJson), null, 2)}\n` : serversText(rows, io.columns));
}

export type AddServerOptions = McpCommandOptions & {
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly alwaysLoad?: boolean;
};

export async function addServer(
  { name, command, ...options }: AddServerOptions & { readonly name: string; readonly command: readonly string[] },
  { environment, io }: CommandContext,
): Promise<void> {
  if (!isServerName(name))
    throw new SanbotError('usage', {
      en: `${inspectText(name)}: expected ${SERVER_NAME_RULE.en}`,
      zh: `${inspectText(name)}：应为${SERVER_NAME_RULE.zh}`,
    });
  const config = serverFrom(command, options);
  const file = editing(options, environment, (text, known) => {
    if (Object.hasOwn(known, name))
      throw new SanbotError(
        'usage',
        { en: `There is an MCP server ${name} already`, zh: `已经有 MCP 服务器 ${name}` },
        { en: `sanbot mcp remove ${name} removes it.`, zh: `用 sanbot mcp remove ${name} 删除它。` },
      );
    return setValue(text, `mcpServers.${name}`, config);
  });
  answer(
    io,
    options,
    { added: name, config, file },
    {
      en: `Added ${name}: ${shownTarget(config)}\nsanbot mcp test ${name} tries it.`,
      zh: `已添加 ${name}：${shownTarget(config)}\n用 sanbot mcp test ${name} 试用。`,
    },
  );
}

function serverFrom([command, ...args]: readonly string[], { url, env = [], header = [], alwaysLoad }: AddServerOptions): McpServerConfig {
  const parsed = mcpServerSchema.safeParse({
    ...(command === undefined ? {} : { command, ...(args.length === 0 ? {} : { args }) }),
    ...(url === undefined ? {} : { url }),
    ...(env.length === 0 ? {} : { env: pairs('--env', env, '=') }),
    ...(header.length === 0 ? {} : { headers: pairs('--header', header, ':') }),
    ...(alwaysLoad === undefined ? {} : { alwaysLoad }),
  });
  if (parsed.success) return parsed.data;
  if (url !== undefined && parsed.error.issues.some(({ code }) => code === 'invalid_format'))
    throw new SanbotError('usage', {
      en: `--url: expected an address that starts with http:// or https://, found ${inspectText(url)}`,
      zh: `--url：应为以 http:// 或 https:// 开头的地址，实际为 ${inspectText(url)}`,
    });
  throw new SanbotError('usage', {
    en: 'Give either a command after --, or --url with an address',
    zh: '请给出 -- 之后的命令，或用 --url 给出地址',
  });
}

function pairs(option: string, texts: readonly string[], sign: '=' | ':'): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(sign);
      if (at <= 0)
        throw new SanbotError('usage', {
          en: `${option}: expected NAME${sign}VALUE, found ${inspectText(text)}`,
          zh: `${option}：应为 NAME${sign}VALUE，实际为 ${inspectText(text)}`,
        });
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

export async function removeServer({ name, ...options }: NamedServer, { environment, io }: CommandContext): Promise<void> {
  editing(options, environment, (text, known) => {
    if (Object.hasOwn(known, name)) {
      forget(name, options, environment);
      return setValue(text, `mcpServers.${name}`, undefined);
    }
    throw new SanbotError(
      'not_found',
      { en: `There is no MCP server ${inspectText(name)} in your settings`, zh: `你的设置中没有 MCP 服务器 ${inspectText(name)}` },
      {
        en: "sanbot mcp lists all of them; a project's stand in its own files.",
        zh: 'sanbot mcp 列出所有服务器；项目的服务器写在项目自己的文件中。',
      },
    );
  });
  answer(io, options, { removed: name }, { en: `Removed ${name}.`, zh: `已删除 ${name}。` });
}

/** What signing in to it gave; it would be good for the same address only. */
function forget(name: string, options: McpCommandOptions, environment: CommandContext['environment']): void {
  const { servers, home } = readSettings(environment, options);
  for (const setting of servers) if (setting.name === name && setting.source === 'user') signInsOf(setting, environment, home).remove();
}

function editing(
  options: McpCommandOptions,
  environment: CommandContext['environment'],
  edit: (text: string, known: Readonly<Record<string, unknown>>) => string,
): string {
  const home = homeOf(environment, options);
  // What is wrong with the file is said before it is changed.
  const { config, origins } = readSettings(environment, options);
  const { user } = configPaths(home, home);
  const known = Object.fromEntries(Object.entries(config.mcpServers).filter(([name]) => origins[`mcpServers.${name}`] === user));
  editUserConfig({ ...storeEnvironmentOf(environment, home), warn: () => undefined }, home, (text) => edit(text, known));
  return user;
}

export const testServer = ({ name, ...options }: NamedServer, context: CommandContext): Promise<void> =>
  withServer(name, options, context, (mcp) => {
    const { io } = context;
    const view = viewOf(mcp, name);
    const [tools, changed] = [toolRows(view), changedRows(view)];
    if (options.json) return io.out(`${JSON.stringify({ name, tools, changed, leftOut: leftOutJson(view.leftOut) }, null, 2)}\n`);
    io.out(toolsText(name, { tools, leftOut: view.leftOut }, io.columns));
    if (changed.length === 0) return;
    io.out(`\n${changedText(name, changed, io.columns)}`);
    say(io, { en: `sanbot mcp approve ${name} agrees to it.`, zh: `用 sanbot mcp approve ${name} 批准。` });
  });

export const approveServer = ({ name, ...options }: NamedServer, context: CommandContext): Promise<void> =>
  withServer(name, options, context, async (mcp) => {
    const { environment, io } = context;
    const changed = changedRows(viewOf(mcp, name));
    if (changed.length === 0)
      return answer(io, options, { approved: 0 }, { en: `Nothing of ${name} waits for your yes.`, zh: `${name} 没有等待批准的内容。` });
    if (!options.json) io.out(changedText(name, changed, io.columns));
    requireYes(options, environment, {
      what: { en: 'Agreeing to changed tools', zh: '批准有变化的工具' },
      hint: { en: 'Nothing was changed. Add --yes to confirm.', zh: '没有做任何更改。加 --yes 确认。' },
    });
    const question = { en: 'May its tools be used as they are now?', zh: '其工具可以按现状使用吗？' };
    if (!options.yes && !(await isAgreed(question, context))) return;
    mcp.server(name)?.server.agree();
    const text = { en: `The tools of ${name} are used as they are now.`, zh: `${name} 的工具将按现状使用。` };
    answer(io, options, { approved: changed.length }, text);
  });

export type McpCommandOptions = HomeOptions & { readonly json?: boolean; readonly trust?: boolean; readonly yes?: boolean };
export type NamedServer = McpCommandOptions & { readonly name: string };

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
  const stop = new AbortController();
  context.environment.onSignal('SIGINT', () => stop.abort());
  try {
    await answeringView(mcp, name, stop.signal);
    await work(mcp);
  } finally {
    await mcp.close();
  }
}
