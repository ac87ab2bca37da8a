import type { Sleep } from '../../agent/ports/effects.ts';
import { SanbotError } from '../../domain/errors.ts';
import { bodyText } from '../../net/body.ts';
import type { Answer } from '../../net/send.ts';
import type { Endpoint } from './choose-endpoint.ts';
import { checkHint, failed } from './failure.ts';
import { MAX_ERROR_BYTES, MAX_REPLY_BYTES, ReplyTooLarge } from './reply-bounds.ts';

/** The address answers, but not like the API that was asked. */
class NotEventStream extends Error {}

/** The address sends the request elsewhere. */
class Redirected extends Error {}

/**
 * Stands between the network and who reads: returns the same answer with a body that reports activity for every chunk and ends when it is
 * too long, so that no server can fill the memory. Throws for what is no answer of a model at all; `unusableAnswer` has words for it.
 */
export function guardAnswer(answer: Answer, watch: IdleWatch): Answer {
  watch.touch();
  // Followed, a redirect would carry the key and the whole conversation to wherever it points.
  if (answer.status >= 300 && answer.status < 400) throw new Redirected(answer.headers.get('location') ?? '');
  if (!answer.ok) return withBody(answer, firstBytes(answer.body, MAX_ERROR_BYTES));
  const type = answer.headers.get('content-type') ?? 'text/event-stream';
  if (!saysEvents(type) && !MAY_BE_EVENTS.test(type)) throw notEvents(type);
  return withBody(answer, watchedBytes(answer.body, watch));
}

const withBody = ({ status, ok, headers }: Answer, body: AsyncIterable<Uint8Array>): Answer => ({
  ...{ status, ok, headers, body },
  text: () => bodyText(body),
});

export const notEvents = (type: string): Error => new NotEventStream(type);

/** Whether a content type says a stream of events, or JSON of whatever kind. */
export const saysEvents = (type: string): boolean => type === '' || /event-stream|\b(?:x-)?(?:nd)?json/i.test(type);

/** So some servers call whatever they send. */
const MAY_BE_EVENTS = /^\s*(?:text\/plain|application\/octet-stream)\b/i;

async function* watchedBytes(body: AsyncIterable<Uint8Array>, watch: IdleWatch): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of body) {
    watch.touch();
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) throw new ReplyTooLarge('more than 64 MiB');
    yield chunk;
  }
}

async function* firstBytes(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, void, undefined> {
  let left = limit;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/** What an answer that no retry can heal means for the person; undefined for every other error. */
export function unusableAnswer(error: unknown, { baseUrl, host, api, addressSettings }: Endpoint): SanbotError | undefined {
  const cause = [error, error instanceof Error ? error.cause : undefined].find(
    (each) => each instanceof NotEventStream || each instanceof Redirected || each instanceof ReplyTooLarge,
  );
  if (cause instanceof NotEventStream)
    return failed(
      {
        en: `${baseUrl} answers with ${cause.message}, not with a stream of the ${api}.`,
        zh: `${baseUrl} 的应答是 ${cause.message}，不是 ${api} 的数据流。`,
      },
      checkHint(addressSettings),
    );
  if (cause instanceof Redirected) {
    const to = targetOf(cause.message, baseUrl);
    const message = {
      en: `${host} redirects to ${to}, and a request with a key is never sent on.`,
      zh: `${host} 重定向到 ${to}，而带密钥的请求从不转发。`,
    };
    const hint = {
      en: `If that is the right address, set it as ${addressSettings}.`,
      zh: `如果那是正确的地址，请把它设为 ${addressSettings.replace(' or ', ' 或 ')}。`,
    };
    return new SanbotError('model_unreachable', message, hint);
  }
  if (!(cause instanceof ReplyTooLarge)) return undefined;
  const message = {
    en: `${host} sent ${cause.message} for one reply, so the connection was closed.`,
    zh: `${host} 的一次回复超过 64 MiB，因此关闭了连接。`,
  };
  return failed(message, {
    en: 'Nothing of that reply is kept. Send your message again, or use another model or endpoint.',
    zh: '该回复没有保留任何内容。请重新发送消息，或改用另一个模型或端点。',
  });
}

/** Without a query, which may carry a secret; on one line. */
function targetOf(location: string, baseUrl: string): string {
  if (!URL.canParse(location, baseUrl)) return 'an address that is not one';
  const { origin, pathname } = new URL(location, baseUrl);
  return `${origin}${pathname}`.slice(0, 200);
}

export type IdleWatch = {
  /** Reports that some bytes arrived. */
  readonly touch: () => void;
  readonly stop: () => void;
};

const SLICES = 4;

/**
 * Calls `onIdle` once when nothing arrived for `idleMs` (up to a quarter more: it checks four times in that span, so that `touch` costs
 * nothing). Needed because the SDK's own time limit ends when the body begins, and the SDK swallows pings. 0 never calls.
 */
export function watchIdle(idleMs: number, sleep: Sleep, onIdle: () => void): IdleWatch {
  const controller = new AbortController();
  let isActive = false;
  const watch = async (): Promise<void> => {
    for (let idleSlices = 0; idleSlices < SLICES; ) {
      await sleep(idleMs / SLICES, controller.signal);
      if (controller.signal.aborted) return;
      idleSlices = isActive ? 0 : idleSlices + 1;
      isActive = false;
    }
    onIdle();
  };
  // The sleep is rejected when the watch is stopped.
  if (idleMs > 0) watch().catch(() => undefined);
  return {
    touch: () => {
      isActive = true;
    },
    stop: () => controller.abort(),
  };
}
