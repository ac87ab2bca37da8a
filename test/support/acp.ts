import {
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type McpServer,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { expect } from 'vitest';
import { isObject, parseJson } from '../../src/domain/value/json.ts';
import { createLineCheck } from './acp-schema.ts';
import { afterThisTest } from './clean-up.ts';
import { startFakeApi } from './fake-api.ts';
import { runInProcess } from './in-process.ts';
import { LiveInput, OutputPipe } from './pipes.ts';
import { createSandbox, type Sandbox } from './sanbot.ts';
import type { Script, Step } from './scenario.ts';

/** An editor with the protocol's own library, and `sanbot acp` at the other end of its pipes, in this process. */
export type AcpWorld = {
  readonly world: Sandbox;
  readonly agent: ClientContext;
  /** The updates of all sessions, in their order. */
  readonly updates: readonly SessionUpdate[];
  readonly asked: readonly RequestPermissionRequest[];
  /** Lines that the agent wrote. */
  readonly lines: readonly unknown[];
  /** What it wrote to standard error. */
  readonly err: () => string;
  /** The text of all chunks of a kind. */
  readonly text: (kind: SessionUpdate['sessionUpdate']) => string;
  /** Resolves when an update is there, or comes. */
  readonly comes: (wanted: (update: SessionUpdate) => boolean) => Promise<SessionUpdate>;
  /** Raw bytes to the agent. */
  readonly send: (piece: string) => void;
  /** The editor goes; resolves with the exit code. */
  readonly leave: () => Promise<number>;
};

export type AcpOptions = {
  readonly world?: Sandbox;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  readonly answer?: (request: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  readonly elicit?: (request: CreateElicitationRequest) => CreateElicitationResponse;
  /** What the editor holds of a file. */
  readonly buffer?: (path: string) => string;
  /** Left out to initialize at once. */
  readonly later?: boolean;
};

/** The option of this kind, or with this in its name. */
export const choosing =
  (wanted: string) =>
  ({ options }: RequestPermissionRequest): RequestPermissionResponse => {
    const option = options.find(({ kind, name }) => kind === wanted || name.includes(wanted));
    if (option === undefined) throw new Error(`no ${wanted} among ${options.map(({ name }) => name).join(', ')}`);
    return { outcome: { outcome: 'selected', optionId: option.optionId } };
  };

export async function startAcp({
  world = createSandbox(),
  args = [],
  env = { SANBOT_PROVIDER: 'offline' },
  capabilities = {},
  answer = choosing('allow_once'),
  elicit = () => ({ action: 'cancel' }),
  buffer,
  later = false,
}: AcpOptions = {}): Promise<AcpWorld> {
  const check = createLineCheck();
  const [stdin, stderr] = [new LiveInput(), new OutputPipe()];
  const [lines, problems, updates, asked]: [unknown[], string[], SessionUpdate[], RequestPermissionRequest[]] = [[], [], [], []];
  const waiting = new Set<() => void>();
  /** As they stand on the wire: the library hands them over after the answer that follows them. */
  const hearUpdate = (params: unknown): void => {
    updates.push((params as SessionNotification).update);
    for (const look of [...waiting]) look();
  };
  let hear = (_: Uint8Array): void => undefined;
  let partial = '';
  const stdout = new OutputPipe((piece) => {
    const all = `${partial}${piece.toString()}`.split('\n');
    partial = all.pop() ?? '';
    for (const line of all.filter((each) => each !== '')) {
      const value: unknown = JSON.parse(line);
      lines.push(value);
      problems.push(...check.problems(value));
      if (isObject(value) && value.method === methods.client.session.update) hearUpdate(value.params);
    }
    hear(new Uint8Array(piece));
  });
  const exit = runInProcess(['acp', ...args], { env: { ...world.env, ...env }, cwd: world.cwd, stdin, stdout, stderr });
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => {
      hear = (piece) => controller.enqueue(piece);
      void exit.then(() => controller.close());
    },
  });
  const writable = new WritableStream<Uint8Array>({
    write: (piece) => {
      for (const line of new TextDecoder().decode(piece).split('\n')) if (line !== '') check.sent(JSON.parse(line));
      stdin.send(piece);
    },
  });
  const app = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return answer(params);
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => elicit(params))
    .onNotification(methods.client.session.update, () => undefined);
  if (buffer !== undefined) app.onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: buffer(params.path) }));
  const connection = app.connect(ndJsonStream(writable, readable));
  const leave = async (): Promise<number> => {
    stdin.close();
    return exit;
  };
  afterThisTest(async () => {
    await leave();
    expect(problems).toEqual([]);
  });
  if (!later) await connection.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: capabilities });
  return {
    ...{ world, updates, asked, lines, leave, agent: connection.agent, err: () => stderr.text },
    send: (piece) => {
      for (const line of piece.length > 1_000_000 ? [] : piece.split('\n')) check.sent(parseJson(line));
      stdin.send(piece);
    },
    text: (kind) => updates.map((update) => (update.sessionUpdate === kind ? textIn(update) : '')).join(''),
    comes: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = updates.find(wanted);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** The same beside a model that plays its steps. */
export async function editorWith(steps: readonly Step[] | Script, options: EditorOptions = {}) {
  const { world = createSandbox(), variables = {}, models } = options;
  const fake = await startFakeApi(steps, { home: world.home, ...(models !== undefined && { models }) });
  afterThisTest(() => fake.close());
  const env = { ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'k', SANBOT_MODEL: 'claude-sonnet-5-5', ...variables };
  const editor = await startAcp({ ...options, world, env });
  const { agent } = editor;
  const place = { cwd: world.cwd, mcpServers: [] };
  const session = (sessionId: string) => ({
    sessionId,
    prompt: (said: string | ContentBlock[]) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: typeof said === 'string' ? [{ type: 'text', text: said }] : said }),
    cancel: () => agent.notify(methods.agent.session.cancel, { sessionId }),
  });
  return {
    ...{ ...editor, fake, env },
    open: async (mcpServers: McpServer[] = [], additionalDirectories: string[] = []) => {
      const answer = await agent.request(methods.agent.session.new, { ...place, mcpServers, additionalDirectories });
      return { ...session(answer.sessionId), answer };
    },
    load: async (sessionId: string) => {
      await agent.request(methods.agent.session.load, { ...place, sessionId });
      return session(sessionId);
    },
    resume: async (sessionId: string) => {
      await agent.request(methods.agent.session.resume, { ...place, sessionId });
      return session(sessionId);
    },
  };
}

type EditorOptions = AcpOptions & { readonly variables?: Variables } & Pick<NonNullable<Parameters<typeof startFakeApi>[1]>, 'models'>;
type Variables = Readonly<Record<string, string>>;

/** The code of the failure that a request is answered with. */
export const codeOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => 'no failure',
    (error: unknown) => (error instanceof RequestError ? error.code : error),
  );

const textIn = (update: SessionUpdate): string =>
  'content' in update && update.content != null && 'type' in update.content && update.content.type === 'text' ? update.content.text : '';
