import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPages } from '../../../../src/tools/files/media/pdf-pages.ts';
import { gif, packedPdf, pdf, png, textPdf } from '../../../support/pictures.ts';
import { sampleOf } from '../../../support/runs.ts';
import { createWorld } from '../world.ts';

const seeing = () => createWorld({ sees: () => true });

test('an image is known by its content, whatever its name, and shown with what it is', async () => {
  const { put, call } = seeing();
  put('notes.txt', png(40, 30));
  put('loop.bin', gif(3, 2));
  expect(await call('read_file', { path: 'notes.txt' })).toMatchObject({
    ok: true,
    content: expect.stringMatching(/^notes\.txt: PNG image, 40 × 30 pixels, \d+ bytes$/),
    media: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(40, 30).toString('base64') } }],
  });
  expect(await call('read_file', { path: 'loop.bin' })).toMatchObject({ media: [{ source: { media_type: 'image/gif' } }] });
});

test('a PDF is shown whole, with how many pages it has', async () => {
  const { put, call } = seeing();
  put('paper', pdf(3));
  expect(await call('read_file', { path: 'paper' })).toMatchObject({
    content: expect.stringContaining('paper: PDF, 3 pages, '),
    media: [{ type: 'document', source: { media_type: 'application/pdf' } }],
  });
});

test('a false ending makes no image: text is read as text, and other bytes are refused as before', async () => {
  const { put, call } = seeing();
  put('page.png', 'just words\n');
  put('data.jpg', Buffer.from([0, 1, 2, 3]));
  put('tiny.png', Buffer.from('\x89PNG', 'latin1'));
  expect((await call('read_file', { path: 'page.png' })).content).toContain('just words');
  for (const path of ['data.jpg', 'tiny.png']) expect(await call('read_file', { path })).toMatchObject({ ok: false });
});

test.each([
  ['cut.png', png(40, 30).subarray(0, 40), 'is a PNG image that is damaged or cut off'],
  ['none.png', png(0, 30), 'is a PNG image that is damaged or cut off'],
  ['cut.gif', gif(3, 2).subarray(0, 12), 'is a GIF image that is damaged or cut off'],
  ['wide.gif', gif(9_000, 2), 'is a GIF image of 9000 × 2 pixels; at most 8000 on a side can be sent.'],
  ['heavy.png', Buffer.concat([png(40, 30), Buffer.alloc(4_000_000)]), 'at most 3750000 can be sent.'],
  ['cut.pdf', pdf(1).subarray(0, 60), 'is a PDF that is damaged or cut off'],
  ['locked.pdf', pdf(1, '/Encrypt 9 0 R\n'), 'is a PDF that is encrypted'],
])('%s is refused with what is wrong, and no provider gets to see it', async (name, bytes, why) => {
  const { put, call } = seeing();
  put(name, bytes);
  const outcome = await call('read_file', { path: name });
  expect(outcome).toMatchObject({ ok: false, content: expect.stringContaining(why) });
  expect(outcome.media).toBeUndefined();
});

test('a model that does not see gets a plain sentence', async () => {
  const { put, call } = createWorld();
  put('a.png', png(4, 3));
  const outcome = await call('read_file', { path: 'a.png' });
  expect(outcome.content).toMatch(/^a\.png: PNG image, 4 × 3 pixels, \d+ bytes\. The model in use takes no images;/);
  expect([outcome.ok, outcome.media]).toEqual([false, undefined]);
});

test('pages are counted by the page tree, also where it is packed, and not by outlines or by pages that an update left behind', () => {
  expect(countPages(pdf(3))).toBe(3);
  expect(countPages(textPdf(['a', 'b']))).toBe(2);
  expect(countPages(packedPdf(41))).toBe(41);
  expect(countPages(Buffer.from('%PDF-1.4 nothing else'))).toBeUndefined();
});

test('counting pages ends for any bytes, and unpacks no bomb', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void countPages(Buffer.concat([packedPdf(1), bytes]))));
  fc.assert(fc.property(fc.string(), (text) => void countPages(Buffer.from(`1 0 obj ${text} /ObjStm stream ${text} endstream endobj`))));
  const bomb = deflateSync(Buffer.alloc(60_000_000));
  const many = Array.from({ length: 20 }, () => [
    Buffer.from('1 0 obj << /Type /ObjStm /First 5 >> stream\n'),
    bomb,
    Buffer.from('endstream endobj '),
  ]);
  expect(countPages(Buffer.concat(many.flat()))).toBeUndefined();
});

const packed = (first: number, content: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`1 0 obj << /Type /ObjStm /First ${first} >> stream\n`),
    deflateSync(content),
    Buffer.from('endstream endobj '),
  ]);

const long: readonly (readonly [string, () => Buffer])[] = [
  ['ends of objects, and no stream', () => Buffer.from('endobj '.repeat(1_400_000))],
  ['streams of objects that are in no object', () => Buffer.from('/ObjStm stream\nx endstream '.repeat(350_000))],
  ['streams that each unpack to more than one may', () => Buffer.concat(new Array<Buffer>(1_000).fill(packed(5, Buffer.alloc(9_000_000))))],
  [
    'objects that each are nearly all of their stream',
    () => {
      const offsets = '1 0 1 7000000 '.repeat(300_000);
      return packed(offsets.length, offsets.padEnd(7_900_000, 'x'));
    },
  ],
];

test.each(sampleOf(long))('counting pages takes no longer than a file is long: %s', (_, bytes) => {
  expect(countPages(Buffer.concat([Buffer.from('%PDF-1.4\n'), bytes(), Buffer.from('%%EOF')]))).toBeUndefined();
});

test('a model that does not see gets the text of a PDF, page by page and by lines', async () => {
  const { put, call } = createWorld();
  put('paper.pdf', textPdf(['The first page.', 'The second page.']));
  const outcome = await call('read_file', { path: 'paper.pdf' });
  expect(outcome.content).toMatch(
    /^paper\.pdf: is shown as text, since the model in use takes no PDFs \(PDF, 2 pages, \d+ bytes\)\. Pictures in it are left out\.\n/,
  );
  expect(outcome.content).toContain('--- page 1\nThe first page.\n--- page 2\nThe second page.\n');
  expect([outcome.ok, outcome.media, outcome.note.en]).toEqual([true, undefined, '2 pages']);
  const lines = await call('read_file', { path: 'paper.pdf', offset: 3, limit: 1 });
  expect(lines.content).toMatch(/Not all of it, go on with offset=4\.\n--- page 2\n$/);
  expect((await call('read_file', { path: 'paper.pdf', offset: 99 })).content).toContain('past the end; its text has 4 lines');
});

test('a PDF that is too long to be shown is read as text, by a model that sees too', async () => {
  const { put, call } = seeing();
  put('long.pdf', textPdf(Array.from({ length: 101 }, (_, i) => `Page number ${i + 1}.`)));
  const outcome = await call('read_file', { path: 'long.pdf' });
  expect(outcome.content).toContain('long.pdf: is a PDF of 101 pages; at most 100 can be shown. Pictures in it are left out.');
  expect(outcome.content).toContain('--- page 101\nPage number 101.');
  expect(outcome.media).toBeUndefined();
});

test('a key in the text of a PDF is masked, also where a page of it ends inside the key', async () => {
  const { put, call } = createWorld({ redactSecrets: true });
  const key = `ghp_${'a1B2'.repeat(9)}`;
  put('paper.pdf', textPdf([`token ${key} end`]));
  for (const range of [{}, { char_offset: 30 }]) {
    const { content } = await call('read_file', { path: 'paper.pdf', ...range });
    expect(content).not.toContain('a1B2a1B2');
  }
});

test.each([
  ['scan.pdf', textPdf(['', '']), 'and it has no text: 2 pages of pictures'],
  ['broken.pdf', pdf(2), 'is a PDF that is damaged: its pages cannot be read'],
  ['noise.pdf', Buffer.from(`%PDF-1.4\n${'\u0001\u0002'.repeat(500)}\n%%EOF\n`, 'latin1'), 'is a PDF that is damaged'],
  ['locked.pdf', pdf(1, '/Encrypt 9 0 R\n'), 'is a PDF that is encrypted. Make a copy of it without the password'],
])('%s is refused in words to a model that reads the text', async (name, bytes, why) => {
  const { put, call } = createWorld();
  put(name, bytes);
  expect(await call('read_file', { path: name })).toMatchObject({ ok: false, content: expect.stringContaining(why) });
});
