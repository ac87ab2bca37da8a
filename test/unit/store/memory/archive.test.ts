import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
  expect(namesOf(paths.conversations('team'))).toEqual(['2026-03-04-x.md', 'sessions-index.json']);
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
  expect(namesOf(paths.conversations('main'))).toEqual(['2026-03-04-x-2.md', '2026-03-04-x.md', 'sessions-index.json']);
});

const HEAD = '- Date: 2026-03-04T05:06:07.000Z\n- Session: s1\n- Messages: 4';
const listOf = (folder: string) => JSON.parse(readFileSync(`${folder}/sessions-index.json`, 'utf8')).pages;

test('the pages are listed beside them, also those of before, those renamed and after the list was damaged', () => {
  const { store, paths } = storeOf();
  const [archive, folder] = [store.archive('main'), paths.conversations('main')];
  archive.write({ title: 'Old', markdown: `# Old\n\n${HEAD}\n\n## 1. User, 2026-03-01T00:00:00.000Z\n\nhi\n` });
  const times = '- First: 2026-03-02T00:00:00.000Z\n- Last: 2026-03-03T00:00:00.000Z';
  archive.write({ title: '新的', markdown: `# 新的\n\n${HEAD}\n${times}\n\n## 1.` });
  const at = '2026-03-04T05:06:07.000Z';
  const newer = { id: 's1', title: '新的', firstAt: '2026-03-02T00:00:00.000Z', lastAt: '2026-03-03T00:00:00.000Z', messages: 4 };
  const pages = [
    { id: 's1', title: 'Old', firstAt: at, lastAt: at, messages: 4, page: '2026-03-04-Old.md' },
    { ...newer, page: '2026-03-04-新的.md' },
  ];
  expect(listOf(folder)).toEqual(pages);
  renameSync(`${folder}/2026-03-04-Old.md`, `${folder}/2026-03-04-Mine.md`);
  writeFileSync(`${folder}/sessions-index.json`, '{"pages":[{"id":');
  archive.write({ title: 'By hand', markdown: 'no head' });
  expect(listOf(folder)).toEqual([{ ...pages[0], page: '2026-03-04-Mine.md' }, pages[1]]);
});

test('a list that cannot be written is told, and the page stays [N9]', () => {
  const { store, paths, told } = storeOf({ at: failing('page-list.sync', 'EIO') });
  expect(readFileSync(store.archive('main').write({ title: 'x', markdown: 'one' }), 'utf8')).toBe('one');
  expect(namesOf(paths.conversations('main'))).toEqual(['2026-03-04-x.md']);
  expect(told.join()).toContain('The list of archived pages was not written');
});
