/**
 * What any model behind an HTTP address needs, whatever its API: one function that keeps the promise of `AskModel`, made from a `Wire` that
 * says what is sent and how the answer is read. anthropic/ uses the parts below it beside the SDK; openai-chat/ and openai-responses/ use
 * all of it.
 *
 * `choose-endpoint.ts` says where requests go, `attempt.ts` is one request with its retries, `read-answer.ts` an answer in any form,
 * a stream of events among them, `streamed-error.ts` an error in one, `guard-answer.ts` the limits and what is no answer,
 * `answer-fields.ts` what is read of one, `call-arguments.ts` arguments in pieces, `failure.ts` what a failure means, `overflow.ts`
 * the wordings of a request that is too long; net/ is the way out.
 *
 * A `ModelRequest` comes in, a whole `ModelAnswer` comes out. It never follows a redirect, never sends a key anywhere but to the address
 * that is set, gives out no half reply, and knows nothing of messages.
 */

import type { AskModel, ModelRequest } from '../../agent/ports/model.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import { parseJson } from '../../domain/value/json.ts';
import type { Env } from '../../net/proxy.ts';
import { type Answer, type BodyParts, type Send, sendFor } from '../../net/send.ts';
import { type AttemptPolicy, askWithRetries, type Reception, type ReplyListener } from './attempt.ts';
import type { Endpoint } from './choose-endpoint.ts';
import { ApiRefusal, ConnectionFailed, describeError, plainBodyText, reportedFailure } from './describe-error.ts';
import type { Refusal, RequestFailure } from './failure.ts';
import { guardAnswer } from './guard-answer.ts';
import { type AnswerCollector, readAnswer } from './read-answer.ts';
import { BrokenStream } from './reply-bounds.ts';
import { errorFields } from './streamed-error.ts';

/** How one API is spoken. */
export type Wire = {
  /** What follows the address of the endpoint, such as "/chat/completions". */
  readonly path: string;
  /** The body of a request. The same request gives the same bytes, unless `adapt` has learned something in between. */
  readonly body: (request: ModelRequest) => Readonly<Record<string, unknown>>;
  /** The field of the body that has the conversation. What stands there never changes. */
  readonly list: string;
  readonly collect: (request: ModelRequest, listener: ReplyListener) => AnswerCollector;
  /** Learns from a refusal; true when the next body of this request will lack what was refused. */
  readonly adapt?: (failure: RequestFailure, request: ModelRequest) => boolean;
  /** The answer that a refusal means beside an overflow; undefined when it is a failure. */
  readonly judge?: (failure: RequestFailure, request: ModelRequest) => Refusal | undefined;
};

export type HttpOptions = AttemptPolicy & {
  /** Where requests go; called once, for the first of them. Throws model_key or model_unreachable. */
  readonly endpoint: () => Endpoint;
  readonly env: Env;
  /** Names the setting that a model's name came from. */
  readonly modelSource: (model: string) => string;
};

export function askOverHttp(wire: Wire, options: HttpOptions): AskModel {
  let line: Line | undefined;
  return async (request, stream) => {
    line ??= openLine(options);
    const { endpoint, send } = line;
    return askWithRetries(request, stream, {
      ...options,
      receive: (reception) => receive(request, { wire, endpoint, send }, reception),
      describe: describeError,
      adapt: (failure) => wire.adapt?.(failure, request) === true,
      context: {
        endpoint,
        model: request.model,
        modelSource: options.modelSource(request.model),
        judge: (failure) => wire.judge?.(failure, request),
      },
    });
  };
}

/** An endpoint and the way to it. */
export type Line = { readonly endpoint: Endpoint; readonly send: Send };

/** Throws model_key or model_unreachable. */
export function openLine({ endpoint: chooseEndpoint, env }: Pick<HttpOptions, 'endpoint' | 'env'>): Line {
  const endpoint = chooseEndpoint();
  return { endpoint, send: sendFor(new URL(endpoint.baseUrl), env) };
}

/** The headers of a request: the key as a bearer token, then what the user has set, which wins. */
export const headersFor = ({ key, headers }: Endpoint): Readonly<Record<string, string>> => ({
  ...(key.kind === 'none' ? {} : { authorization: `Bearer ${key.value}` }),
  ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
});

/** An address of the endpoint; what its base address has behind a question mark stays. */
export function addressOf({ baseUrl }: Pick<Endpoint, 'baseUrl'>, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  return url.href;
}

type WireLine = Line & { readonly wire: Wire };

async function receive(request: ModelRequest, { wire, ...line }: WireLine, reception: Reception): Promise<ModelAnswer> {
  const body = bodyJson(wire.body(request), wire.list);
  const response = await post(line, { path: wire.path, accept: 'text/event-stream, application/json', body }, reception);
  const collector = wire.collect(request, reception.listener);
  await readAnswer(response, collector);
  const answer = collector.finish();
  if (answer === undefined) throw new BrokenStream('the stream ended before the reply did');
  return answer;
}

type Question = { readonly path: string; readonly accept: string; readonly body: BodyParts };

/** Asks an endpoint with a body in JSON. Throws ConnectionFailed where there is no answer, and ApiRefusal for one with an error status. */
export async function post(
  { endpoint, send }: Line,
  { path, accept, body }: Question,
  { signal, watch, onWait }: Omit<Reception, 'listener'>,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', accept, ...headersFor(endpoint) };
  const sent = await send(addressOf(endpoint, path), { headers, body, signal, onWait }).catch((cause: unknown) => {
    throw signal.aborted ? new AbortedError() : new ConnectionFailed('fetch failed', { cause });
  });
  const response = guardAnswer(sent, watch);
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  const { status, headers: said } = response;
  throw new ApiRefusal(reportedFailure({ ...errorFields(parseJson(text)), status, headers: said, text, fallback: plainBodyText(text) }));
}

/** Written together: a change among them, such as a mark of the cache that moves on, costs that many. */
const ITEMS_TOGETHER = 16;

/**
 * Returns a body as JSON in UTF-8, in parts that together are byte for byte what JSON.stringify makes of it. What stands in the list under
 * `key` never changes, and most of a request was in the one before: it is written anew only where it is not, and joined nowhere.
 */
export function bodyJson(body: Readonly<Record<string, unknown>>, key: string): BodyParts {
  const parts: Buffer<ArrayBuffer>[] = [];
  for (const [name, value] of Object.entries(body)) {
    const json = name === key && Array.isArray(value) ? listJson(value) : valueJson(value);
    if (json.length > 0) parts.push(bytesOf(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), ...json);
  }
  return parts.length === 0 ? [bytesOf('{}')] : [...parts, bytesOf('}')];
}

const bytesOf = (text: string): Buffer<ArrayBuffer> => Buffer.from(text);

/** Nothing for a value that JSON leaves out. */
function valueJson(value: unknown): BodyParts {
  const json = JSON.stringify(value);
  return json === undefined ? [] : [bytesOf(json)];
}

type Written = { readonly items: readonly unknown[]; readonly json: Buffer<ArrayBuffer> };

/** What was last written, by the first of its items. */
const written = new WeakMap<object, Written>();

function listJson(list: readonly unknown[]): BodyParts {
  const parts: Buffer<ArrayBuffer>[] = [];
  for (let from = 0; from < list.length; from += ITEMS_TOGETHER)
    parts.push(bytesOf(from === 0 ? '[' : ','), partJson(list.slice(from, from + ITEMS_TOGETHER)));
  return list.length === 0 ? [bytesOf('[]')] : [...parts, bytesOf(']')];
}

/** Without the brackets. */
function partJson(items: readonly unknown[]): Buffer<ArrayBuffer> {
  const [first] = items;
  if (typeof first !== 'object' || first === null) return itemsJson(items);
  const last = written.get(first);
  if (last !== undefined && last.items.length === items.length && items.every((item, at) => item === last.items[at])) return last.json;
  const json = itemsJson(items);
  written.set(first, { items, json });
  return json;
}

const itemsJson = (items: readonly unknown[]): Buffer<ArrayBuffer> => bytesOf(JSON.stringify(items)).subarray(1, -1);
