import type { Sleep } from '../../src/agent/ports/effects.ts';
import type { ModelRequest, ModelStream } from '../../src/agent/ports/model.ts';
import { type Config, configSchema } from '../../src/domain/config/config.ts';
import { AbortedError } from '../../src/domain/errors.ts';
import type { Bilingual } from '../../src/domain/language.ts';
import type { WireMessage } from '../../src/domain/session/message.ts';
import { type AnthropicOptions, createAnthropic } from '../../src/model/anthropic/anthropic.ts';
import { factsFor } from '../../src/model/catalog.ts';
import { openaiEndpoint } from '../../src/model/http/choose-endpoint.ts';
import { createOpenAiChat, type OpenAiChatOptions } from '../../src/model/openai-chat/openai-chat.ts';
import { createResponses, type ResponsesOptions } from '../../src/model/openai-responses/openai-responses.ts';

/** Nothing is set. */
export const modelConfig: Config['model'] & { readonly at: string } = {
  at: 'model',
  ...configSchema.parse({}).model,
};

export const asks = (text: string): WireMessage => ({ role: 'user', content: [{ type: 'text', text }] });

export const requestOf = (messages: readonly WireMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'claude-sonnet-5-5',
  system: ['You are SanBot.'],
  tools: [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
  messages,
  maxOutputTokens: 4_096,
  purpose: 'turn',
  ...more,
});

export type Listener = ModelStream & {
  readonly texts: readonly string[];
  readonly thoughts: readonly string[];
  readonly retries: readonly { readonly why: Bilingual; readonly attempt: number; readonly waitMs: number }[];
  readonly abort: () => void;
};

/** Hears everything a model says, and can abort it. */
export function listen(onText: (text: string, abort: () => void) => void = () => undefined): Listener {
  const controller = new AbortController();
  const texts: string[] = [];
  const thoughts: string[] = [];
  const retries: { readonly why: Bilingual; readonly attempt: number; readonly waitMs: number }[] = [];
  const abort = (): void => controller.abort();
  return {
    signal: controller.signal,
    onText: (text) => {
      texts.push(text);
      onText(text, abort);
    },
    onThinking: (text) => void thoughts.push(text),
    onRetry: (retry) => void retries.push(retry),
    texts,
    thoughts,
    retries,
    abort,
  };
}

/** Sleeps no time at all, save that the idle watch's sleeps wait until `passIdle` lets one idle time go by. */
export function fakeSleep(idleTimeoutMs: number): {
  readonly sleep: Sleep;
  readonly slept: readonly number[];
  readonly passIdle: () => void;
} {
  const slept: number[] = [];
  const waiting = new Set<() => void>();
  let slices = 0;
  const sleep: Sleep = (ms, signal) => {
    if (signal.aborted) return Promise.reject(new AbortedError());
    if (ms !== idleTimeoutMs / 4) {
      slept.push(ms);
      return Promise.resolve();
    }
    if (slices > 0) {
      slices -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      signal.addEventListener('abort', () => reject(new AbortedError()), { once: true });
    });
  };
  const passIdle = (): void => {
    slices = 4;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return { sleep, slept, passIdle };
}

export const IDLE_MS = 40_000;

/** The real client against a fake API: no waits, no jitter, three retries. */
export function anthropicAt(url: string, more: Partial<AnthropicOptions> = {}): ReturnType<typeof createAnthropic> {
  return createAnthropic({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key' },
    settings: modelConfig,
    modelSource: () => "SanBot's default",
    sleep: fakeSleep(IDLE_MS).sleep,
    random: () => 1,
    retryCount: 3,
    idleTimeoutMs: IDLE_MS,
    capRetryAfterMs: 60_000,
    maxTotalRetryMs: 300_000,
    log: () => undefined,
    ...more,
  });
}

/** The same for the Responses API; `url` ends in /v1. */
export function responsesAt(url: string, more: Partial<ResponsesOptions> = {}): ReturnType<typeof createResponses> {
  return createResponses({
    endpoint: () => ({
      baseUrl: url,
      host: new URL(url).host,
      key: { kind: 'api_key', value: 'key', from: 'OPENAI_API_KEY' },
      api: 'Responses API',
      addressSettings: 'OPENAI_BASE_URL or model.baseUrl',
    }),
    env: {},
    modelSource: () => '--model',
    facts: (model) => factsFor(model, modelConfig, 'anthropic'),
    reasons: () => undefined,
    warn: () => undefined,
    sleep: fakeSleep(IDLE_MS).sleep,
    random: () => 1,
    retryCount: 3,
    idleTimeoutMs: IDLE_MS,
    capRetryAfterMs: 60_000,
    maxTotalRetryMs: 300_000,
    ...more,
  });
}

/** The same for chat completions. */
export function openAiChatAt(url: string, more: Partial<OpenAiChatOptions> = {}): ReturnType<typeof createOpenAiChat> {
  return createOpenAiChat({
    endpoint: () => openaiEndpoint({}, { ...modelConfig, baseUrl: `${url}/v1`, apiKey: 'key' }, 'chat completions API'),
    env: {},
    sleep: fakeSleep(IDLE_MS).sleep,
    random: () => 1,
    retryCount: 3,
    idleTimeoutMs: IDLE_MS,
    capRetryAfterMs: 60_000,
    maxTotalRetryMs: 300_000,
    modelSource: () => '--model',
    facts: (model) => factsFor(model, modelConfig, 'openai-chat'),
    warn: () => undefined,
    ...more,
  });
}
