/**
 * Asks a model through the Messages API of Anthropic, or of a server that speaks it. This file is the only one that imports the SDK;
 * beside it stand the request's body, the reply's parts, and what its refusals mean; what any API over HTTP needs is in ../http.
 *
 * A `ModelRequest` comes in; one whole `ModelAnswer` comes out: a reply verbatim, or a refusal that the agent can act on, such as a
 * request that was too long. Whatever may pass by itself is tried again, also inside a stream, and half a reply is never given out.
 *
 * It rejects only with AbortedError and the SanbotErrors of its port. It changes no content, reads no profile of the SDK from disk, and
 * never names the password of a proxy.
 */

import Anthropic from '@anthropic-ai/sdk';
import type { Deadline } from '../../agent/ports/effects.ts';
import type { AskModel, ModelRequest } from '../../agent/ports/model.ts';
import { noEffortText } from '../../domain/config/effort.ts';
import { sameInBoth, type Warn } from '../../domain/language.ts';
import { isText } from '../../domain/session/message.ts';
import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type Answer, type BodyParts, bytesIn, type Send, type SendInit, sendFor } from '../../net/send.ts';
import { catalogEntry, type DeclaredFacts, factsFor, type Known, type ProviderFacts } from '../catalog.ts';
import { firstCount } from '../http/answer-fields.ts';
import { bodyJson, type HttpOptions } from '../http/ask-over-http.ts';
import { askWithRetries, type Reception } from '../http/attempt.ts';
import { anthropicEndpoint, type ChosenEndpoint, type EndpointSettings, type Key } from '../http/choose-endpoint.ts';
import { listBounds } from '../http/get-json.ts';
import { guardAnswer } from '../http/guard-answer.ts';
import { readAnswer } from '../http/read-answer.ts';
import { BrokenStream } from '../http/reply-bounds.ts';
import { originOf } from '../openai/opaque-fields.ts';
import { describeSdkError, judgeRefusal, refusesDiagnostics, refusesEffort, refusesHour } from './describe-error.ts';
import { collectReply } from './reply.ts';
import { type RequestBody, requestBody } from './request.ts';

export type AnthropicOptions = Omit<HttpOptions, 'endpoint'> & {
  readonly settings: EndpointSettings & DeclaredFacts;
  /** Receives what a model cannot do, once, and what the SDK logs, one line each, where ANTHROPIC_LOG asks for it. */
  readonly log: Warn;
  /** What else is known about a model. */
  readonly known?: (model: string) => Known;
};

/** The API refuses a larger body before it counts any tokens. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** The SDK's own limit covers only the time until the headers; the idle watch covers everything, and decides. */
const SDK_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/**
 * Asks a model through the Messages API, with streaming. Every transient failure of a request is retried here, within the stream too, since
 * no tool runs before the reply is complete.
 */
export function createAnthropic(options: AnthropicOptions): AskModel {
  let connection: Connection | undefined;
  let refusedHour = false;
  let comparesNothing = false;
  const withoutEffort = new Set<string>();
  const send: AskModel = async (request, stream) => {
    connection ??= openClient(options, asFetch);
    const { client, endpoint } = connection;
    const facts = factsFor(request.model, options.settings, 'anthropic', options.known?.(request.model));
    const origin = endpoint.official ? '' : originOf('messages', endpoint.baseUrl);
    const body = requestBody(request, { facts, thinking: catalogEntry(request.model)?.thinking ?? 'none', origin });
    const json = bodyJson({ ...body, stream: true }, 'messages');
    if (endpoint.official && bytesIn(json) > MAX_BODY_BYTES) return { kind: 'overflow', limitTokens: undefined, sentTokens: undefined };
    const call = { client, json, model: request.model, origin, diagnostics: body.diagnostics };
    return askWithRetries(request, stream, {
      ...options,
      receive: async (reception) => modelAnswerOf(await receive(call, reception)),
      describe: describeSdkError,
      context: {
        endpoint,
        model: request.model,
        modelSource: options.modelSource(request.model),
        judge: (failure) => {
          refusedHour ||= request.cacheTtl !== undefined && refusesHour(failure);
          comparesNothing ||= body.diagnostics !== undefined && refusesDiagnostics(failure);
          if (request.effort !== undefined && refusesEffort(failure)) withoutEffort.add(request.model);
          return judgeRefusal(failure);
        },
      },
    });
  };
  const accepted = ({ cacheTtl, effort, previousReply, ...request }: ModelRequest): ModelRequest => ({
    ...request,
    ...(cacheTtl === undefined || refusedHour ? {} : { cacheTtl }),
    ...(effort === undefined || withoutEffort.has(request.model) ? {} : { effort }),
    ...(previousReply === undefined || comparesNothing ? {} : { previousReply }),
  });
  const ask: AskModel = async (request, stream) => {
    const sent = accepted(request);
    try {
      return await send(sent, stream);
    } catch (error) {
      const { cacheTtl, effort, previousReply } = accepted(request);
      if (cacheTtl === sent.cacheTtl && effort === sent.effort && previousReply === sent.previousReply) throw error;
      if (effort !== sent.effort) options.log(noEffortText(request.model));
      return ask(request, stream);
    }
  };
  return ask;
}

/** Nobody waits longer for a figure that can also be assumed. */
const FETCH_FACTS_TIMEOUT_MS = 5_000;

type Timed = AnthropicOptions & { readonly deadline: Deadline };

/** The SDK reads an answer of any length, and counts its time to the headers only. */
const boundedBy = ({ deadline }: Timed, signal: AbortSignal): Anthropic.RequestOptions => ({
  signal: AbortSignal.any([signal, deadline(FETCH_FACTS_TIMEOUT_MS)]),
});

const asBoundedFetch =
  (send: Send): Fetch =>
  async (url, init) => {
    const { status, headers, text } = await send(String(url), { ...(init as SendInit), bounds: listBounds });
    return new Response(await text(), { status, headers: [...headers.entries()] });
  };

/** Returns what the provider's list of models says about one; undefined when it says nothing, or not in time. Never rejects. */
export async function fetchFacts(model: string, options: Timed, signal: AbortSignal): Promise<ProviderFacts | undefined> {
  try {
    const { client } = openClient(options, asBoundedFetch);
    const listing = await client.models.retrieve(model, {}, boundedBy(options, signal));
    return { windowTokens: firstCount(listing.max_input_tokens), maxOutputTokens: firstCount(listing.max_tokens) };
  } catch {
    return undefined; // the window is then assumed, and the user is warned; the first request reports a wrong key or address
  }
}

/** The names of the models that the endpoint lists, in its order; none when it lists none, or not in time. Never rejects. */
export async function listModels(options: Timed, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const { client } = openClient(options, asBoundedFetch);
    const { data }: { readonly data: readonly unknown[] } = await client.models.list({ limit: 1_000 }, boundedBy(options, signal));
    return data.flatMap((listed) => (isObject(listed) && isString(listed.id) && listed.id !== '' ? [listed.id] : []));
  } catch {
    return [];
  }
}

type ApiCall = {
  readonly client: Anthropic;
  readonly json: BodyParts;
  readonly model: string;
  readonly origin: string;
  readonly diagnostics: RequestBody['diagnostics'];
};

/** The part of fetch that the SDK uses, and no more of a response is read than an answer has. */
type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
const asResponse = (answer: Answer): Response => answer as unknown as Response;
const asAnswer = (response: Response): Answer => response as unknown as Answer;

/** As the SDK calls it for its stream, whose body is bytes. */
const asFetch =
  (send: Send): Fetch =>
  async (url, init) =>
    asResponse(await send(String(url), init as SendInit));

/** Reads one answer to its end. Throws BrokenStream when it ends before the reply is complete. */
async function receive({ client, json, ...asked }: ApiCall, { signal, watch, listener, onWait }: Reception): Promise<ModelAnswer> {
  const collector = collectReply(asked, listener);
  // As JSON already: the SDK would write the whole conversation anew for each request, and look through it for tools of its own.
  const response = await client
    .post('/v1/messages', {
      // Without a type for it, but handed on to `asFetch` as it is.
      fetchOptions: { body: json, onWait } as object,
      headers: { 'content-type': 'application/json' },
      stream: true,
      signal,
      middleware: [async (outgoing, next) => asResponse(guardAnswer(asAnswer(await next(outgoing)), watch))],
    })
    .asResponse();
  // Its own reader of events knows only those that have a name, and no answer in another form.
  await readAnswer(asAnswer(response), collector);
  const reply = collector.finish();
  if (reply === undefined) throw new BrokenStream('the stream ended before the reply did');
  return reply;
}

/** A window that filled up before the model said anything is an overflow like any other. */
const modelAnswerOf = (reply: ModelAnswer): ModelAnswer => {
  if (reply.kind !== 'reply') return reply;
  const hasText = reply.content.some((block) => isText(block) && block.text.trim() !== '');
  if (reply.stopReason !== 'model_context_window_exceeded' || hasText) return reply;
  const { usage } = reply;
  const sentTokens = usage === undefined ? undefined : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return { kind: 'overflow', limitTokens: undefined, sentTokens };
};

type Connection = { readonly client: Anthropic; readonly endpoint: ChosenEndpoint };

const openClient = ({ env, settings, log }: AnthropicOptions, fetchBy: (send: Send) => Fetch): Connection => {
  const endpoint = anthropicEndpoint(env, settings);
  const { key, baseUrl, official, headers } = endpoint;
  const logLine = (message: string, ...rest: readonly unknown[]): void =>
    log(sameInBoth([message, ...rest.map((one) => inspect(one))].join(' ')));
  const client = new Anthropic({
    // One credential is always set, so that the SDK does not look for one on disk.
    ...(key.kind === 'token' ? { authToken: key.value } : { apiKey: key.kind === 'none' ? 'none' : key.value }),
    baseURL: baseUrl,
    webhookKey: null,
    // The SDK sends a key as a bearer token only; most other servers look for it in the older x-api-key header.
    defaultHeaders: { ...keyHeaders(key, official), ...headers },
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    openTelemetry: false,
    logLevel: logLevel(env.ANTHROPIC_LOG),
    logger: { error: logLine, warn: logLine, info: logLine, debug: logLine },
    fetch: fetchBy(sendFor(new URL(baseUrl), env)),
  });
  return { client, endpoint };
};

const keyHeaders = (key: Key, official: boolean): Readonly<Record<string, string | null>> =>
  key.kind === 'none' ? { authorization: null } : key.kind === 'api_key' && !official ? { 'x-api-key': key.value } : {};

const logLevels = ['error', 'warn', 'info', 'debug'] as const;
const logLevel = (name: string | undefined): 'off' | (typeof logLevels)[number] => logLevels.find((level) => level === name) ?? 'off';

const inspect = (value: unknown): string =>
  typeof value === 'string' ? value : (orUndefined(() => JSON.stringify(value)) ?? String(value));
