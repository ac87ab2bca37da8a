import { inOneLine, SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { ownSessions } from '../../domain/session/session-list-entry.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { versionOf } from '../../runtime/home.ts';
import { createModels } from '../../runtime/models/models.ts';
import { readSettings } from '../../runtime/settings.ts';
import { deleteSession } from '../../store/session/change-session.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { type AcpOptions, createOpenSessions, NO_MODEL, type OpenSessions } from './open-sessions.ts';
import { agent, type ClientCapabilities, methods, PROTOCOL_VERSION, RequestError } from './protocol.ts';

const SETUP = 'setup';
const PAGE = 50;

/** What answers an editor: every request, with the sessions that it has open. */
export function createAcpAgent(options: AcpOptions, context: CommandContext) {
  const sessions = createOpenSessions(options, context);
  const app = agent({ name: 'sanbot' });
  answerStart(app, { options, context, sessions });
  answerSessions(app, { options, context, sessions });
  answerTurns(app, sessions);
  return { app, close: sessions.leaveAll };
}

type Answers = { readonly options: AcpOptions; readonly context: CommandContext; readonly sessions: OpenSessions };
type App = ReturnType<typeof agent>;

const answerStart = (app: App, { options, context, sessions }: Answers): App =>
  app
    .onRequest(methods.agent.initialize, ({ params }) => {
      const capabilities = params.clientCapabilities ?? {};
      sessions.meet(capabilities);
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'sanbot', title: 'SanBot', version: versionOf(context.environment) },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          mcpCapabilities: { http: true, sse: false },
          sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
        },
        authMethods: hasModel(options, context) ? [] : [setupMethod(capabilities)],
      };
    })
    .onRequest(
      methods.agent.authenticate,
      answering(({ params: { methodId } }) => {
        if (methodId !== SETUP)
          throw new SanbotError('usage', { en: `There is no method ${safeLine(methodId)}`, zh: `没有方法 ${safeLine(methodId)}` });
        if (!hasModel(options, context)) throw new SanbotError('model_key', NO_MODEL);
        return {};
      }),
    );

function answerSessions(app: App, { options, context, sessions }: Answers): App {
  const home = () => openHome(options, context);
  return app
    .onRequest(
      methods.agent.session.new,
      answering(async ({ params, client }) => {
        const session = await sessions.open(params, client);
        return { sessionId: session.id, ...sessions.began(session) };
      }),
    )
    .onRequest(
      methods.agent.session.load,
      answering(async ({ params, client }) => {
        const session = await sessions.reopen(params, client);
        await session.replay();
        return sessions.began(session);
      }),
    )
    .onRequest(
      methods.agent.session.resume,
      answering(async ({ params, client }) => sessions.began(await sessions.reopen(params, client))),
    )
    .onRequest(
      methods.agent.session.list,
      answering(({ params }) => listPage(ownSessions(home().store.sessions.list()), params)),
    )
    .onRequest(
      methods.agent.session.close,
      answering(async ({ params: { sessionId } }) => {
        const session = sessions.get(sessionId);
        session.cancel();
        await session.reflect();
        await sessions.leave(sessionId);
      }),
    )
    .onRequest(
      methods.agent.session.delete,
      answering(async ({ params: { sessionId } }) => {
        await sessions.leave(sessionId);
        const { disk, paths, store } = home();
        if (!store.sessions.has(sessionId)) throw RequestError.sessionNotFound(sessionId);
        deleteSession(disk, paths, sessionId);
      }),
    );
}

const answerTurns = (app: App, sessions: OpenSessions): App =>
  app
    .onRequest(
      methods.agent.session.setMode,
      answering(({ params }) => sessions.get(params.sessionId).options.setMode(params.modeId)),
    )
    .onRequest(
      methods.agent.session.setConfigOption,
      answering(async ({ params: { sessionId, configId, value }, signal }) => ({
        configOptions: await sessions.get(sessionId).options.set(configId, String(value), signal),
      })),
    )
    .onRequest(
      methods.agent.session.prompt,
      answering(async ({ params, signal }) => ({ stopReason: await sessions.get(params.sessionId).prompt(params.prompt, signal) })),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.cancel(params.sessionId));

/** Editors that can, run it in a terminal of theirs; at others the person does. */
const setupMethod = ({ auth }: ClientCapabilities) => {
  const method = {
    ...{ id: SETUP, name: localize({ en: 'Choose a model', zh: '选择模型' }) },
    description: localize({ en: 'Runs sanbot setup in a terminal.', zh: '在终端中运行 sanbot setup。' }),
  };
  return auth?.terminal === true ? { ...method, type: 'terminal' as const, args: ['--setup'] } : method;
};

/** False where nothing would answer, also since the settings cannot be read. */
function hasModel(options: AcpOptions, { environment, io }: CommandContext): boolean {
  const settings = orUndefined(() => readSettings(environment, options));
  if (settings === undefined) return false;
  const { modelName, isMissing } = createModels(environment, { settings, countTokens: ({ length }) => length, warn: io.warn });
  return !isMissing(modelName);
}

type ListParams = { readonly cwd?: string | null; readonly cursor?: string | null };

function listPage(all: ReturnType<typeof ownSessions>, { cwd, cursor }: ListParams) {
  const usable = all.filter((entry) => entry.problem === undefined && (cwd == null || entry.cwd === cwd));
  const start = cursor == null ? 0 : usable.findIndex(({ sessionId }) => sessionId === cursor) + 1;
  if (cursor != null && start === 0) throw new SanbotError('usage', { en: 'There is no such page', zh: '没有这一页' });
  const page = usable.slice(start, start + PAGE);
  const next = start + PAGE < usable.length ? page.at(-1)?.sessionId : undefined;
  return {
    sessions: page.map(({ sessionId, cwd: folder, title, updatedAt }) => ({ sessionId, cwd: folder, title: safeLine(title), updatedAt })),
    ...(next !== undefined && { nextCursor: next }),
  };
}

/** With failures as the protocol tells them, in the words of the terminal. */
const answering =
  <Context, Answer>(answer: (context: Context) => Answer | Promise<Answer>) =>
  async (context: Context): Promise<Answer> => {
    try {
      return await answer(context);
    } catch (error) {
      if (!(error instanceof SanbotError)) throw error;
      throw new RequestError(codes[error.code] ?? INTERNAL, localize(inOneLine(error)), { code: error.code });
    }
  };

const INTERNAL = -32_603;
const codes: Readonly<Partial<Record<SanbotError['code'], number>>> = {
  ...{ usage: -32_602, refused: -32_600, model_key: -32_000, not_found: -32_002 },
};
