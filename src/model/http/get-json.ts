import { AbortedError } from '../../domain/errors.ts';
import { parseJson } from '../../domain/value/json.ts';
import { headersFor, type Line } from './ask-over-http.ts';

/** The longest list of models that is served today has some hundred kilobytes. */
const MAX_BYTES = 8 * 1024 * 1024;

export type JsonQuestion = { readonly url: string; readonly body?: unknown; readonly signal: AbortSignal };

/**
 * Asks a server something beside what a model is asked, with the endpoint's key and headers, and never at another origin than the endpoint's.
 * Undefined when it does not answer with JSON. Follows no redirect. Rejects only when the signal aborts.
 */
export async function getJson({ endpoint, fetch }: Line, { url, body, signal }: JsonQuestion): Promise<unknown> {
  if (new URL(url).origin !== new URL(endpoint.baseUrl).origin) return undefined;
  const headers = {
    accept: 'application/json',
    ...headersFor(endpoint),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...sent, headers, signal, redirect: 'manual' });
    const text = response.ok ? await firstText(response) : '';
    if (!response.ok) await response.body?.cancel();
    return parseJson(text);
  } catch {
    if (signal.aborted) throw new AbortedError();
    return undefined;
  }
}

/** The same answer with its body read, so that nobody reads one without an end; of one that is too long, nothing. */
export const boundedAnswer = async (response: Response): Promise<Response> =>
  new Response((await firstText(response)) || null, { status: response.status, headers: response.headers });

/** Nothing of an answer that is too long. */
async function firstText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BYTES) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return '';
}
