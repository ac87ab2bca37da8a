import { z } from 'zod';
import { type Bilingual, expecting } from '../language.ts';
import { MIN_WINDOW_TOKENS } from './least-window.ts';

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
    if (!isName) context.addIssue({ code: 'custom', path: [name], ...issueOf(HEADER_NAME) });
    else if (!/^[\x20-\x7e]*$/.test(value)) context.addIssue({ code: 'custom', path: [name], ...issueOf(HEADER_TEXT) });
  }
});

/** Where requests go, with which key and which headers. */
export const addressShape = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  apiKey: z.string().min(1).nullable().default(null),
  apiKeyEnv: variableName.nullable().default(null),
  headers: headersSchema.default({}),
} as const;

/** More than any model gives. */
export const MAX_DIMENSIONS = 8_192;

/** What is declared of the models there. */
export const declaredShape = {
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
      if (!isEndpointName(name)) context.addIssue({ code: 'custom', path: [name], ...issueOf(ENDPOINT_NAME) });
    }
  })
  .default({});

/** A model and the named endpoint that it is asked at; the unnamed one of the section `model` when that is undefined. */
export type ModelName = { readonly endpoint: string | undefined; readonly model: string };

/**
 * Reads the name of a model. The first part of NAME/MODEL is an endpoint only if one is configured by that name: the names of models may
 * have slashes too. The name of an endpoint alone stands for the model that is set for it.
 */
export function parseModelName(name: string, endpoints: NamedEndpoints): ModelName {
  const alone = Object.hasOwn(endpoints, name) ? endpoints[name]?.model : undefined;
  if (typeof alone === 'string') return { endpoint: name, model: alone };
  const slash = name.indexOf('/');
  const [first, rest] = [name.slice(0, Math.max(0, slash)), name.slice(slash + 1)];
  return rest !== '' && Object.hasOwn(endpoints, first) ? { endpoint: first, model: rest } : { endpoint: undefined, model: name };
}

/** The same model by its full name. */
export const modelNameText = ({ endpoint, model }: ModelName): string => (endpoint === undefined ? model : `${endpoint}/${model}`);

const HEADER_NAME: Bilingual = { en: 'the name of a header that may be set', zh: '可以设置的请求头名称' };
const HEADER_TEXT: Bilingual = { en: 'text that a header can carry', zh: '请求头可以携带的文字' };
const ENDPOINT_NAME: Bilingual = {
  en: `a name of letters, digits, "-", "_" and ".", other than ${providers.join(', ')}`,
  zh: `由字母、数字、"-"、"_" 和 "." 组成的名称，不能是 ${providers.join('、')}`,
};

function issueOf(text: Bilingual) {
  const { error, params } = expecting(text);
  return { message: error, params };
}

/** The settings of the section `model`, each made when it is asked for: a start asks for the few that are set. */
export const modelShape = {
  get provider() {
    return z.enum(providers).nullable().default(null);
  },
  get name() {
    return z.string().min(1).nullable().default(null);
  },
  get baseUrl() {
    return addressShape.baseUrl;
  },
  get apiKey() {
    return addressShape.apiKey;
  },
  get apiKeyEnv() {
    return addressShape.apiKeyEnv;
  },
  get headers() {
    return addressShape.headers;
  },
  get contextWindow() {
    return declaredShape.contextWindow;
  },
  get maxOutputTokens() {
    return declaredShape.maxOutputTokens;
  },
  get price() {
    return declaredShape.price;
  },
  get cacheTtl() {
    return z.enum(['auto', '5m', '1h']).default('auto');
  },
  get endpoints() {
    return endpointsSchema;
  },
} as const;
