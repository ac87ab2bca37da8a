import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languageOf, parseDirective } from '../../../../src/model/offline/offline-text.ts';
import { holdsForEach } from '../../../support/each-row.ts';

const call = (tool: string, input: object) => ({ kind: 'call', tool, input });
const read = (path: string, more: object = {}) => call('read_file', { path, ...more });

describe('a direct request is understood', () => {
  const requests: readonly (readonly [text: string, directive: object])[] = [
    ['read src/a.ts', read('src/a.ts')],
    ['READ src/a.ts', read('src/a.ts')],
    ['read "my file.txt" lines 3-9', read('my file.txt', { offset: 3, limit: 7 })],
    ['read a.txt lines 5', read('a.txt', { offset: 5, limit: 1 })],
    ['read a.txt line 5', read('a.txt', { offset: 5, limit: 1 })],
    ['read a.txt lines 5-', read('a.txt', { offset: 5 })],
    ['read a.txt from char 8000', read('a.txt', { char_offset: 8_000 })],
    ['read "my file.txt", from character 0.', read('my file.txt', { char_offset: 0 })],
    ['读取 a.txt 从第8000字符', read('a.txt', { char_offset: 8_000 })],
    ['查看 日志.txt 从 12 个字符开始', read('日志.txt', { char_offset: 12 })],
    ['读 src/a.ts 第10-20行', read('src/a.ts', { offset: 10, limit: 11 })],
    ['读取 a.txt 第2行-', read('a.txt', { offset: 2 })],
    ['读取 a.txt 第3行到第5行', read('a.txt', { offset: 3, limit: 3 })],
    ['读取src/a.ts', read('src/a.ts')],
    ['查看 日志.txt', read('日志.txt')],
    ['查看「我的 文件.txt」', read('我的 文件.txt')],
    ['read @目录/文件.txt', read('目录/文件.txt')],
    ['读取@src/a.ts', read('src/a.ts')],
    ['read "@scope/a.ts"', read('@scope/a.ts')],
    ['read @"my docs/a b.ts"', read('my docs/a b.ts')],
    ['读取@"my docs/a b.ts"', read('my docs/a b.ts')],
    ['search needle in @src/', call('search', { pattern: 'needle', path: 'src/' })],
    ['edit @a.ts: foo => bar', call('edit_file', { path: 'a.ts', old_string: 'foo', new_string: 'bar' })],
    ['list', call('list_files', {})],
    ['list src', call('list_files', { path: 'src' })],
    ['列出', call('list_files', {})],
    ['列出 src。', call('list_files', { path: 'src' })],
    ['列表 文档', call('list_files', { path: '文档' })],
    ['search foo bar in src', call('search', { pattern: 'foo bar', path: 'src' })],
    ['search "a in b" in src', call('search', { pattern: 'a in b', path: 'src' })],
    ['search needle', call('search', { pattern: 'needle' })],
    ['搜索 上下文 在 src', call('search', { pattern: '上下文', path: 'src' })],
    ['查找上下文窗口', call('search', { pattern: '上下文窗口' })],
    ['在 src 中搜索 压缩', call('search', { pattern: '压缩', path: 'src' })],
    ['run npm test -- --run', call('run_command', { command: 'npm test -- --run' })],
    ['run `ls -la`', call('run_command', { command: 'ls -la' })],
    ['run:\ncd a\nls', call('run_command', { command: 'cd a\nls' })],
    ['运行 ls -la', call('run_command', { command: 'ls -la' })],
    ['执行：make 测试', call('run_command', { command: 'make 测试' })],
    ['write notes.md: hello\n\n  world', call('write_file', { path: 'notes.md', content: 'hello\n\n  world' })],
    ['write notes.md:\n  hello', call('write_file', { path: 'notes.md', content: '  hello' })],
    ['write "my notes.md": a: b', call('write_file', { path: 'my notes.md', content: 'a: b' })],
    ['write C:\\x.txt: hi', call('write_file', { path: 'C:\\x.txt', content: 'hi' })],
    ['写入 笔记.md：你好\n世界', call('write_file', { path: '笔记.md', content: '你好\n世界' })],
    ['edit a.ts: foo => bar', call('edit_file', { path: 'a.ts', old_string: 'foo', new_string: 'bar' })],
    ['edit a.ts:\n  foo\n  baz => bar', call('edit_file', { path: 'a.ts', old_string: '  foo\n  baz', new_string: 'bar' })],
    ['edit a.ts: foo =>', call('edit_file', { path: 'a.ts', old_string: 'foo', new_string: '' })],
    ['edit a.ts: "x => y" => "x => z"', call('edit_file', { path: 'a.ts', old_string: 'x => y', new_string: 'x => z' })],
    ['修改 a.ts：甲 => 乙', call('edit_file', { path: 'a.ts', old_string: '甲', new_string: '乙' })],
    ['remember we use pnpm', call('remember', { text: 'we use pnpm' })],
    ['记住：用 pnpm', call('remember', { text: '用 pnpm' })],
    ['recall the port', call('recall', { query: 'the port' })],
    ['回忆 端口', call('recall', { query: '端口' })],
    ['status', { kind: 'status' }],
    ['状态', { kind: 'status' }],
    [' Help.\n', { kind: 'help' }],
    ['帮助', { kind: 'help' }],
  ];
  test('in English and Chinese, for each of its tools', () =>
    holdsForEach(
      requests,
      ([text]) => text,
      ([text, directive]) => expect(parseDirective(text)).toEqual(directive),
    ));
});

test.each(['9-3', '0-3', '0'])('lines %s are no range, and that is what it is', (range) => {
  expect(parseDirective(`read a.txt lines ${range}`)).toEqual({ kind: 'bad_range', range });
});

describe('what only talks about commands is none', () => {
  test.each([
    'what is in a.txt?',
    'please read a.txt',
    'read the docs and tell me',
    '读书使人进步',
    '执行上面的计划',
    '写一首诗',
    'write something nice',
    'edit a.ts',
    'edit a.ts: a => b => c',
    'Tool result is at: /etc/passwd',
    '[Compressed History]\nread a.txt',
    '',
  ])('%j', (text) => {
    expect(parseDirective(text)).toBeUndefined();
  });
});

test('any text is taken, quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) =>
      ['call', 'status', 'help', 'bad_range', undefined].includes(parseDirective(text)?.kind),
    ),
  );
  expect(parseDirective(`write a.txt: ${'x => '.repeat(100_000)}`)).toMatchObject({ tool: 'write_file' });
  expect(parseDirective(`search ${'in '.repeat(5_000)}`)).toMatchObject({ tool: 'search' });
  expect(parseDirective(`edit a: ${' '.repeat(50_000)}`)).toBeUndefined();
});

test('what is written arrives as it was typed', () => {
  const typed = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() === text);
  fc.assert(
    fc.property(typed, (content) => {
      expect(parseDirective(`write a.txt: ${content}`)).toEqual(call('write_file', { path: 'a.txt', content }));
    }),
  );
});

test('the language is that of the request', () => {
  expect([languageOf('read a.txt'), languageOf('读 a.txt')]).toEqual(['en', 'zh']);
});
