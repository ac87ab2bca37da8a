import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents, type ServerEvent } from '../../../../src/model/http/read-answer.ts';
import { MAX_BLOCK_CHARS, ReplyTooLarge } from '../../../../src/model/http/reply-bounds.ts';

const streamOf = (chunks: readonly Uint8Array[], onCancel: () => void = () => undefined): ReadableStream<Uint8Array> => {
  const left = [...chunks];
  return new ReadableStream({
    pull: (out) => {
      const chunk = left.shift();
      if (chunk === undefined) out.close();
      else out.enqueue(chunk);
    },
    cancel: onCancel,
  });
};

const read = async (chunks: readonly Uint8Array[], onCancel?: () => void): Promise<readonly ServerEvent[]> => {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(streamOf(chunks, onCancel))) events.push(event);
  return events;
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const inPieces = (all: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

test('a stream gives the same events, however the network cuts it', async () => {
  const text = ': ping\n\nevent: a\ndata: {"text":"世界 👋🏽"}\n\ndata: one\ndata: two\n\ndata: [DONE]\n\n';
  const expected = ['{"text":"世界 👋🏽"}', 'one\ntwo', '[DONE]'];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 90 }), fc.constantFrom('\n', '\r\n'), async (size, end) => {
      const events = await read(inPieces(bytes(text.replaceAll('\n', end)), size));
      expect(events.map(({ data }) => data)).toEqual(expected);
      expect(events[0]?.event).toBe('a');
    }),
  );
});

test('the last event counts without the empty line that ends it, and half a line of it does not pass for more', async () => {
  expect((await read([bytes('data: one\n\ndata: two')])).map(({ data }) => data)).toEqual(['one', 'two']);
});

test('an event longer than a block may be ends the reading, and the connection', async () => {
  const piece = bytes('x'.repeat(1024 * 1024));
  let isCancelled = false;
  const chunks = [bytes('data: '), ...Array.from({ length: MAX_BLOCK_CHARS / piece.length + 4 }, () => piece)];
  await expect(read(chunks, () => (isCancelled = true))).rejects.toBeInstanceOf(ReplyTooLarge);
  expect(isCancelled).toBe(true);
});

test('who stops reading ends the connection', async () => {
  let isCancelled = false;
  const endless = streamOf([bytes('data: 1\n\n'), bytes('data: 2\n\n')], () => {
    isCancelled = true;
  });
  for await (const _ of readEvents(endless)) break;
  expect(isCancelled).toBe(true);
});
