import { expect, test } from 'vitest';
import { gif, pdf, png } from '../../../support/pictures.ts';
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
  ['long.pdf', pdf(101), 'is a PDF of 101 pages; at most 100 can be sent.'],
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
  expect(outcome.content).toMatch(/^a\.png: PNG image, 4 × 3 pixels, \d+ bytes\. The model in use takes no images or PDFs;/);
  expect([outcome.ok, outcome.media]).toEqual([false, undefined]);
});
