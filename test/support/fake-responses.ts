import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ModelRequest } from '../../src/agent/ports/model.ts';
import type { Usage, WireMessage } from '../../src/domain/session/message.ts';
import { asksForSummary } from './check-prefix.ts';
import { checkResponsesBody, type Fields, fields, list, messagesOf } from './check-responses.ts';
import { responseEvents, responseObject } from './responses-events.ts';
import { outline, type Script, type Step, unmet } from './scenario.ts';

export type FakeResponsesOptions = {
  /** Bytes a piece of a streamed body; everything at once when left out. */
  readonly chunkBytes?: number;
  readonly key?: string;
  /** The window that a rough count of the request may not exceed; unchecked when left out. */
  readonly windowTokens?: number;
  /** What each request is told that it used; by default, what it shares with the one before is read from the cache. */
  readonly usage?: (request: ModelRequest, content: readonly unknown[]) => Usage;
  /** Fields that this model refuses, each with the words it does so in. */
  readonly refuses?: Readonly<Record<string, string>>;
};

export type FakeResponses = {
  /** For model.baseUrl: with the /v1. */
  readonly url: string;
  readonly bodies: readonly Fields[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** Throws when a request was refused, or a step was not used. */
  readonly done: () => void;
  readonly close: () => Promise<void>;
};

/**
 * The Responses API on a loopback port, playing the scenarios of the other fakes. It refuses what the real one refuses: a call without its
 * output and the other way round, reasoning that was changed or that nothing follows, reasoning without its seal, unknown fields, a
 * conversation kept on the server. It caches like the real one: what a request shares with the one before is read from the cache.
 */
export async function startFakeResponses(scenario: readonly Step[] | Script, options: FakeResponsesOptions = {}): Promise<FakeResponses> {
  const bodies: Fields[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const problems: string[] = [];
  const sealed = new Map<string, string>();
  const usageFor = cachedUsage();
  let asked = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method !== 'POST' || incoming.url !== '/v1/responses') return refuse(response, 404, { message: 'Not found', code: null });
    if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key}`)
      return refuse(response, 401, { message: 'Incorrect API key provided.', code: 'invalid_api_key' });
    const body = fields(JSON.parse(await textOf(incoming)));
    const refused = Object.entries(options.refuses ?? {}).find(([name]) => name in body);
    if (refused !== undefined) return refuse(response, 400, { message: refused[1], param: refused[0], code: 'unsupported_parameter' });
    bodies.push(body);
    headers.push(incoming.headers);
    const n = asked++;
    const request = modelRequest(body);
    const step = typeof scenario === 'function' ? scenario(request, n) : scenario[n];
    const wrong = checkResponsesBody(body, { sealed, windowTokens: options.windowTokens });
    const missed = step === undefined ? `request ${n} was not expected` : unmet(step.expect, request);
    if (wrong.length > 0 || missed !== undefined || step === undefined) {
      problems.push([...wrong, missed ?? ''].filter((text) => text !== '').join('; '));
      return refuse(response, 400, { message: `fake: ${problems.at(-1)}\n${outline(request)}`, code: null });
    }
    const content = step.answer.kind === 'reply' ? step.answer.content : [];
    const usage = options.usage?.(request, content) ?? usageFor(body);
    await answer(step, response, { body, sealed, usage, chunkBytes: options.chunkBytes });
  };
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const done = (): void => {
    const unused = typeof scenario === 'function' ? 0 : Math.max(0, scenario.length - asked);
    if (unused > 0) problems.push(`${unused} of the scenario's steps were not used`);
    if (problems.length > 0) throw new Error(`fake Responses API: ${problems.join('; ')}`);
  };
  return { url: `http://127.0.0.1:${portOf(server)}/v1`, bodies, headers, done, close: () => closeServer(server) };
}

type Answering = {
  readonly body: Fields;
  readonly sealed: Map<string, string>;
  readonly usage: Usage;
  readonly chunkBytes: number | undefined;
};

async function answer({ answer: given }: Step, response: ServerResponse, { body, sealed, usage, chunkBytes }: Answering): Promise<void> {
  switch (given.kind) {
    case 'reply': {
      const reply = {
        model: String(body.model),
        content: given.content,
        stopReason: given.stopReason,
        usage: given.usage === null ? undefined : (given.usage ?? usage),
      };
      if (body.stream !== true) return sendJson(response, 200, responseObject(reply, sealed));
      await streamBytes(response, responseEvents(reply, sealed), chunkBytes);
      response.end();
      return;
    }
    case 'overflow':
      return refuse(response, 400, {
        message: `This model's maximum context length is ${given.limitTokens} tokens. However, your messages resulted in ${given.sentTokens} tokens. Please reduce the length of the messages.`,
        param: 'input',
        code: 'context_length_exceeded',
      });
    case 'stale_thinking':
      return refuse(response, 400, {
        message: 'The encrypted content gAAA… could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
        code: 'invalid_encrypted_content',
      });
    case 'fails':
      return given.code === 'model_key'
        ? refuse(response, 401, { message: given.message, code: 'invalid_api_key' })
        : refuse(response, 400, { message: given.message, code: null });
    case 'hangs':
      return;
    case 'mischief':
      return misbehave(given.mischief, response);
  }
}

const HALF =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"half a re"}\n\n';

async function misbehave(mischief: Extract<Step['answer'], { kind: 'mischief' }>['mischief'], response: ServerResponse): Promise<void> {
  switch (mischief.how) {
    case 'status': {
      response.writeHead(mischief.status, { 'content-type': 'application/json', ...mischief.headers });
      response.end(typeof mischief.body === 'string' ? mischief.body : JSON.stringify(mischief.body ?? {}));
      return;
    }
    case 'premature_end':
      await streamBytes(response, HALF, undefined);
      response.end();
      return;
    case 'error_event': {
      const { type, message } = mischief;
      await streamBytes(
        response,
        `${HALF}event: error\ndata: ${JSON.stringify({ type: 'error', code: type, message, param: null })}\n\n`,
        undefined,
      );
      response.end();
      return;
    }
    case 'bad_json':
      await streamBytes(response, `${HALF}data: {"type":"resp\n\n`, undefined);
      response.end();
      return;
    default:
      throw new Error(`this fake does not know how to ${mischief.how}`);
  }
}

async function streamBytes(response: ServerResponse, text: string, chunkBytes: number | undefined): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const bytes = Buffer.from(text, 'utf8');
  const size = chunkBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size)
    await new Promise<void>((resolve) => response.write(bytes.subarray(start, start + size), () => resolve()));
}

const refuse = (
  response: ServerResponse,
  status: number,
  { message, param = null, code }: { message: string; param?: string | null; code: string | null },
): void => sendJson(response, status, { error: { message, type: 'invalid_request_error', param, code } });

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** The wire names no purpose: a request without tools, or one whose last words ask for a summary, is taken for one. */
const modelRequest = (body: Fields): ModelRequest => {
  const tools = list(body.tools).map((tool) => ({
    name: String(tool.name),
    description: String(tool.description),
    inputSchema: fields(tool.parameters),
  }));
  const messages: readonly WireMessage[] = messagesOf(list(body.input));
  return {
    model: String(body.model),
    system: [String(body.instructions ?? '')],
    tools,
    messages,
    maxOutputTokens: Number(body.max_output_tokens),
    purpose: tools.length === 0 || asksForSummary(messages) ? 'summary' : 'turn',
  };
};

/** What a request shares with the one before, in whole parts from its start on, is read from the cache; the rest is not said to be written. */
function cachedUsage(): (body: Fields) => Usage {
  let last: readonly string[] = [];
  return (body) => {
    const parts = [JSON.stringify([body.tools, body.instructions]), ...list(body.input).map((item) => JSON.stringify(item))];
    const shared = parts.findIndex((part, i) => part !== last[i]);
    const cached = shared < 0 ? parts.length : shared;
    last = parts;
    const count = (some: readonly string[]): number => some.reduce((sum, part) => sum + Math.ceil(part.length / 4), 0);
    return {
      inputTokens: count(parts.slice(cached)),
      cacheReadTokens: count(parts.slice(0, cached)),
      cacheWriteTokens: 0,
      outputTokens: 20,
    };
  };
}

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
