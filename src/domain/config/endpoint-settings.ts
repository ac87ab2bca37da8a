import { z } from 'zod';
import { type Bilingual, expecting } from '../language.ts';
import { type Effort, efforts, splitEffort, withEffort } from './effort.ts';
import { setting } from './settings/settings.ts';

/** Prompt and tools, however short, would fill a smaller window: it is refused wherever a window is set. */
export const MIN_WINDOW_TOKENS = 4_000;

/** The ways in which a model is asked; `offline` asks nobody. */
export const providers = ['anthropic', 'openai-chat', 'openai-responses', 'offline'] as const;

export type Provider = (typeof providers)[number];

export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  cacheRead: z.number().nonnegative(),
  cacheWrite: z.number().nonnegative(),
  cacheWrite1h: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});

const variableName = z
  .string()
  .refine(
    (name) => /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(name),
    expecting({ en: 'the name of an environment variable', zh: '环境变量的名称' }),
  );

/** They belong to the connection, and a wrong one breaks it. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'content-length', 'content-type', 'host', 'transfer-encoding']);

const headersSchema = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    const isName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name) && !connectionHeaders.has(name.toLowerCase());
    if (!isName) refuse(context, name, { en: 'the name of a header that may be set', zh: '可以设置的请求头名称' });
    else if (!/^[\x20-\x7e]*$/.test(value)) refuse(context, name, { en: 'text that a header can carry', zh: '请求头可以携带的文字' });
  }
});

const addressShape = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  apiKey: z.string().min(1).nullable().default(null),
  apiKeyEnv: variableName.nullable().default(null),
  headers: headersSchema.default({}),
} as const;

export const MAX_DIMENSIONS = 8_192;

const declaredShape = {
  contextWindow: z.int().min(MIN_WINDOW_TOKENS).nullable().default(null),
  maxOutputTokens: z.int().positive().nullable().default(null),
  price: priceSchema.nullable().default(null),
} as const;

const endpointSchema = z.strictObject({
  provider: z.enum(providers).exclude(['offline']).default('openai-chat'),
  ...addressShape,
  model: z.string().min(1).nullable().default(null),
  ...declaredShape,
});

export const endpointShape = endpointSchema.shape;

/** Where texts are turned into vectors, for recall by meaning. */
export const embeddingsSchema = z.strictObject({
  model: z.string().min(1),
  ...addressShape,
  dimensions: z.int().min(8).max(MAX_DIMENSIONS).nullable().default(null),
});

export type EmbeddingsSettings = Readonly<z.infer<typeof embeddingsSchema>>;
export type NamedEndpoint = Readonly<z.infer<typeof endpointSchema>>;
export type NamedEndpoints = Readonly<Record<string, NamedEndpoint>>;

/** A provider's own word stays free for it, and for the vendors that gateways put before the names of models. */
const isEndpointName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name) && !providers.some((one) => one === name);

export const endpointsSchema = z
  .record(z.string(), endpointSchema)
  .superRefine((endpoints, context) => {
    for (const name of Object.keys(endpoints)) {
      if (!isEndpointName(name)) refuse(context, name, ENDPOINT_NAME);
    }
  })
  .default({});

/** A model and the named endpoint that it is asked at; the unnamed one of the section `model` when that is undefined. */
export type ModelName = { readonly endpoint: string | undefined; readonly model: string; readonly effort?: Effort | undefined };

/**
 * The first part of NAME/MODEL is an endpoint only if one is configured by that name: names of models may have slashes. The name of an
 * endpoint alone stands for its model.
 */
export function parseModelName(text: string, endpoints: NamedEndpoints): ModelName {
  const { name, effort } = splitEffort(text);
  const alone = Object.hasOwn(endpoints, name) ? endpoints[name]?.model : undefined;
  if (typeof alone === 'string') return { endpoint: name, model: splitEffort(alone).name, effort: effort ?? splitEffort(alone).effort };
  const slash = name.indexOf('/');
  const [first, rest] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  return rest !== '' && Object.hasOwn(endpoints, first)
    ? { endpoint: first, model: rest, effort }
    : { endpoint: undefined, model: name, effort };
}

export const modelNameText = ({ endpoint, model, effort }: ModelName): string =>
  withEffort(endpoint === undefined ? model : `${endpoint}/${model}`, effort);

const ENDPOINT_NAME: Bilingual = {
  en: `a name of letters, digits, "-", "_" and ".", other than ${providers.join(', ')}`,
  zh: `由字母、数字、"-"、"_" 和 "." 组成的名称，不能是 ${providers.join('、')}`,
};

function refuse(context: z.RefinementCtx, name: string, expected: Bilingual): void {
  const { error, params } = expecting(expected);
  context.addIssue({ code: 'custom', path: [name], message: error, params });
}

/** The settings of the section `model`, each made when it is asked for: a start asks for the few that are set. */
export const modelShape = {
  get provider() {
    return setting(z.enum(providers).nullable().default(null), {
      en: "The API that models are asked through: `anthropic` (the Messages API), `openai-chat` (chat completions, which most servers speak), `openai-responses` (OpenAI's newer API) or `offline`. Not set: `anthropic` when there is a key or a base URL for it, else nothing answers. `offline` is the built-in model that sends nothing.",
      zh: '如何询问模型：`anthropic`（Messages API）、`openai-chat`（多数服务器使用的 chat completions）、`openai-responses`（OpenAI 较新的 API）或 `offline`。未设置：有 `anthropic` 的密钥或地址时用它，否则没有模型回答。`offline` 是内置的、不发送任何内容的模型。',
    });
  },
  get name() {
    return setting(z.string().min(1).nullable().default(null), {
      en: 'The model, or `ENDPOINT/MODEL`. Not set: `claude-sonnet-5-5` with `anthropic`; the other providers need a name.',
      zh: '模型，或 `端点/模型`。未设置：`anthropic` 用 `claude-sonnet-5-5`；其他服务方需要名称。',
    });
  },
  get baseUrl() {
    return setting(addressShape.baseUrl, {
      en: "Another address that speaks the provider's API, for example a local server. For the two of OpenAI it ends in `/v1` on most servers. Such an address needs no key.",
      zh: '使用该服务方 API 的另一个地址，例如本地服务器。OpenAI 的两种 API 在多数服务器上以 `/v1` 结尾。这样的地址不需要密钥。',
    });
  },
  get apiKey() {
    return setting(addressShape.apiKey, { en: 'The key. It is safer in the environment.', zh: '密钥。放在环境变量中更安全。' });
  },
  get apiKeyEnv() {
    return setting(addressShape.apiKeyEnv, { en: 'The environment variable that holds the key.', zh: '存放密钥的环境变量。' });
  },
  get headers() {
    return setting(addressShape.headers, {
      en: 'Headers that are sent with every request to the provider.',
      zh: '每次请求随附发给服务方的请求头。',
    });
  },
  get contextWindow() {
    return setting(declaredShape.contextWindow, {
      en: "The model's window in tokens, at least 4000. Wins over SanBot's own table and over what the endpoint says. It is the window of the model named beside it or in an earlier place; of another one (`--model`, `/model`, `compaction.model`) it is only assumed where neither the table nor the endpoint knows it.",
      zh: '模型的窗口，以 token 计，至少 4000。优先于 SanBot 自己的表和端点所说的。它属于同处或更早处指定的模型；对其他模型（`--model`、`/model`、`compaction.model`），只有表和端点都不知道时才采用。',
    });
  },
  get maxOutputTokens() {
    return setting(declaredShape.maxOutputTokens, { en: 'The longest reply, in tokens.', zh: '最长的回复，以 token 计。' });
  },
  get price() {
    return setting(declaredShape.price, {
      en: 'Dollars per million tokens: `{"input": …, "cacheRead": …, "cacheWrite": …, "output": …}`, and `"cacheWrite1h"` where the provider keeps what it caches for an hour. Like the window, it is that of the model named beside it.',
      zh: '每百万 token 的美元价格：`{"input": …, "cacheRead": …, "cacheWrite": …, "output": …}`；服务方缓存保留一小时的，还有 `"cacheWrite1h"`。与窗口一样，它属于同处指定的模型。',
    });
  },
  get effort() {
    return setting(z.enum(efforts).nullable().default(null), {
      en: "How hard a new session's model thinks: `low`, `medium`, `high` or `max`. The end of a model's name says it for that model (`claude-sonnet-5-5:high`). Not set: as the endpoint does by itself. A session keeps its own.",
      zh: '新会话的模型思考的力度：`low`、`medium`、`high` 或 `max`。模型名称的末尾可为该模型指定（`claude-sonnet-5-5:high`）。未设置：按端点自己的做法。会话保持自己的设置。',
    });
  },
  get helperEffort() {
    return setting(z.enum(efforts).nullable().default('low'), {
      en: 'The same for helpers, and for summaries and memories that are asked for outside of the conversation. `null`: that of the model. Only where the model is known to take it.',
      zh: '子代理，以及在会话之外请求的摘要和记忆所用的力度。`null`：与模型相同。仅在已知模型接受时使用。',
    });
  },
  get cacheTtl() {
    return setting(z.enum(['auto', '5m', '1h']).default('auto'), {
      en: 'How long the provider is asked to keep what it caches. `auto`: an hour where a person is at the terminal and the pauses and prices of the session make that cheaper, else what the provider does by itself (five minutes). `1h`: always an hour. `5m`: never, for an endpoint that refuses it.',
      zh: '要求服务方把缓存保留多久。`auto`：有人在终端前，且会话的停顿和价格使之更便宜时为一小时，否则按服务方自己的做法（五分钟）。`1h`：总是一小时。`5m`：从不要求，用于拒绝它的端点。',
    });
  },
  get endpoints() {
    return setting(endpointsSchema, {
      en: 'More endpoints to ask models at, by names that you choose.',
      zh: '可以询问模型的更多地方，名称由你取。',
    });
  },
} as const;
