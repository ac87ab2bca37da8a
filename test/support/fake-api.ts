import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ModelRequest } from '../../src/agent/ports/model.ts';
import { type ContentBlock, textOf, type WireMessage } from '../../src/domain/session/message.ts';
import { asksForSummary, createPrefixChecker } from './check-prefix.ts';
import { type CheckOptions, createRequestChecker, type SentRequest } from './check-request.ts';
import { type Answering, answer, refuse } from './fake-answers.ts';
import { createDiagnostics } from './fake-diagnostics.ts';
import { createFakeUsage, type FakeUsage } from './fake-usage.ts';
import { type FakeAnswer, outline, type Script, type Step, unmet } from './scenario.ts';

export type FakeApiOptions = CheckOptions & {
  /** Bytes a piece of a streamed body; pieces break inside characters and escapes. Everything at once when left out. */
  readonly chunkBytes?: number;
  /** The only key that is let in; any when left out. */
  readonly key?: string;
  /** What each request is told that it used; by default, what it shares with the one before is read from the cache. */
  readonly usage?: FakeUsage;
  /** What is said of single models; nothing is known of others. */
  readonly models?: Readonly<Record<string, { readonly max_input_tokens: number | null; readonly max_tokens: number | null }>>;
  /** The API that is spoken; the Messages API when left out. */
  readonly wire?: FakeWire;
};

/** What differs between APIs: where they are, how a request reads, how it is answered. */
export type FakeWire = {
  readonly path: string;
  /** What the request asks for, and everything for which the real API would refuse its form. */
  readonly read: (body: Body, headers: IncomingMessage['headers']) => ReadRequest;
  readonly answer: (given: FakeAnswer, response: ServerResponse, how: Answering) => Promise<void>;
  readonly refuse: (response: ServerResponse, status: number, type: string, message: string) => void;
  /** Answers a question about models; undefined when the API knows none such. */
  readonly about?: (path: string, options: FakeApiOptions) => unknown;
};

export type Body = Readonly<Record<string, unknown>>;
export type ReadRequest = { readonly request: ModelRequest; readonly sent: SentRequest; readonly problems: readonly string[] };

/** A request as it came over the wire. */
export type WireRequest = {
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: ModelRequest;
};

export type FakeApi = {
  /** For ANTHROPIC_BASE_URL; the other APIs are behind /v1 there. */
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** Settles when the n-th stall or hang (from 0) has begun: the moment to abort, or to let an idle watch run out. */
  readonly stalled: (n?: number) => Promise<void>;
  /** Settles when the n-th client (from 0) has gone away before its answer was whole. */
  readonly abandoned: (n?: number) => Promise<void>;
  /** Throws as the fake model's does. */
  readonly done: () => void;
  readonly close: () => Promise<void>;
};

/**
 * The Messages API, or another, on a loopback port, playing the same scenarios as the fake model, and misbehaving on purpose. Just as
 * strict: a malformed, unexpected or wrong request is refused with a 400 that says why, and `done` throws.
 */
export async function startFakeApi(scenario: readonly Step[] | Script, options: FakeApiOptions = {}): Promise<FakeApi> {
  const played = play(scenario, options);
  const server = createServer((incoming, response) => {
    played.serve(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, ...played.seen, close: () => closeServer(server) };
}

const roughly = (text: string): number => Math.ceil(text.length / 4);

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

type Played = {
  readonly serve: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly seen: Pick<FakeApi, 'requests' | 'stalled' | 'abandoned' | 'done'>;
};

function play(scenario: readonly Step[] | Script, options: FakeApiOptions): Played {
  const { wire = messagesWire } = options;
  const checker = createRequestChecker(options);
  const prefix = createPrefixChecker();
  const diagnostics = createDiagnostics(options.countTokens ?? roughly);
  const usageFor = options.usage ?? createFakeUsage(options.countTokens);
  const requests: WireRequest[] = [];
  const problems: string[] = [];
  const stalls = countdown();
  const gone = countdown();
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A whole address where it is asked as a proxy.
    const path = new URL(incoming.url ?? '', 'http://fake').pathname;
    const told = incoming.method === 'GET' ? wire.about?.(path, options) : undefined;
    const isWrongKey = options.key !== undefined && ![undefined, '', options.key].includes(keyOf(incoming));
    if (told !== undefined && isWrongKey) return wire.refuse(response, 401, 'authentication_error', 'invalid x-api-key');
    if (told !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(told));
      return;
    }
    if (incoming.method !== 'POST' || path !== wire.path) return wire.refuse(response, 404, 'not_found_error', 'Not found');
    if (options.key !== undefined && keyOf(incoming) !== options.key)
      return wire.refuse(response, 401, 'authentication_error', 'invalid x-api-key');
    response.on('close', () => response.writableFinished || gone.one());
    const body = await bodyOf(incoming);
    const { request, sent, problems: malformed } = wire.read(body, incoming.headers);
    const n = requests.push({ headers: incoming.headers, body, request }) - 1;
    const step = typeof scenario === 'function' ? scenario(request, n) : scenario[n];
    const why = whatIsWrong({
      request,
      step,
      n,
      problems: [...malformed, ...diagnostics.problems(body), ...checker.check(sent), ...prefix.check(sent)],
    });
    if (why !== undefined || step === undefined) {
      problems.push(why ?? 'no step');
      return wire.refuse(response, 400, 'invalid_request_error', `fake: ${why}\n${outline(request)}`);
    }
    const usage = usageFor(sent, step.answer.kind === 'reply' ? step.answer.content : []);
    if (step.answer.kind === 'reply') checker.answered(sent, step.answer.content);
    await wire.answer(step.answer, response, {
      request,
      usage,
      stalled: stalls.one,
      streamed: body.stream === true,
      chunkBytes: options.chunkBytes,
      envelope: diagnostics.envelope(body),
    });
  };
  const done = (): void => {
    const unused = typeof scenario === 'function' ? 0 : Math.max(0, scenario.length - requests.length);
    if (unused > 0) problems.push(`${unused} of the scenario's steps were not used`);
    if (problems.length > 0) throw new Error(`fake API: ${problems.join('; ')}`);
  };
  return { serve, seen: { requests, stalled: stalls.reached, abandoned: gone.reached, done } };
}

type Asked = {
  readonly request: ModelRequest;
  readonly step: Step | undefined;
  readonly n: number;
  /** Found in the request by itself, and beside the one before. */
  readonly problems: readonly string[];
};

/** They shape a reply, and a summary by the API is none. */
const NOT_WITH_COMPACTION = ['context_management', 'stop_sequences', 'output_config', 'tool_choice'];
const NO_LONGER_TAKEN = ['temperature', 'top_p', 'top_k'];

const messagesProblems = (body: Body): readonly string[] => [
  ...NOT_WITH_COMPACTION.filter((name) => 'compaction' in body && name in body).map((name) => `${name} does not go with compaction`),
  ...NO_LONGER_TAKEN.filter((name) => name in body).map((name) => `${name} is no longer taken`),
];

const whatIsWrong = ({ request, step, n, problems }: Asked): string | undefined => {
  if (problems.length > 0) return problems.join('; ');
  if (step === undefined) return `request ${n} was not expected`;
  const missed = unmet(step.expect, request);
  return missed === undefined ? undefined : `request ${n}: ${missed}`;
};

// --- in --------------------------------------------------------------------------------------------------------------

const keyOf = ({ headers }: IncomingMessage): string | undefined =>
  headers.authorization?.replace(/^Bearer /, '') ?? (typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : undefined);

const bodyOf = async (incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  const body: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  return typeof body === 'object' && body !== null ? { ...body } : {};
};

/** The wire names no purpose: a request without tools, or one whose last words ask for a summary, is taken for one. */
const modelRequest = (body: Readonly<Record<string, unknown>>): ModelRequest => {
  const tools = list(body.tools).map((tool) => ({
    name: String(tool.name),
    description: String(tool.description),
    inputSchema: record(tool.input_schema),
  }));
  const messages = list(body.messages).map(wireMessage);
  return {
    model: String(body.model),
    system: typeof body.system === 'string' ? [body.system] : list(body.system).map((block) => textOf([{ type: 'text', ...block }])),
    tools,
    messages,
    maxOutputTokens: Number(body.max_tokens),
    purpose: tools.length === 0 || body.compaction !== undefined || asksForSummary(messages) ? 'summary' : 'turn',
  };
};

const wireMessage = ({ role, content }: Readonly<Record<string, unknown>>): WireMessage => ({
  role: role === 'assistant' ? 'assistant' : 'user',
  content:
    typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : list(content).map((block): ContentBlock => ({ ...block, type: String(block.type) })),
});

const messagesWire: FakeWire = {
  path: '/v1/messages',
  read: (body, headers) => {
    const request = modelRequest(body);
    return { request, sent: sentRequest(headers, body, request), problems: messagesProblems(body) };
  },
  answer,
  refuse,
  about: (path, { models }) => {
    if (path === '/v1/models' && models !== undefined) {
      const data = Object.entries(models).map(([id, facts]) => ({ type: 'model', id, display_name: id, ...facts }));
      return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
    }
    const model = /^\/v1\/models\/(.+)$/.exec(path)?.[1];
    const facts = model === undefined ? undefined : models?.[model];
    return facts === undefined ? undefined : { type: 'model', id: model, ...facts };
  },
};

const sentRequest = (headers: IncomingMessage['headers'], body: Body, { messages, maxOutputTokens }: ModelRequest): SentRequest => ({
  compaction: body.compaction,
  betas: String(headers['anthropic-beta'] ?? '').split(','),
  system: body.system,
  tools: body.tools,
  messages,
  maxTokens: maxOutputTokens,
  model: body.model,
  settings: [body.thinking, body.tool_choice, ...(body.output_config === undefined ? [] : [body.output_config])],
});

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});
const list = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(value) ? value.map(record) : []);

/** Promises that settle one after another. */
const countdown = (): { readonly one: () => void; readonly reached: (n?: number) => Promise<void> } => {
  let reached = 0;
  const waiting: { readonly n: number; readonly resolve: () => void }[] = [];
  return {
    one: () => {
      reached += 1;
      for (const { n, resolve } of waiting) if (n < reached) resolve();
    },
    reached: (n = 0) => new Promise((resolve) => (n < reached ? resolve() : void waiting.push({ n, resolve }))),
  };
};
