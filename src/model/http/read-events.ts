import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { MAX_BLOCK_CHARS, tooLargeBlock } from './reply-bounds.ts';

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
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
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
