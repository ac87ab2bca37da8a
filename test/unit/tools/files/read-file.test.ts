import { createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { createWorld } from '../world.ts';

test('a file is read whole, after a line that says what it is', async () => {
  const world = createWorld();
  const path = world.put('src/数据.txt', 'one\nzwei\n三\n');
  expect(await world.ready('read_file', { path: 'src/数据.txt' })).toMatchObject({ access: 'read', preview: '', path });
  expect(await world.call('read_file', { path: 'src/数据.txt' })).toEqual({
    ok: true,
    content: 'src/数据.txt: lines 1-3 of 3\none\nzwei\n三\n',
    note: expect.objectContaining({ en: '3 lines' }),
    source: path,
  });
});

test('however long a file is, nothing is cut from it here: moving it out of the context is for others [C48, C51]', async () => {
  const world = createWorld();
  const text = `${'x'.repeat(120)}\n`.repeat(20_000);
  world.put('long.txt', text);
  const { content } = await world.call('read_file', { path: 'long.txt' });
  expect(content === `long.txt: lines 1-20000 of 20000\n${text}`).toBe(true);
});

test('a part is named as a part in the first line, with the place to go on [C3, C54]', async () => {
  const world = createWorld();
  world.put('a.txt', 'a\nb\nc\nd');
  const read = async (input: object) => (await world.call('read_file', { path: 'a.txt', ...input })).content;
  expect(await read({ offset: 2, limit: 2 })).toBe('a.txt: lines 2-3 of 4; not all of it, go on with offset=4\nb\nc\n');
  expect(await read({ offset: 4 })).toBe('a.txt: line 4 of 4, no line feed at the end\nd');
  expect(await read({ char_offset: 2 })).toBe('a.txt: characters 2-6 of 7 (lines 2-4 of 4), no line feed at the end\nb\nc\nd');
  expect(await world.call('read_file', { path: 'a.txt', offset: 5 })).toMatchObject({
    ok: false,
    content: 'a.txt: that is past the end; it has 4 lines, 7 characters',
  });
});

test('an empty file, CRLF and separators of other kinds are told apart from the text [B-01]', async () => {
  const world = createWorld();
  world.put('empty', '');
  world.put('crlf.txt', 'a\r\nb\r\n');
  world.put('mixed.txt', 'a\r\nb\n');
  world.put('sep.txt', 'a\u2028b\u0085c\u2029d\vx\n');
  world.put('bom.txt', '\ufeffa\n');
  const read = async (path: string) => (await world.call('read_file', { path })).content;
  expect(await read('empty')).toBe('empty: empty file\n');
  expect(await read('crlf.txt')).toBe('crlf.txt: lines 1-2 of 2, CRLF line ends\na\nb\n');
  expect(await read('mixed.txt')).toBe('mixed.txt: lines 1-2 of 2, line ends of both kinds\na\r\nb\n');
  expect(await read('sep.txt')).toBe('sep.txt: line 1 of 1\na\u2028b\u0085c\u2029d\vx\n');
  expect(await read('bom.txt')).toBe('bom.txt: line 1 of 1\na\n');
});

test('UTF-16 with a mark is read as the text that it is, of a large file too', async () => {
  const world = createWorld();
  const text = '第一行 one\r\ntwo\r\n';
  world.put('le.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
  world.put('be.txt', Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
  world.put('huge.txt', Buffer.from(`\ufeff${text.repeat(500_000)}`, 'utf16le'));
  const read = async (path: string, input = {}) => (await world.call('read_file', { path, ...input })).content;
  expect(await read('le.txt')).toBe('le.txt: lines 1-2 of 2, UTF-16LE, CRLF line ends\n第一行 one\ntwo\n');
  expect(await read('be.txt')).toBe('be.txt: lines 1-2 of 2, UTF-16BE, CRLF line ends\n第一行 one\ntwo\n');
  expect(await read('huge.txt', { offset: 900_001, limit: 1 })).toMatch(/\n第一行 one\n/);
});

test('what is not UTF-8 text is named, never shown as rubbish [B-04, B-52]', async () => {
  const world = createWorld();
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const cases: readonly (readonly [string, Buffer, RegExp])[] = [
    ['nul.bin', Buffer.from('abc\0def'), /is binary \(7 bytes; first NUL at byte 3\)/],
    ['a.png', Buffer.from('89504e470d0a1a0a0000', 'hex'), /is a PNG image that is damaged or cut off \(10 bytes\)/],
    ['no-bom.txt', utf16('plain latin text\n'), /is UTF-16LE text without a mark/],
    ['half.txt', Buffer.concat([utf16('\ufeffhello'), Buffer.from([0])]), /begins as UTF-16LE text \(13 bytes\) and is not valid in it/],
    ['utf32.txt', Buffer.from('fffe00006100000062000000', 'hex'), /is binary/],
    ['bad.txt', Buffer.from([0x61, 0x62, 0xff, 0x63]), /is not UTF-8 \(4 bytes, first wrong byte at 2\)$/],
    ['c1.txt', Buffer.from([0x61, 0x85, 0x9b, 0x20]), /is not UTF-8 .*first wrong byte at 1/],
    ['cut.txt', Buffer.from('文').subarray(0, 2), /is not UTF-8/],
    ['cut.txt', Buffer.from('读好').subarray(0, 5), /is UTF-8 that ends in the middle of a character \(5 bytes\); head -c 3 gives/],
    [
      'sjis.txt',
      Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]),
      /would be valid GB18030,.* SHIFT_JIS: if that is what it is, convert it with iconv/,
    ],
    ['gbk.txt', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]), /first wrong byte at 1.*iconv -f GB18030/],
  ];
  for (const [name, bytes, said] of cases) {
    world.put(name, bytes);
    const outcome = await world.call('read_file', { path: name });
    expect(outcome).toMatchObject({ ok: false, content: expect.stringMatching(said) });
    expect(outcome.content).not.toContain('\ufffd');
    expect(outcome.source).toBeUndefined();
  }
});

test('pipes, devices, sockets and folders are refused at once [B-14]', async () => {
  const world = createWorld();
  execFileSync('mkfifo', [join(world.cwd, 'pipe')]);
  mkdirSync(join(world.cwd, 'folder'));
  const server = createServer().listen(join(world.cwd, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  const read = async (path: string) => (await world.call('read_file', { path })).content;
  try {
    expect(await read('pipe')).toBe('pipe: is a named pipe, not a file');
    expect(await read('folder')).toBe('folder: is a folder; list_files shows what is in it');
    expect(await read('socket')).toBe('socket: is a socket, not a file');
    expect(await read('/dev/zero')).toBe('/dev/zero: is a device, not a file');
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test.runIf(process.platform === 'linux')(
  'files of /proc are read though they state no size, and an endless one is bounded [B-14]',
  async () => {
    const world = createWorld();
    expect(await world.call('read_file', { path: '/proc/self/status' })).toMatchObject({
      ok: true,
      content: expect.stringContaining('Name:'),
    });
    expect(await world.call('read_file', { path: '/proc/self/mem' })).toMatchObject({ ok: false });
  },
);

test('a huge file is read in pieces, from any line or character, and never whole [B-14]', async () => {
  const world = createWorld();
  const line = (n: number) => `${String(n).padStart(8, '0')} 数据 😀 ${'x'.repeat(40)}\n`;
  const lines = Array.from({ length: 240_000 }, (_, i) => line(i + 1));
  const text = lines.join('');
  world.put('huge.log', text);
  const read = async (input: object) => (await world.call('read_file', { path: 'huge.log', ...input })).content;
  const bytes = Buffer.byteLength(text);
  expect(await read({ offset: 200_000, limit: 2 })).toBe(
    `huge.log: lines 200000-200001 of a file of ${bytes} bytes; not all of it, go on with offset=200002\n${line(200_000)}${line(200_001)}`,
  );
  expect(await read({ offset: 240_000 })).toBe(`huge.log: line 240000 of a file of ${bytes} bytes\n${line(240_000)}`);
  const at = text.indexOf('😀', 9_000_000);
  const fromInside = await read({ char_offset: at + 1, limit: 1 });
  expect(fromInside.split('\n')[1]).toBe(text.slice(at, text.indexOf('\n', at)));
  expect(fromInside).toMatch(new RegExp(`^huge.log: characters ${at}-`));
  const first = await read({});
  expect(first.length).toBeLessThan(1_100_000);
  const next = Number(/go on with offset=(\d+)\n/.exec(first)?.[1]);
  expect(first.endsWith(line(next - 1))).toBe(true);
  expect(await read({ offset: 240_001 })).toBe(`huge.log: that is past the end; it has 240000 lines, ${text.length} characters`);
});

test('a sparse file of ten gigabytes is told for what it is [B-14]', async () => {
  const world = createWorld();
  const path = world.put('sparse', 'start\n');
  truncateSync(path, 10 * 1024 ** 3);
  expect(await world.call('read_file', { path: 'sparse' })).toMatchObject({
    ok: false,
    content: expect.stringMatching(/sparse: is binary/),
  });
});

test('a file that is not there is told with a name that was perhaps meant', async () => {
  const world = createWorld();
  world.put('src/read-file.ts', 'x');
  const read = async (path: string) => world.call('read_file', { path });
  expect(await read('src/readFile.tsx')).toMatchObject({ ok: false, content: 'src/readFile.tsx: no such file; there is read-file.ts' });
  expect((await read('src/other')).content).toBe('src/other: no such file');
  expect((await read('none/other')).content).toBe('none/other: no such file; its folder does not exist either');
});

test('a link that is turned elsewhere between planning and reading is not followed [S-04]', async () => {
  const world = createWorld();
  world.put('a.txt', 'mine\n');
  world.link('a.txt', 'link');
  writeFileSync(join(world.root, 'secret'), 'secret\n');
  const plan = await world.ready('read_file', { path: 'link' });
  execFileSync('ln', ['-sfn', join(world.root, 'secret'), join(world.cwd, 'link')]);
  expect(await plan.run(new AbortController().signal)).toMatchObject({ ok: false, content: expect.stringMatching(/now leads elsewhere/) });
});

test('an aborted read rejects and nothing else does', async () => {
  const world = createWorld();
  world.put('a.txt', 'x');
  const plan = await world.ready('read_file', { path: 'a.txt' });
  await expect(plan.run(AbortSignal.abort())).rejects.toBeInstanceOf(AbortedError);
});

// --- offloaded bodies --------------------------------------------------------------------------------------------------

test('a body is read back page by page, each within the limit and marked, until all of it was seen [C52, C56]', async () => {
  const world = createWorld({ pageChars: 1_000 });
  const body = Array.from({ length: 300 }, (_, i) => `line ${i + 1} 中文 😀`).join('\n');
  const path = world.retire('abc.txt', body);
  let seen = '';
  for (let input: object = { path }; ; ) {
    const outcome = await world.call('read_file', input);
    expect(outcome).toMatchObject({ ok: true, readBack: true });
    expect(outcome.source).toBeUndefined();
    expect(outcome.content.length).toBeLessThanOrEqual(1_000);
    const [head = '', ...text] = outcome.content.split('\n');
    seen += text.join('\n');
    const [, kind, at] = /go on with (offset|char_offset)=(\d+)$/.exec(head) ?? [];
    if (kind === undefined) break;
    input = { path, [kind]: Number(at) };
  }
  expect(seen).toBe(body);
});

test('a body of a single line is paged by characters [C56]', async () => {
  const world = createWorld({ pageChars: 600 });
  const body = `{"数据":"${'😀x'.repeat(2_000)}"}`;
  const path = world.retire('one.txt', body);
  let seen = '';
  for (let at: number | undefined = 0; at !== undefined; ) {
    const { content } = await world.call('read_file', { path, char_offset: at });
    expect(content.length).toBeLessThanOrEqual(600);
    expect(content.isWellFormed()).toBe(true);
    seen += content.slice(content.indexOf('\n') + 1);
    const next = /go on with char_offset=(\d+)/.exec(content.split('\n')[0] ?? '')?.[1];
    at = next === undefined ? undefined : Number(next);
  }
  expect(seen).toBe(body);
});

test('a body keeps its own line ends and odd characters', async () => {
  const world = createWorld();
  const body = 'a\r\nb\u2028c\0d\r\n';
  const path = world.retire('odd.txt', body);
  expect((await world.call('read_file', { path })).content).toBe(`…/offloaded/odd.txt: lines 1-2 of 2\n${body}`);
});

test('a body that is missing or damaged is said to be', async () => {
  const world = createWorld();
  writeFileSync(join(world.offloaded, 'damaged.txt'), 'not what the hash says');
  const outcome = await world.call('read_file', { path: join(world.offloaded, 'damaged.txt') });
  expect(outcome).toMatchObject({ ok: false, content: expect.stringMatching(/stored there, or it is damaged/) });
});

test('a file is found and read without the pool of threads, whose ways there and back cost more than the looks', async () => {
  const world = createWorld();
  world.put('src/a.txt', 'one\n');
  await world.call('read_file', { path: 'src/a.txt' });
  const requests: string[] = [];
  const hook = createHook({ init: (_, type) => void (type.startsWith('FS') && requests.push(type)) }).enable();
  try {
    expect(await world.call('read_file', { path: 'src/a.txt' })).toMatchObject({ ok: true });
  } finally {
    hook.disable();
  }
  expect(requests).toEqual([]);
});
