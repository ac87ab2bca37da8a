import { readMcpFile, type ServerSetting } from '../../domain/config/mcp-server.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, sameInBoth, type Warn } from '../../domain/language.ts';
import { holdEvents, openRuntime } from '../../runtime/conversation/open-runtime.ts';
import type { Environment } from '../../runtime/environment.ts';
import { groupOf } from '../../runtime/home.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { openChat } from '../chat/chat.ts';
import { instructionsNotice } from '../config/trust-text.ts';
import type { AcpOptions } from './acp-options.ts';
import { createAsking } from './asking.ts';
import { type Client, createEditor } from './editor.ts';
import type { McpServer } from './protocol.ts';
import { type AcpSession, createSession } from './session.ts';
import { createTurn } from './turn.ts';

/** What an editor opens a session with; `resume` is the id of one to go on with. */
export type SessionRequest = {
  readonly cwd: string;
  readonly folders: readonly string[];
  readonly servers: readonly McpServer[];
  readonly resume?: string;
};

type Host = { readonly environment: Environment; readonly client: Client };

/** A session in a folder of the editor's. Rejects with SanbotError, and nothing is open then. */
export async function openSession({ cwd, folders, servers, resume }: SessionRequest, options: AcpOptions, host: Host): Promise<AcpSession> {
  const environment: Environment = { ...host.environment, cwd: () => cwd };
  const events = holdEvents();
  const warn: Warn = (message) => events.show({ type: 'warning', message });
  const settings = settingsWith(servers, readSettings(environment, options), warn);
  const group = groupOf(environment, options);
  let session: AcpSession | undefined;
  let id = '';
  const editor = createEditor(host.client, () => id);
  const turn = createTurn();
  const { questions, ...asked } = createAsking(editor, {
    ...{ signal: turn.signal, cancel: turn.cancel, newId: environment.newId },
    announce: (toolUseId) => session?.announce(toolUseId),
  });
  const runtime = await openRuntime(environment, {
    ...{ settings, group, warn, show: events.show, ...asked },
    ...{ interactive: true, onlyTrustedInstructions: true, mode: options.permissionMode, allowed: [], maxCostUsd: options.maxCost },
  });
  try {
    for (const folder of folders) runtime.addFolder(folder, 'additionalDirectories');
    if (resume === undefined && runtime.models.isMissing(runtime.modelName)) throw new SanbotError('model_key', NO_MODEL);
    const { model, effort } = options;
    const chat = openChat(runtime, { group, resume, model, effort, settings });
    id = chat.conversation().session.id;
    session = createSession({ chat, runtime, editor, turn, questions, events });
    return session;
  } catch (error) {
    await runtime.mcp.close();
    throw error;
  }
}

/** With the servers of the editor; what there is to say of them all is told. */
function settingsWith(servers: readonly McpServer[], read: Settings, warn: Warn): Settings {
  for (const notice of [...read.notices, ...instructionsNotice(read.trust, { areRead: false })]) warn(notice);
  return { ...read, servers: [...read.servers, ...givenServers(servers, read.servers, warn)] };
}

export const NO_MODEL: Bilingual = { en: 'No model is set up yet', zh: '尚未设置模型' };

/** The editor's own servers, for this session alone. A name that the settings have counts there. */
function givenServers(servers: readonly McpServer[], taken: readonly ServerSetting[], warn: Warn): readonly ServerSetting[] {
  const entries = servers.map((server) => [server.name, configOf(server)] as const);
  const { servers: usable, problems } = readMcpFile(JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  for (const problem of problems) warn(because({ en: 'MCP server of the editor', zh: '编辑器的 MCP 服务器' }, problem));
  return usable.flatMap(({ name, config }): readonly ServerSetting[] => {
    const other = taken.find((each) => each.name === name);
    if (other === undefined) return [{ name, config, source: 'user', file: 'the editor', isPassing: true }];
    warn(
      because(
        { en: `The editor's MCP server ${name} is not used, since it is in`, zh: `未使用编辑器的 MCP 服务器 ${name}，已见于` },
        sameInBoth(other.file),
      ),
    );
    return [];
  });
}

function configOf(server: McpServer): Readonly<Record<string, unknown>> {
  const named = (list: readonly { readonly name: string; readonly value: string }[]) =>
    Object.fromEntries(list.map(({ name, value }) => [name, value]));
  if ('command' in server) return { command: server.command, args: server.args, env: named(server.env) };
  return 'type' in server && 'url' in server ? { type: server.type, url: server.url, headers: named(server.headers) } : {};
}
