import { expect, test } from 'vitest';
import { packedTextPdf, textPdf } from '../../support/pictures.ts';
import { createWorld } from '../../unit/tools/world.ts';

test.each([
  ['a stream that unpacks to 300 MB of nothing', Buffer.alloc(300_000_000, 0x20)],
  [
    'one text of 150 MB, which ends the process that reads it',
    Buffer.concat([Buffer.from('BT /F1 12 Tf ('), Buffer.alloc(150_000_000, 0x61), Buffer.from(') Tj ET')]),
  ],
])('a PDF that is a bomb takes its reader down and nothing else, and is told: %s', async (_, content) => {
  const { put, call } = createWorld();
  const bomb = packedTextPdf(content);
  expect(bomb.length).toBeLessThan(400_000);
  put('bomb.pdf', bomb);
  const outcome = await call('read_file', { path: 'bomb.pdf' });
  expect(outcome).toMatchObject({ ok: false, note: { en: 'not readable' } });
  expect(outcome.content).toBe(
    'bomb.pdf: is a PDF that could not be read: it takes more than 512 MB of memory to parse. A program that reads PDFs may take longer and more.',
  );
  put('paper.pdf', textPdf(['The next one.']));
  expect((await call('read_file', { path: 'paper.pdf' })).content).toContain('The next one.');
});

test('the text of a PDF is bounded in pages, and says so', async () => {
  const { put, call } = createWorld();
  put('endless.pdf', textPdf(Array.from({ length: 1_010 }, (_, i) => `Page ${i + 1}.`)));
  const outcome = await call('read_file', { path: 'endless.pdf' });
  expect(outcome.content).toContain('--- page 1000\nPage 1000.');
  expect(outcome.content).not.toContain('--- page 1001');
  expect(outcome.content).toMatch(/1000 of (?:its )?1010 pages|1010/);
});
