import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockTokens } from '../../../../bench/replay/measure/cache-cost.ts';
import { imageSize } from '../../../../src/domain/value/image-size.ts';

/** Headers made by hand after the formats' own documents; `rest` stands for the picture. */
const rest = Buffer.alloc(5_000, 0xab);
const be = (value: number, bytes: number): Buffer => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');
const le = (value: number, bytes: number): Buffer => be(value, bytes).reverse();
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

type Size = { readonly width: number; readonly height: number };
const png = ({ width, height }: Size): Buffer =>
  Buffer.concat([ascii('\x89PNG\r\n\x1a\n'), be(13, 4), ascii('IHDR'), be(width, 4), be(height, 4), rest]);
const gif = ({ width, height }: Size): Buffer => Buffer.concat([ascii('GIF89a'), le(width, 2), le(height, 2), rest]);
const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), be(content.length + 2, 2), content]);
const frame = ({ width, height }: Size): Buffer => Buffer.concat([Buffer.from([8]), be(height, 2), be(width, 2), Buffer.alloc(10, 1)]);
/** As a camera writes it: its own data and a small picture first, then tables, then the frame. */
const jpeg = (size: Size, { sof = 0xc0, before = 60_000 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.concat([ascii('Exif\0\0'), frame({ width: 160, height: 120 }), Buffer.alloc(before, 0xc0)])),
    segment(0xdb, Buffer.alloc(65, 1)),
    Buffer.from([0xff, 0xff]),
    segment(0xc4, Buffer.alloc(20, 2)),
    segment(sof, frame(size)),
    segment(0xda, Buffer.alloc(10, 3)),
    rest,
  ]);
const riff = (kind: string, content: Buffer): Buffer =>
  Buffer.concat([ascii('RIFF'), le(5_000, 4), ascii('WEBP'), ascii(kind), le(content.length, 4), content, rest]);
const webpLossy = ({ width, height }: Size): Buffer =>
  riff('VP8 ', Buffer.concat([Buffer.from([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a]), le(width + 0x4000, 2), le(height, 2)]));
const webpLossless = ({ width, height }: Size): Buffer =>
  riff('VP8L', Buffer.concat([Buffer.from([0x2f]), le((width - 1) | ((height - 1) << 14) | (1 << 28), 4)]));
const webpExtended = ({ width, height }: Size): Buffer =>
  riff('VP8X', Buffer.concat([Buffer.from([0x10, 0, 0, 0]), le(width - 1, 3), le(height - 1, 3)]));

const kinds = { png, gif, jpeg, webpLossy, webpLossless, webpExtended };
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const anySize = fc.record({ width: fc.integer({ min: 1, max: 16_383 }), height: fc.integer({ min: 1, max: 16_383 }) });
const rawTokens = (data: string): number =>
  blockTokens({ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data } }, () => 0);

describe('the size of a picture', () => {
  test.each(Object.entries(kinds))('is read from the header of a %s, whatever it is', (_, make) => {
    fc.assert(
      fc.property(anySize, (size) => {
        expect(imageSize(base64(make(size)))).toEqual(size);
      }),
    );
  });

  test('is found in a JPEG of any kind of frame, behind whatever a camera puts before it', () => {
    const size = { width: 4_032, height: 3_024 };
    for (const sof of [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc9, 0xcf])
      for (const before of [0, 1, 2, 64_000]) expect(imageSize(base64(jpeg(size, { sof, before })))).toEqual(size);
  });

  test('is unknown where the header is cut off before it, and never another one', () => {
    for (const make of Object.values(kinds)) {
      const size = { width: 1_234, height: 567 };
      const whole = make === jpeg ? jpeg(size, { before: 30 }) : make(size);
      for (let end = 0; end < 250; end++) {
        const found = imageSize(base64(whole.subarray(0, end)));
        if (found !== undefined) expect(found).toEqual(size);
      }
    }
  });

  test('is unknown of a picture without pixels, of a JPEG whose frame comes later, and of a segment that leads nowhere', () => {
    for (const make of [png, gif, jpeg, webpLossy]) expect(imageSize(base64(make({ width: 0, height: 9 })))).toBeUndefined();
    const later = Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xda, Buffer.alloc(9)), segment(0xc0, frame({ width: 5, height: 5 }))]);
    expect(imageSize(base64(later))).toBeUndefined();
    expect(imageSize(base64(Buffer.from('ffd8ffe00000ffc0', 'hex')))).toBeUndefined();
    expect(imageSize(base64(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(2_000_000, 0xff)])))).toBeUndefined();
  });

  test('is asked of any bytes and any text without a failure, and what it says is whole and positive', () => {
    const starts = Object.values(kinds).map((make) => make({ width: 300, height: 200 }).subarray(0, 30));
    const bytes = fc
      .tuple(fc.constantFrom(Buffer.alloc(0), ...starts), fc.nat(30), fc.uint8Array({ maxLength: 300 }))
      .map(([start, keep, more]) => base64(Buffer.concat([start.subarray(0, keep), more])));
    fc.assert(
      fc.property(fc.oneof(bytes, fc.string(), fc.base64String()), (text) => {
        const size = imageSize(text);
        if (size === undefined) return;
        for (const side of [size.width, size.height]) expect(Number.isSafeInteger(side) && side > 0).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what a picture costs', () => {
  test('is its size at the provider’s price, rounded up, at most what a model spends on one; the flat price where it is unknown [C45]', () => {
    expect(rawTokens(base64(jpeg({ width: 800, height: 600 })))).toBe(3 + 638);
    expect(rawTokens(base64(gif({ width: 751, height: 1 })))).toBe(3 + 27);
    expect(rawTokens(base64(webpExtended({ width: 16_000, height: 16_000 })))).toBe(3 + 4_784);
    for (const unknown of ['', 'AAAA', base64(rest), '/9j/']) expect(rawTokens(unknown)).toBe(3 + 1_600);
  });
});
