import type { Deadline } from '../../agent/ports/effects.ts';
import type { Warn } from '../../domain/language.ts';
import { type Fields, isObject } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { isLocal, type ProviderFacts } from '../catalog.ts';
import { fieldsOf, firstCount } from '../http/answer-fields.ts';
import { addressOf, type HttpOptions, headersFor, type Line, openLine } from '../http/ask-over-http.ts';
import { getJson, listBounds } from '../http/get-json.ts';

export type ListOptions = Pick<HttpOptions, 'endpoint' | 'env'> & { readonly deadline: Deadline };
export type ServerOptions = ListOptions & { readonly warn: Warn };

/** Nobody waits longer for a figure that can also be assumed. */
const TIMEOUT_MS = 5_000;

/** What Ollama gives a model for which nobody has set more, whatever the model could take. */
const OLLAMA_DEFAULT_TOKENS = 4_096;

/**
 * Returns what the server says about a model: in its list of models, or where the servers for one's own machine say with how large a window
 * they have loaded it. Undefined when it says nothing, or not in time. Never rejects.
 */
export async function fetchServerFacts(model: string, options: ServerOptions, signal: AbortSignal): Promise<ProviderFacts | undefined> {
  const line = orUndefined(() => openLine(options));
  if (line === undefined) return undefined; // the first request says what is wrong with the key or the address
  const asked: Asked = { model, line, signal: AbortSignal.any([signal, options.deadline(TIMEOUT_MS)]), warn: options.warn };
  try {
    const listed = await listedFacts(asked);
    if (listed?.windowTokens !== undefined || !isLocal(line.endpoint.host)) return listed;
    return (await lmStudioFacts(asked)) ?? (await ollamaFacts(asked)) ?? (await llamaFacts(asked));
  } catch {
    return undefined;
  }
}

/** The names of the models that an endpoint lists, in its order; none when it lists none. Never rejects. */
export async function listServerModels(options: ListOptions, signal: AbortSignal): Promise<readonly string[]> {
  const line = orUndefined(() => openLine(options));
  if (line === undefined) return [];
  const bounded = AbortSignal.any([signal, options.deadline(TIMEOUT_MS)]);
  const models = await modelsOf({ line, signal: bounded }).catch(() => []);
  return models.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []));
}

/** With what status the endpoint answers when its models are asked for; undefined when nothing answers in time. Never rejects. */
export async function listStatus(options: ListOptions, signal: AbortSignal): Promise<number | undefined> {
  const line = orUndefined(() => openLine(options));
  if (line === undefined) return undefined;
  const bounded = AbortSignal.any([signal, options.deadline(TIMEOUT_MS)]);
  try {
    const response = await line.send(addressOf(line.endpoint, '/models'), {
      headers: headersFor(line.endpoint),
      signal: bounded,
      bounds: listBounds,
    });
    response.body.destroy();
    return response.status;
  } catch {
    return undefined;
  }
}

type Asked = { readonly model: string; readonly line: Line; readonly signal: AbortSignal; readonly warn: Warn };

const modelsOf = async ({ line, signal }: Pick<Asked, 'line' | 'signal'>): Promise<readonly Fields[]> => {
  const body = await getJson(line, { url: addressOf(line.endpoint, '/models'), signal });
  const list = isObject(body) ? (body.data ?? body.models) : body;
  // Some list names alone.
  return fieldsIn(Array.isArray(list) ? list.map((each) => (typeof each === 'string' ? { id: each } : each)) : list);
};

/** vLLM, OpenRouter, Together, Groq, Mistral, and whoever names the window alike. */
async function listedFacts(asked: Asked): Promise<ProviderFacts | undefined> {
  const listed = (await modelsOf(asked)).find(({ id }) => id === asked.model);
  if (listed === undefined) return undefined;
  const [provider, meta] = [fieldsOf(listed.top_provider), fieldsOf(listed.meta)];
  const windowTokens = firstCount(
    ...[provider.context_length, listed.context_length, listed.max_model_len, listed.context_window, listed.max_context_length, meta.n_ctx],
  );
  return { windowTokens, maxOutputTokens: firstCount(provider.max_completion_tokens, listed.max_completion_tokens) };
}

/** Its own list says what is loaded; the model's maximum is not what a request may have. */
async function lmStudioFacts({ model, line, signal }: Asked): Promise<ProviderFacts | undefined> {
  const body = await getJson(line, { url: new URL('/api/v0/models', line.endpoint.baseUrl).href, signal });
  const loaded = fieldsIn(fieldsOf(body).data).find(({ id }) => id === model);
  return windowOf(firstCount(loaded?.loaded_context_length));
}

async function ollamaFacts({ model, line, signal, warn }: Asked): Promise<ProviderFacts | undefined> {
  const at = (path: string): string => new URL(path, line.endpoint.baseUrl).href;
  const { models } = fieldsOf(await getJson(line, { url: at('/api/ps'), signal }));
  if (!Array.isArray(models)) return undefined;
  const isModel = (name: unknown): boolean => name === model || name === `${model}:latest`;
  const loaded = fieldsIn(models).find(({ name, model: other }) => isModel(name) || isModel(other));
  const shown = loaded?.context_length === undefined ? await getJson(line, { url: at('/api/show'), body: { model }, signal }) : undefined;
  const [, set] = /^num_ctx\s+(\d{3,9})$/m.exec(String(fieldsOf(shown).parameters)) ?? [];
  const windowTokens = firstCount(loaded?.context_length, set === undefined ? undefined : Number(set));
  if (windowTokens === undefined)
    warn({
      en: `Ollama does not say which window ${model} has, so SanBot assumes its smallest default, ${OLLAMA_DEFAULT_TOKENS} tokens. For more, start Ollama with OLLAMA_CONTEXT_LENGTH=32768 and set contextWindow to the same.`,
      zh: `Ollama 没有说明 ${model} 的窗口大小，SanBot 采用其最小的默认值 ${OLLAMA_DEFAULT_TOKENS} token。如需更大，请以 OLLAMA_CONTEXT_LENGTH=32768 启动 Ollama，并把 contextWindow 设为同样的值。`,
    });
  return windowOf(windowTokens ?? OLLAMA_DEFAULT_TOKENS);
}

async function llamaFacts({ line, signal }: Asked): Promise<ProviderFacts | undefined> {
  const props = fieldsOf(await getJson(line, { url: new URL('/props', line.endpoint.baseUrl).href, signal }));
  return windowOf(firstCount(fieldsOf(props.default_generation_settings).n_ctx, props.n_ctx));
}

const windowOf = (windowTokens: number | undefined): ProviderFacts | undefined =>
  windowTokens === undefined ? undefined : { windowTokens, maxOutputTokens: undefined };

const fieldsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isObject) : []);
