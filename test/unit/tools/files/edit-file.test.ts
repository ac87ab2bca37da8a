import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBilingual } from '../../../../src/domain/language.ts';
import { replaceText } from '../../../../src/tools/files/replace-text.ts';
import { createWorld } from '../world.ts';

const now = () => new AbortController().signal;

test('an edit shows its diff, changes that place and nothing else', async () => {
  const world = createWorld();
  const path = world.put('src/数.ts', 'const a = 1;\nconst 数 = 2;\nconst c = 3;\n');
  const plan = await world.ready('edit_file', { path: 'src/数.ts', old_string: '数 = 2', new_string: '数 = 3' });
  expect(plan).toMatchObject({ access: 'write', place: 'inside', path, title: 'edit_file src/数.ts' });
  expect(plan.preview).toBe('@@ -1,3 +1,3 @@\n const a = 1;\n-const 数 = 2;\n+const 数 = 3;\n const c = 3;');
  expect(await plan.run(now())).toEqual({
    ok: true,
    content: 'src/数.ts: replaced the text at line 2',
    note: { en: '+1 -1', zh: '+1 -1' },
    diff: { path: 'src/数.ts', added: 1, removed: 1, text: plan.preview },
  });
  expect(world.get('src/数.ts')).toBe('const a = 1;\nconst 数 = 3;\nconst c = 3;\n');
});

test('what cannot be edited is told exactly, and the file is untouched [B-19]', async () => {
  const world = createWorld();
  world.put('a.txt', 'one\n\ttwo\none\nthree one\n');
  const refusal = (old_string: string, new_string = 'x') => world.refusal('edit_file', { path: 'a.txt', old_string, new_string });
  expect(await refusal('four')).toBe('edit_file: a.txt: old_string is not in the file');
  expect(await refusal('one')).toMatch(/old_string is in the file 3 times \(lines 1, 3, 4\); add lines around it .* or set replace_all/);
  expect(await refusal('')).toMatch(/old_string is empty/);
  expect(await refusal('one', 'one')).toMatch(/are the same; nothing to change/);
  expect(await refusal('    two')).toBe('edit_file: a.txt: old_string is not in the file; line 2 has it with other white space: "\\ttwo"');
  expect(await world.refusal('edit_file', { path: 'none', old_string: 'a', new_string: 'b' })).toMatch(
    /none: no such file; write_file makes a new one/,
  );
  expect(world.get('a.txt')).toBe('one\n\ttwo\none\nthree one\n');
});

test('all occurrences are replaced when that is asked for', async () => {
  const world = createWorld();
  world.put('a.txt', 'aa b aa\naa');
  const outcome = await world.call('edit_file', { path: 'a.txt', old_string: 'aa', new_string: 'aaaa', replace_all: true });
  expect(outcome).toMatchObject({ content: 'a.txt: replaced 3 occurrences', note: expect.objectContaining({ en: '+2 -2' }) });
  expect(world.get('a.txt')).toBe('aaaa b aaaa\naaaa');
});

test('several edits are made in order, each on what those before it left, with one diff and one record of the file', async () => {
  const recorded: string[] = [];
  const world = createWorld({
    fileChangeRecorder:
      async () =>
      ({ path }) =>
        void recorded.push(path),
  });
  const path = world.put('a.ts', 'one\ntwo\nthree two\nfour\n');
  const edits = [
    { old_string: 'two', new_string: '2', replace_all: true },
    { old_string: 'three 2', new_string: 'three\nmore' },
    { old_string: 'four', new_string: '4' },
  ];
  const plan = await world.ready('edit_file', { path: 'a.ts', edits });
  expect(plan.preview).toBe('@@ -1,4 +1,5 @@\n one\n-two\n-three two\n-four\n+2\n+three\n+more\n+4');
  expect(await plan.run(now())).toEqual({
    ok: true,
    content: 'a.ts: replaced 3 texts in 4 places',
    note: { en: '+4 -3', zh: '+4 -3' },
    diff: { path: 'a.ts', added: 4, removed: 3, text: plan.preview },
  });
  expect(world.get('a.ts')).toBe('one\n2\nthree\nmore\n4\n');
  expect(recorded).toEqual([path]);
});

test('of several edits all are made, or none, and the one that cannot be is named', async () => {
  const world = createWorld();
  world.put('a.ts', 'one\ntwo\n');
  const refused = (...edits: readonly { readonly old_string: string; readonly new_string: string }[]) =>
    world.refusal('edit_file', { path: 'a.ts', edits });
  const first = { old_string: 'one', new_string: '1' };
  expect(await refused(first, { old_string: 'six', new_string: '6' })).toBe(
    'edit_file: a.ts: edits[1] cannot be made, so none was: old_string is not in the file',
  );
  expect(await refused(first, { old_string: 'one', new_string: '2' })).toMatch(/edits\[1\] cannot be made/);
  expect(await refused(first, { old_string: '1', new_string: 'one' })).toMatch(/undo each other; nothing to change/);
  expect(world.get('a.ts')).toBe('one\ntwo\n');
});

test('a list of edits that comes as a text is read as one, and empty texts beside it are as good as none', async () => {
  const world = createWorld();
  world.put('a.ts', 'one\ntwo\n');
  const edits = JSON.stringify([{ old_string: 'one', new_string: '[1]' }]);
  await world.call('edit_file', { path: 'a.ts', edits, old_string: '', new_string: '', replace_all: false });
  await world.call('edit_file', { path: 'a.ts', old_string: '[1]', new_string: '{"a":1}' });
  expect(world.get('a.ts')).toBe('{"a":1}\ntwo\n');
});

test('line ends of the file stay, whichever the model uses [B-19]', async () => {
  const world = createWorld();
  world.put('crlf.txt', 'a\r\nb\r\nc\r\n');
  await world.call('edit_file', { path: 'crlf.txt', old_string: 'a\nb', new_string: 'a\nx\ny' });
  await world.call('edit_file', { path: 'crlf.txt', old_string: 'c', new_string: 'c\nd' });
  await world.call('edit_file', { path: 'crlf.txt', old_string: 'x\r\n', new_string: 'X\n' });
  expect(world.get('crlf.txt')).toBe('a\r\nX\r\ny\r\nc\r\nd\r\n');
  world.put('lf.txt', 'a\nb\n');
  await world.call('edit_file', { path: 'lf.txt', old_string: 'a\r\nb', new_string: 'a\r\nc' });
  expect(world.get('lf.txt')).toBe('a\nc\n');
  expect(await world.refusal('edit_file', { path: 'crlf.txt', old_string: 'a\nX', new_string: 'a\r\nX' })).toMatch(
    /the same apart from line ends/,
  );
});

test('in a file with line ends of both kinds each line keeps its own [B-46]', async () => {
  const world = createWorld();
  let count = 0;
  const edited = async (before: string, old_string: string, new_string: string) => {
    const path = `${count++}.txt`;
    world.put(path, before);
    const { ok, content } = await world.call('edit_file', { path, old_string, new_string });
    return ok ? world.get(path) : content;
  };
  expect(await edited('a\r\nb\nc\r\n', 'a\nb\nc', 'a\nB\nc')).toBe('a\r\nB\nc\r\n');
  expect(await edited('a\r\nb\nc\r\n', 'a\nb\n', 'a\nnew\nb\n')).toBe('a\r\nnew\r\nb\nc\r\n');
  expect(await edited('a\r\nb\n', 'a', 'a\nnew')).toBe('a\r\nnew\r\nb\n');
  expect(await edited('a\r\nb\n', 'a\r\nb\n', 'b\na\r\n')).toBe('b\na\r\n');
  expect(await edited('x\r\na\r\n', '\na\n', '\nb\n')).toBe('x\r\nb\r\n');
  expect(await edited('x\na\n', 'a', 'a\r\nb')).toBe('x\na\nb\n');
});

test('UTF-16 with a mark is edited in its encoding', async () => {
  const world = createWorld();
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const path = world.put('a.txt', utf16('one 中\r\ntwo\r\n'));
  await world.call('edit_file', { path: 'a.txt', old_string: '中\ntwo', new_string: '文\n2' });
  expect(readFileSync(path)).toEqual(utf16('one 文\r\n2\r\n'));
});

test('byte order mark, mode and a missing last line feed stay [B-19, B-20]', async () => {
  const world = createWorld();
  const path = world.put('run.sh', '\ufeff#!/bin/sh\necho 1', 0o755);
  chmodSync(path, 0o755);
  await world.call('edit_file', { path: 'run.sh', old_string: 'echo 1', new_string: 'echo 2' });
  expect(readFileSync(path)).toEqual(Buffer.from('\ufeff#!/bin/sh\necho 2'));
  expect(statSync(path).mode & 0o7777).toBe(0o755);
});

test('a file that is not UTF-8 is refused, so that no replacement character gets into it [B-04]', async () => {
  const world = createWorld();
  const bytes = Buffer.concat([Buffer.from('name = '), Buffer.from([0xc4, 0xe3]), Buffer.from('\nvalue = 1\n')]);
  const path = world.put('gbk.ini', bytes);
  expect(await world.refusal('edit_file', { path: 'gbk.ini', old_string: 'value = 1', new_string: 'value = 2' })).toMatch(/is not UTF-8/);
  expect(readFileSync(path)).toEqual(bytes);
});

test('a replacement with dollar signs is put in by its letters', async () => {
  const world = createWorld();
  world.put('a.txt', 'x');
  await world.call('edit_file', { path: 'a.txt', old_string: 'x', new_string: "$& $1 $$ $' $`" });
  expect(world.get('a.txt')).toBe("$& $1 $$ $' $`");
});

test('a file the user changed since it was read, or since the approval, is not edited [C-18]', async () => {
  const world = createWorld();
  const path = world.put('a.txt', 'one\ntwo\n');
  const edit = { path: 'a.txt', old_string: 'one', new_string: '1' };
  await world.call('read_file', { path: 'a.txt' });
  const plan = await world.ready('edit_file', edit);
  writeFileSync(path, 'one\ntwo\nby the user\n');
  expect(await plan.run(now())).toMatchObject({ ok: false, note: expect.objectContaining({ en: 'changed meanwhile' }) });
  expect(await world.refusal('edit_file', edit)).toBe('edit_file: a.txt: changed on disk since it was last read; read it again');
  expect(world.get('a.txt')).toBe('one\ntwo\nby the user\n');
  await world.call('read_file', { path: 'a.txt', limit: 1 });
  expect(await world.call('edit_file', edit)).toMatchObject({ ok: true });
});

test('edits of one file that run at the same time all come to stand in it, under any of its names [C-19]', async () => {
  const world = createWorld();
  world.put('a.txt', Array.from({ length: 20 }, (_, i) => `<${i}>\n`).join(''));
  world.link('a.txt', 'alias.txt');
  const plans = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      world.ready('edit_file', { path: i % 2 ? 'a.txt' : 'alias.txt', old_string: `<${i}>`, new_string: `[${i}]` }),
    ),
  );
  const outcomes = await Promise.all(plans.map((plan) => plan.run(now())));
  expect(outcomes.map(({ ok }) => ok)).toEqual(outcomes.map(() => true));
  expect(world.get('a.txt')).toBe(Array.from({ length: 20 }, (_, i) => `[${i}]\n`).join(''));
  expect(readdirSync(world.cwd).sort()).toEqual(['a.txt', 'alias.txt']);
});

test('an edit does what splitting and joining the text does, for any text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '中', '$', ' ', '\n'), maxLength: 30 });
  fc.assert(
    fc.property(text, text, text, (whole, oldText, newText) => {
      const parts = whole.split(oldText);
      const all = replaceText(whole, { oldText, newText, all: true });
      if (oldText === '' || oldText === newText || parts.length === 1) expect(isBilingual(all)).toBe(true);
      else expect(all).toMatchObject({ text: parts.join(newText) });
      const one = replaceText(whole, { oldText, newText, all: false });
      if (!isBilingual(one)) expect([whole.indexOf(oldText), one.text]).toEqual([whole.lastIndexOf(oldText), parts.join(newText)]);
    }),
  );
});

test('text that repeats without end is refused quickly', () => {
  const why = replaceText('a'.repeat(2_000_000), { oldText: 'a'.repeat(1_000), newText: 'b', all: false });
  expect(why).toMatchObject({ en: expect.stringMatching(/at least 1000 times/) });
});

test('old inputs stay accepted: one edit by old_string, new_string and replace_all, as sessions from before the list of edits send it', async () => {
  const world = createWorld();
  world.put('a.ts', 'one two\none\n');
  const sent = await world.call('edit_file', { path: 'a.ts', old_string: 'one', new_string: '1', replace_all: true });
  expect(sent).toMatchObject({ ok: true });
  expect(await world.call('edit_file', { path: 'a.ts', old_string: '1 two', new_string: '2' })).toMatchObject({ ok: true });
  const listed = await world.call('edit_file', { path: 'a.ts', edits: [{ old_string: '2', new_string: '3' }] });
  expect(listed).toMatchObject({ ok: true });
  expect(world.get('a.ts')).toBe('3\n1\n');
});
