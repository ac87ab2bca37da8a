import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Effort } from '../../domain/config/effort.ts';
import { readMcpFile, type ServerSetting } from '../../domain/config/mcp-server.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, sameInBoth, type Warn } from '../../domain/language.ts';
import type { PermissionMode } from '../../domain/permission.ts';
import { isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { holdEvents, openRuntime } from '../../runtime/conversation/open-runtime.ts';
import type { Environment } from '../../runtime/environment.ts';
import { type GroupOptions, groupOf, type HomeOptions } from '../../runtime/home.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { startSync } from '../chat/auto-sync.ts';
import { openChat } from '../chat/chat.ts';
import type { CommandContext } from '../command.ts';
import { instructionsNotice } from '../config/trust-text.ts';
import { openHome } from '../open-home.ts';
import { createAsking } from './asking.ts';
import { type Client, createEditor } from './editor.ts';
import { createTurn, stillRunning } from './prompts.ts';
import { type AgentContext, type ClientCapabilities, type McpServer, RequestError } from './protocol.ts';
import { type AcpSession, createSession } from './session.ts';

export type OpenSessions = Readonly<ReturnType<typeof createOpenSessions>>;

/** The sessions that an editor has open, each in a folder of its own. */
export function createOpenSessions(options: AcpOptions, { environment, io }: CommandContext) {
  const sessions = new Map<string, AcpSession>();
  let capabilities: ClientCapabilities = {};
  const leave = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.close();
  };
  const openAt = async (request: SessionRequest, context: AgentContext): Promise<AcpSession> => {
    const session = await openSession(request, options, { environment, client: { context, capabilities } });
    sessions.set(session.id, session);
    return session;
  };
  return {
    /** What the editor can do. */
    meet: (told: ClientCapabilities): void => {
      capabilities = told;
    },
    get: (id: string): AcpSession => {
      const session = sessions.get(id);
      if (session === undefined) throw RequestError.sessionNotFound(id);
      return session;
    },
    open: (params: PlaceParams, context: AgentContext) => openAt(placeOf(params), context),
    /** One that is on disk; left first where it is open here. */
    reopen: async ({ sessionId: id, ...params }: PlaceParams & { readonly sessionId: string }, context: AgentContext) => {
      if (sessions.get(id)?.isRunning() === true) throw stillRunning();
      const request = placeOf(params);
      await leave(id);
      if (!openHome(options, { environment, io }).store.sessions.has(id)) throw RequestError.sessionNotFound(id);
      return openAt({ ...request, resume: id }, context);
    },
    /** What the editor is told of a session that it has opened; all else follows that answer. */
    began: (session: AcpSession) => {
      setImmediate(() => void session.begin().catch((error: unknown) => io.warn(errorReason(error))));
      return { modes: session.options.modes(), configOptions: session.options.all() };
    },
    cancel: (id: string): void => sessions.get(id)?.cancel(),
    leave,
    /** Never rejects. */
    leaveAll: async (): Promise<void> => {
      await Promise.all([...sessions.keys()].map((id) => leave(id).catch((error: unknown) => io.warn(errorReason(error)))));
    },
  };
}

type PlaceParams = {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[] | null;
  readonly additionalDirectories?: readonly string[] | null;
};

function placeOf({ cwd, mcpServers, additionalDirectories }: PlaceParams): SessionRequest {
  const wrong = [cwd, ...(additionalDirectories ?? [])].find(
    (path) => !isAbsolute(path) || orUndefined(() => statSync(path).isDirectory()) !== true,
  );
  if (wrong !== undefined)
    throw new SanbotError('usage', {
      en: `${safeLine(wrong)} is not the absolute path of a folder`,
      zh: `${safeLine(wrong)} 不是文件夹的绝对路径`,
    });
  return { cwd, folders: additionalDirectories ?? [], servers: mcpServers ?? [] };
}

/** What holds for every session of an editor, unless it changes it there. */
export type AcpOptions = HomeOptions &
  GroupOptions & {
    readonly model?: string | undefined;
    readonly effort?: Effort | undefined;
    readonly permissionMode: PermissionMode;
    readonly sandbox?: string | undefined;
    /** In dollars, for all requests of one session. */
    readonly maxCost?: number | undefined;
    /** The folders that are opened count as trusted. */
    readonly trust?: boolean | undefined;
    /** As an editor starts it in a terminal, for the person to choose a model. */
    readonly setup?: boolean | undefined;
  };

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
  const sync = await startSync(settings, environment, { warn, repeats: true });
  const opened = await openRuntime(environment, {
    ...{ settings, group, warn, show: events.show, ...asked },
    ...{ interactive: true, onlyTrustedInstructions: true, mode: options.permissionMode, allowed: [], maxCostUsd: options.maxCost },
  });
  const runtime = sync.over(opened);
  try {
    for (const folder of folders) runtime.addFolder(folder, 'additionalDirectories');
    if (resume === undefined && runtime.models.isMissing(runtime.modelName)) throw new SanbotError('model_key', NO_MODEL);
    const { model, effort } = options;
    const found = resume === undefined ? undefined : (await sync.find({ resume, continueNewest: false }, runtime)).resume;
    const chat = openChat(runtime, { group, resume: isString(found) ? found : undefined, model, effort, settings });
    id = chat.conversation().session.id;
    session = createSession({ chat, runtime, editor, turn, questions, events, ended: sync.end });
    return session;
  } catch (error) {
    await runtime.mcp.close();
    return sync.failed(error);
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
