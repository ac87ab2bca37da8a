import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameOf, readFrames } from '../../../../src/tools/parse/frames.ts';

const read = (bytes: Buffer, cuts: readonly number[], maxBytes = 1_000_000) => {
  const stream = new PassThrough();
  const values: unknown[] = [];
  let tooLong = 0;
  readFrames<unknown>(stream, { maxBytes, onValue: (value) => values.push(value), onTooLong: () => tooLong++ });
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [index, place] of places.entries()) stream.emit('data', bytes.subarray(places[index - 1] ?? 0, place));
  return { values, tooLong };
};

test('values come out as they went in, wherever the stream is cut', () => {
  const value = fc.oneof(fc.string(), fc.uint8Array(), fc.record({ text: fc.string(), n: fc.integer() }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 20 }), (given, cuts) => {
      const { values, tooLong } = read(Buffer.concat(given.map(frameOf)), cuts);
      expect(values.map((each) => (each instanceof Uint8Array ? [...each] : each))).toEqual(
        given.map((each) => (each instanceof Uint8Array ? [...each] : each)),
      );
      expect(tooLong).toBe(0);
    }),
  );
});

test('one that is too long is told once, and neither kept nor read', () => {
  const bytes = Buffer.concat([frameOf('a'), frameOf('b'.repeat(200)), frameOf('c')]);
  expect(read(bytes, [3, 100, 150], 100)).toEqual({ values: ['a'], tooLong: 1 });
});
