import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../../src/tools/mcp/result-text.ts';
import { nested } from '../../../support/hostile.ts';
import { pdf, png } from '../../../support/pictures.ts';

const image = (bytes: Buffer, mimeType = 'image/png') => ({ type: 'image', data: bytes.toString('base64'), mimeType });
const result = (...content: readonly Readonly<Record<string, unknown>>[]) => ({ isError: false, content, structured: undefined });

describe('images and documents of a result', () => {
  test('stand behind the text for a model that sees, by what their bytes are and not by what the server says', () => {
    const blob = { type: 'resource', resource: { uri: 'desk://1', mimeType: 'text/plain', blob: pdf(2).toString('base64') } };
    const { content, media } = outcomeOf(result(image(png(3, 2), 'image/jpeg'), blob), { sees: true });
    expect(media?.map(({ type }) => type)).toEqual(['image', 'document']);
    expect(content).toMatch(/^\[image 1: PNG image, 3 × 2 pixels, \d+ bytes, below\]$/m);
    expect(content).toMatch(/^\[data 2: PDF, 2 pages, \d+ bytes, below\]$/m);
  });

  test('are a line each for a model that does not see', () => {
    const { content, media } = outcomeOf(result(image(png(3, 2))), { sees: false });
    expect(media).toBeUndefined();
    expect(content).toMatch(/^\[image PNG image, 3 × 2 pixels, \d+ bytes: not kept, since the model in use takes no images or PDFs\]$/);
  });

  test.each([
    ['cut off', png(3, 2).subarray(0, 30), 'not kept: it is a PNG image that is damaged or cut off'],
    ['too large', Buffer.concat([png(3, 2), Buffer.alloc(4_000_000)]), 'not kept: it is a PNG image of 40'],
    ['nothing known', Buffer.from('no image'), 'image/png, 8 bytes: not kept'],
    ['empty', Buffer.alloc(0), 'image/png, 0 bytes: not kept'],
  ])('that are %s are a line that says so', (_, bytes, why) => {
    const { content, media } = outcomeOf(result(image(bytes)), { sees: true });
    expect([media, content]).toEqual([undefined, expect.stringContaining(why)]);
  });

  test('are bounded by their bytes together too', () => {
    const large = Buffer.concat([png(3, 2).subarray(0, -12), Buffer.alloc(3_000_000), png(3, 2).subarray(-12)]);
    const { content, media } = outcomeOf(result(image(large), image(large), image(large)), { sees: true });
    expect(media).toHaveLength(2);
    expect(content).toContain('there are too many in one result');
  });
});

test('a link to a resource is a line with its name and address', () => {
  const link = {
    type: 'resource_link',
    uri: 'desk://7',
    name: 'seven',
    title: 'Seven',
    mimeType: 'text/plain',
    description: 'the\u001b[2J 7th',
  };
  expect(outcomeOf(result(link), { sees: true }).content).toBe('[resource Seven: desk://7, text/plain, the\\e[2J 7th]');
});

test('structured content is indented where it is short, and kept from filling the memory where it is wide or deep', () => {
  const shown = (structured: unknown) => outcomeOf({ isError: false, content: [], structured }, { sees: true });
  expect(shown({ a: [1] }).content).toBe('{\n  "a": [\n    1\n  ]\n}');
  const wide = { list: new Array(200_000).fill({ a: { b: 1 } }) };
  expect(shown(wide).content).toBe(JSON.stringify(wide));
  expect(shown(nested(100_000))).toMatchObject({ ok: true, content: '[structured content nested more than 500 levels deep: not kept]' });
});

test.each([
  ['a line about it', 'Found 2 rows.', { rows: [{ port: 7001 }, { port: 7002 }] }, true],
  ['its JSON', '{"text":"a\\nb","port":7001}', { text: 'a\nb', port: 7001 }, false],
  ['its value', 'a\nb', { result: 'a\nb' }, false],
])('structured content is shown beside a text that is %s only where the text lacks a value', (_, text, structured, isShown) => {
  const { content } = outcomeOf({ isError: false, content: [{ type: 'text', text }], structured }, { sees: true });
  expect(content).toBe(isShown ? `${text}\n${JSON.stringify(structured, null, 2)}` : text);
});
