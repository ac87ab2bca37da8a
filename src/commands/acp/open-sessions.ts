import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import type { AcpOptions } from './acp-options.ts';
import { openSession, type SessionRequest } from './open-session.ts';
import { type AgentContext, type ClientCapabilities, type McpServer, RequestError } from './protocol.ts';
import type { AcpSession } from './session.ts';
import { stillRunning } from './turn.ts';

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
