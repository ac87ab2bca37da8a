import { AbortedError } from '../../domain/errors.ts';
import { parseJson } from '../../domain/value/json.ts';
import { headersFor, type Line } from './ask-over-http.ts';

/** The longest list of models that is served today has some hundred kilobytes. */
const MAX_BYTES = 8 * 1024 * 1024;
export const listBounds = { received: MAX_BYTES, decoded: MAX_BYTES };

export type JsonQuestion = { readonly url: string; readonly body?: unknown; readonly signal: AbortSignal };

/**
 * Asks a server something beside what a model is asked, with the endpoint's key and headers, and never at another origin than the endpoint's.
 * Undefined when it does not answer with JSON. Follows no redirect. Rejects only when the signal aborts.
 */
export async function getJson({ endpoint, send }: Line, { url, body, signal }: JsonQuestion): Promise<unknown> {
  if (new URL(url).origin !== new URL(endpoint.baseUrl).origin) return undefined;
  const headers = {
    accept: 'application/json',
    ...headersFor(endpoint),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const sent = body === undefined ? {} : { body: [Buffer.from(JSON.stringify(body))] };
  try {
    const response = await send(url, { ...sent, headers, signal, bounds: listBounds });
    if (response.ok) return parseJson(await response.text());
    response.body.destroy();
    return undefined;
  } catch {
    if (signal.aborted) throw new AbortedError();
    return undefined;
  }
}
