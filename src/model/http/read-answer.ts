import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import { type Fields, isObject, parseJson } from '../../domain/value/json.ts';
import { bodyText } from '../../net/body.ts';
import type { Answer } from '../../net/send.ts';
import { ApiRefusal } from './describe-error.ts';
import { notEvents, saysEvents } from './guard-answer.ts';
import { unwrapped } from './plain-form.ts';
import { BrokenStream, MAX_BLOCK_CHARS, tooLargeBlock } from './reply-bounds.ts';
import { reportedIn, streamedRefusal } from './streamed-error.ts';

/** Assembles one answer. All of it throws BrokenStream, ReplyTooLarge, or ApiRefusal for an error that the answer reports. */
export type AnswerCollector = {
  readonly push: (event: ServerEvent) => void;
  /** Takes an answer that came whole, since the server does not stream. */
  readonly whole: (body: unknown) => void;
  /** Whether the stream has said that nothing follows. */
  readonly isOver: () => boolean;
  /** Whether it has said how the reply ended, behind which figures may follow. */
  readonly isSaid: () => boolean;
  /** Returns the answer, or undefined until the stream has said that it ended. */
  readonly finish: () => ModelAnswer | undefined;
};

/**
 * Hands an answer to a collector, to its end. Its form is told by how it begins, since the content type of some servers is another's: a stream
 * of events, a body in JSON that has all of the reply, or an event in JSON on each line. Throws what the collector throws, and NotEventStream.
 */
export async function readAnswer({ headers, body }: Answer, collector: AnswerCollector): Promise<void> {
  const { start, whole } = await peek(body);
  if (/^[{[]/.test(start)) {
    takeJson(await bodyText(whole), collector);
    return;
  }
  const type = headers.get('content-type') ?? '';
  if (start.startsWith('<') || (!saysEvents(type) && start !== '' && !/^(?:data|event|id|retry)?:/.test(start))) {
    await whole.return();
    throw notEvents(type);
  }
  await takeEvents(readEvents(whole), collector);
}

/** So long is waited for the end of a stream that has said that nothing follows: then its connection can be used again. */
const END_WAIT_MS = 250;
/** So long for what follows where it has said how the reply ended: some never say that they are over, and only keep the connection open. */
const SAID_WAIT_MS = 20_000;

/** Behind the end of a reply nothing counts: no error, no other words, and no connection that stays open or breaks. */
async function takeEvents(events: AsyncGenerator<ServerEvent, void, undefined>, collector: AnswerCollector): Promise<void> {
  let late: Promise<undefined> | undefined;
  let waits = 0;
  try {
    while (true) {
      const pending = events.next();
      pending.catch(() => undefined);
      const ms = collector.isOver() ? END_WAIT_MS : collector.isSaid() ? SAID_WAIT_MS : 0;
      if (ms !== waits) late = new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
      waits = ms;
      const next = await (late === undefined ? pending : Promise.race([pending, late]));
      if (next === undefined || next.done === true) return;
      for (const one of separate(next.value)) collector.push(one);
      if (waits === SAID_WAIT_MS && ![next.value.event ?? '', next.value.data].some(isPing)) waits = 0;
    }
  } catch (error) {
    if (!collector.isOver() && (error instanceof ApiRefusal || !collector.isSaid())) throw error;
  } finally {
    void events.return().catch(() => undefined);
  }
}

const PEEKED_CHARS = 6;

/** How an answer begins, without blanks and without the mark of its byte order, and all of it once more. */
async function peek(body: AsyncIterable<Uint8Array>) {
  const iterator = body[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const read: Uint8Array[] = [];
  let start = '';
  while (start.length < PEEKED_CHARS) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(next.value);
    start = (start + decoder.decode(next.value, { stream: true })).trimStart();
  }
  return { start, whole: again(read, iterator) };
}

async function* again(read: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* read;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** Some servers end an event with its line, so that several look like one of several lines; some name data twice, or send a list. */
function separate({ data: said, ...rest }: ServerEvent): readonly ServerEvent[] {
  const event = { ...rest, data: said.startsWith('data:') ? said.replace(/^(?:data:\s*)+/gm, '') : said };
  const list = event.data.startsWith('[') ? parseJson(event.data) : undefined;
  if (Array.isArray(list)) return list.map((item) => ({ ...event, data: JSON.stringify(item) }));
  if (!event.data.includes('\n') || parseJson(event.data) !== undefined) return [event];
  const lines = event.data.split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => isEnd(line) || parseJson(line) !== undefined) ? lines.map((data) => ({ ...event, data })) : [event];
}

function takeJson(text: string, collector: AnswerCollector): void {
  const body = parseJson(text);
  if (isObject(body)) {
    collector.whole(body);
    return;
  }
  const events = Array.isArray(body) ? body.map((item) => JSON.stringify(item)) : text.split('\n').map((line) => line.trim());
  for (const data of events) if (data !== '') collector.push({ data: data.replace(/^data:\s*/, ''), event: undefined, id: undefined });
}

/** What keeps a connection open; some servers send words for it. */
const isPing = (text: string): boolean => /^\W*(?:ping|pong|keep[-_ ]?alive|heart[-_ ]?beat)\W*$/i.test(text);

const isEnd = (data: string): boolean => /^\s*\[?done\]?\s*$/i.test(data);

/**
 * What an event says: an object, 'end' for the mark that ends the streams of some servers, or undefined for nothing. `replyFields` are the
 * fields of which a part of a reply has one. Throws ApiRefusal for an error that it reports, and BrokenStream for what is no JSON.
 */
export function eventIn(
  { event, data }: ServerEvent,
  replyFields: readonly string[],
  describe: (body: unknown) => ApiRefusal = (body) => streamedRefusal(body),
): Fields | 'end' | undefined {
  if (data.trim() === '' || data.trim() === 'null' || [event ?? '', data].some(isPing)) return undefined;
  if (isEnd(data)) return 'end';
  const body = unwrapped(parseJson(data), replyFields, event);
  if (event === 'error') throw describe(isObject(body) ? body : { message: data });
  if (body === undefined) throw new BrokenStream('the stream holds something that is not JSON');
  const refusal = reportedIn(body, replyFields, describe);
  if (refusal !== undefined) throw refusal;
  if (!isObject(body)) throw new BrokenStream('the stream holds something that is no part of a reply');
  return body;
}

/** One event of a stream of server-sent events, as it came. */
export type ServerEvent = Readonly<EventSourceMessage>;

/**
 * Reads the events of a stream to its end. Throws ReplyTooLarge when one event is longer than a block of a reply may be; the length of the
 * whole stream is limited below (guardAnswer). An event that the end cuts off is dropped.
 *
 * eventsource-parser, not the provider's own library (`openai`): that one adds 20 MB, follows redirects with the key, and keeps back the raw
 * events that hold the fields of other servers; all that it would do beside is this loop.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  const events: ServerEvent[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_BLOCK_CHARS,
    onEvent: (event) => void events.push(event),
    onError: ({ type, field, value = '' }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
      // So llama.cpp says that a reply has failed.
      if (field === 'error') events.push({ event: 'error', data: value, id: undefined });
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
    if (isTooLarge) throw tooLargeBlock();
  }
  // Some servers end the stream without the empty line that ends an event.
  parser.feed('\n\n');
  yield* events.splice(0);
}
