import { SanbotError } from '../../domain/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { checkHint } from './failure.ts';
import { MAX_ERROR_BYTES, MAX_REPLY_BYTES, ReplyTooLarge } from './reply-bounds.ts';
import type { IdleWatch } from './watch-idle.ts';

/** The address answers, but not like the API that was asked. */
class NotEventStream extends Error {}

/** The address sends the request elsewhere. */
class Redirected extends Error {}

/**
 * Stands between the network and who reads: returns the same response with a body that reports activity for every chunk and ends when it is
 * too long, so that no server can fill the memory. Throws for what is no answer of a model at all; `unusableAnswer` has words for it.
 */
export function guardAnswer(response: Response, watch: IdleWatch, accepts: 'stream' | 'stream_or_json' = 'stream'): Response {
  watch.touch();
  if (response.status >= 300 && response.status < 400) throw new Redirected(response.headers.get('location') ?? '');
  if (response.body === null) return response;
  if (!response.ok) return new Response(response.body.pipeThrough(firstBytes(MAX_ERROR_BYTES)), response);
  const type = response.headers.get('content-type') ?? 'text/event-stream';
  if (!type.includes('event-stream') && !(accepts === 'stream_or_json' && isJson(type))) throw new NotEventStream(type);
  return new Response(response.body.pipeThrough(watchedBytes(watch)), response);
}

/** Whether a content type says JSON, of whatever kind. */
export const isJson = (type: string): boolean => /\bjson\b/i.test(type);

function watchedBytes(watch: IdleWatch): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, out) => {
      watch.touch();
      bytes += chunk.length;
      if (bytes > MAX_REPLY_BYTES) out.error(new ReplyTooLarge('more than 64 MiB'));
      else out.enqueue(chunk);
    },
  });
}

function firstBytes(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let left = limit;
  return new TransformStream({
    transform: (chunk, out) => {
      out.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) out.terminate();
    },
  });
}

/** What an answer that no retry can heal means for the person; undefined for every other error. */
export function unusableAnswer(error: unknown, { baseUrl, host, api, addressSettings }: Endpoint): SanbotError | undefined {
  const cause = [error, error instanceof Error ? error.cause : undefined].find(
    (each) => each instanceof NotEventStream || each instanceof Redirected || each instanceof ReplyTooLarge,
  );
  if (cause instanceof NotEventStream)
    return new SanbotError(
      'model_failed',
      {
        en: `${baseUrl} answers with ${cause.message}, not with a stream of the ${api}.`,
        zh: `${baseUrl} 的应答是 ${cause.message}，不是 ${api} 的数据流。`,
      },
      { hint: checkHint(addressSettings) },
    );
  if (cause instanceof Redirected)
    return new SanbotError(
      'model_unreachable',
      {
        en: `${host} redirects to ${targetOf(cause.message, baseUrl)}, and a request with a key is never sent on.`,
        zh: `${host} 重定向到 ${targetOf(cause.message, baseUrl)}，而带密钥的请求从不转发。`,
      },
      {
        hint: {
          en: `If that is the right address, set it as ${addressSettings}.`,
          zh: `如果那是正确的地址，请把它设为 ${addressSettings.replace(' or ', ' 或 ')}。`,
        },
      },
    );
  if (cause instanceof ReplyTooLarge)
    return new SanbotError(
      'model_failed',
      {
        en: `${host} sent ${cause.message} for one reply, so the connection was closed.`,
        zh: `${host} 的一次回复超过 64 MiB，因此关闭了连接。`,
      },
      {
        hint: {
          en: 'Nothing of that reply is kept. Send your message again, or use another model or endpoint.',
          zh: '该回复没有保留任何内容。请重新发送消息，或改用另一个模型或端点。',
        },
      },
    );
  return undefined;
}

/** Without a query, which may carry a secret; on one line. */
function targetOf(location: string, baseUrl: string): string {
  if (!URL.canParse(location, baseUrl)) return 'an address that is not one';
  const { origin, pathname } = new URL(location, baseUrl);
  return `${origin}${pathname}`.slice(0, 200);
}
