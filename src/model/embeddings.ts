import { type EmbeddingsSettings, MAX_DIMENSIONS } from '../domain/config/endpoint-settings.ts';
import { AbortedError, SanbotError } from '../domain/errors.ts';
import type { Bilingual } from '../domain/language.ts';
import { isObject, parseJson } from '../domain/value/json.ts';
import type { Env } from '../net/proxy.ts';
import { type Line, openLine, post } from './http/ask-over-http.ts';
import { type Endpoint, openaiEndpoint } from './http/choose-endpoint.ts';
import { describeError } from './http/describe-error.ts';
import { classifyFailure, failed } from './http/failure.ts';
import { unusableAnswer } from './http/guard-answer.ts';

export type Vector = readonly number[];

/**
 * Returns a vector for each text, in their order and all of one length. Asks once and follows no redirect. Rejects with SanbotError, and with
 * AbortedError when the signal aborts.
 */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Vector[]>;

const API = 'embeddings API';
const SETTING = 'recall.embeddings';

/** The endpoint is opened for the first request. */
export function createEmbed(env: Env, settings: EmbeddingsSettings): Embed {
  let line: Line | undefined;
  return async (texts, signal) => {
    line ??= openLine({ env, endpoint: () => openaiEndpoint(env, { ...settings, at: SETTING }, API) });
    const { endpoint } = line;
    try {
      const { model, dimensions } = settings;
      // Servers that do not know how to shorten vectors refuse the field.
      const body = [Buffer.from(JSON.stringify({ model, input: texts, ...(dimensions !== null && { dimensions }) }))];
      const answer = await post(line, { path: '/embeddings', accept: 'application/json', body }, { signal, watch: UNWATCHED });
      return vectorsIn(parseJson(await answer.text()), { count: texts.length, endpoint, dimensions });
    } catch (error) {
      if (signal.aborted) throw new AbortedError();
      throw error instanceof SanbotError ? error : failureOf(error, endpoint, settings.model);
    }
  };
}

const UNWATCHED = { touch: () => undefined, stop: () => undefined };

function failureOf(error: unknown, endpoint: Endpoint, model: string): SanbotError {
  const unusable = unusableAnswer(error, endpoint);
  if (unusable !== undefined) return withHint(unusable);
  const context = { endpoint, model, modelSource: `${SETTING}.model`, judge: () => undefined };
  const verdict = classifyFailure(describeError(error), context);
  return verdict.kind === 'answer' ? failed(tooLong(endpoint.host, model), HINT) : withHint(verdict.error);
}

/** The hints of errors are about the model of a session. */
const HINT = { en: `Check ${SETTING} in your settings.`, zh: `检查设置中的 ${SETTING}。` };
const withHint = ({ code, shown }: SanbotError): SanbotError => new SanbotError(code, shown.message, HINT);

const tooLong = (host: string, model: string): Bilingual => ({
  en: `${host} says that a text is too long for ${model}.`,
  zh: `${host} 表示文本超出 ${model} 的长度。`,
});

const noVectors = (host: string, dimensions: number | null): Bilingual =>
  dimensions === null
    ? { en: `${host} did not answer with a vector for each text.`, zh: `${host} 没有为每段文本返回向量。` }
    : {
        en: `${host} did not answer with a vector of ${dimensions} numbers for each text.`,
        zh: `${host} 没有为每段文本返回 ${dimensions} 维向量。`,
      };

type Expected = { readonly count: number; readonly dimensions: number | null; readonly endpoint: Endpoint };

/** Servers may answer in another order; what is not exactly one usable vector for each text is no answer. */
function vectorsIn(answer: unknown, { count, dimensions, endpoint }: Expected): readonly Vector[] {
  const rows = isObject(answer) && Array.isArray(answer.data) ? answer.data.filter(isObject) : [];
  const vectors = Array.from({ length: count }, (_, i) => numbersIn(rows.find(({ index }) => index === i)?.embedding));
  const length = dimensions ?? vectors[0]?.length ?? 0;
  const isUsable = (vector: Vector): boolean =>
    vector.length === length && length > 0 && length <= MAX_DIMENSIONS && vector.some((each) => each !== 0);
  if (rows.length === count && vectors.every(isUsable)) return vectors;
  throw failed(noVectors(endpoint.host, dimensions), HINT);
}

/** None where one of them is no number. */
const numbersIn = (list: unknown): Vector => {
  if (!Array.isArray(list)) return [];
  const numbers = list.filter((each): each is number => typeof each === 'number' && Number.isFinite(each));
  return numbers.length === list.length ? numbers : [];
};
