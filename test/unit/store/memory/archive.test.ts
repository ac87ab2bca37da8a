import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { titleSlug } from '../../../../src/store/memory/archive.ts';
import { failing, modeOf, namesOf, storeOf, thrownBy } from '../files/world.ts';

test('a transcript is a private file named by date and title [N10]', () => {
  const { store, paths } = storeOf();
  const path = store.archive('main').write({ title: 'Fix the parser', markdown: '# Fix\n中文 \ud83d\n' });
  expect(path).toBe(`${paths.conversations('main')}/2026-03-04-Fix-the-parser.md`);
  expect(readFileSync(path, 'utf8')).toBe('# Fix\n中文 \ufffd\n');
  expect(modeOf(path)).toBe('600');
});

test.each([
  ['修复解析器的问题', '修复解析器的问题'],
  ['a/b\\c:d?*"<>|', 'a-b-c-d'],
  ['../../etc/passwd', 'etc-passwd'],
  ['trail. ', 'trail'],
  ['CON', 'CON'],
  ['\u001b[2J\u202eevil', '2J-evil'],
  ['हिन्दी में', 'हिन्दी-में'],
  ['😀🎉', ''],
  ['', ''],
])('the title %j becomes %j in a file name [N7, B-23]', (title, name) => {
  expect(titleSlug(title)).toBe(name);
});

test('any title gives a part of a name that every system takes [B-23, B-15]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (title) => {
      const name = titleSlug(title);
      expect(name).toMatch(/^([\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*)?$/u);
      expect([...name].length).toBeLessThanOrEqual(50);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
    }),
  );
});

test('two transcripts of one title, or without one, both stay [N8, C99]', () => {
  const { store, paths } = storeOf();
  const archive = store.archive('main');
  const names = ['a', 'a', 'a', '!', '?'].map((title, i) => basename(archive.write({ title, markdown: `${i}` })));
  expect(names).toEqual([
    '2026-03-04-a.md',
    '2026-03-04-a-2.md',
    '2026-03-04-a-3.md',
    '2026-03-04-conversation-0506.md',
    '2026-03-04-conversation-0506-2.md',
  ]);
  expect(readFileSync(`${paths.conversations('main')}/2026-03-04-a.md`, 'utf8')).toBe('0');
});

test('hundreds of transcripts of one title in a day all stay, each in a file of its own [N1]', () => {
  const { store } = storeOf();
  const archive = store.archive('main');
  const written = Array.from({ length: 300 }, (_, i) => archive.write({ title: 'Daily work', markdown: `page ${i}` }));
  expect(written.map((path) => readFileSync(path, 'utf8'))).toEqual(written.map((_, i) => `page ${i}`));
});

test('groups keep their transcripts apart, and a group that is a path is refused [S-35, B18]', () => {
  const { store, paths } = storeOf();
  store.archive('team').write({ title: 'x', markdown: '' });
  expect(namesOf(paths.conversations('team'))).toHaveLength(1);
  expect(existsSync(paths.conversations('main'))).toBe(false);
  for (const group of ['../x', 'a/b', '', 'Team', 'nul']) expect(thrownBy(() => store.archive(group))).toMatchObject({ code: 'usage' });
});

test('a transcript that cannot be written throws and leaves nothing [N9]', () => {
  const { store, paths } = storeOf({ at: failing('archive.sync', 'EIO') });
  expect(thrownBy(() => store.archive('main').write({ title: 'x', markdown: '' }))).toMatchObject({ code: 'store_failed' });
  expect(namesOf(paths.conversations('main'))).toEqual([]);
});

test('a transcript can be written where files cannot be linked', () => {
  const { store, paths } = storeOf({ at: failing('archive.link', 'ENOTSUP') });
  const archive = store.archive('main');
  archive.write({ title: 'x', markdown: 'one' });
  archive.write({ title: 'x', markdown: 'two' });
  expect(namesOf(paths.conversations('main'))).toEqual(['2026-03-04-x-2.md', '2026-03-04-x.md']);
});
