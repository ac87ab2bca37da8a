import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../world.ts';

const now = () => new AbortController().signal;

test('a new file is shown before and written exactly as given, its folders too', async () => {
  const world = createWorld();
  const content = '第一行\r\n\tsecond\u2028 \u001b[31m\nno end';
  const plan = await world.ready('write_file', { path: 'neu/文件.txt', content });
  expect(plan).toMatchObject({ access: 'write', place: 'inside', title: 'write_file neu/文件.txt', path: join(world.cwd, 'neu/文件.txt') });
  expect(plan.preview).toBe('New file, 3 lines\n+第一行\\r\n+\tsecond\\u{2028} \\e[31m\n+no end');
  expect(readdirSync(world.cwd)).toEqual([]);
  expect(await plan.run(now())).toMatchObject({
    ok: true,
    content: `neu/文件.txt: new file, 3 lines, ${Buffer.byteLength(content)} bytes`,
    note: expect.objectContaining({ en: '3 lines' }),
  });
  expect(world.get('neu/文件.txt')).toBe(content);
  expect(readdirSync(join(world.cwd, 'neu'))).toEqual(['文件.txt']);
});

test('replacing a file shows the difference', async () => {
  const world = createWorld();
  world.put('a.txt', 'one\ntwo\nthree\n');
  const { preview } = await world.ready('write_file', { path: 'a.txt', content: 'one\n2\nthree\n' });
  expect(preview).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three');
  expect((await world.ready('write_file', { path: 'a.txt', content: 'one\ntwo\nthree\n' })).preview).toBe(
    'a.txt stays as it is: the content is the same',
  );
});

test('a preview too long to read says how much it leaves out', async () => {
  const world = createWorld();
  const { preview } = await world.ready('write_file', { path: 'a.txt', content: 'line\n'.repeat(5_000) });
  expect(preview.split('\n')[0]).toBe('New file, 5000 lines (the first 400 lines of this preview, 4600 more are not shown)');
  expect(preview.split('\n')).toHaveLength(401);
  world.put('b.txt', Array.from({ length: 30_000 }, (_, i) => `a${i}\n`).join(''));
  const changed = await world.ready('write_file', { path: 'b.txt', content: Array.from({ length: 30_000 }, (_, i) => `b${i}\n`).join('') });
  expect(changed.preview).toMatch(/^b\.txt: replaced whole, 30000 lines before, 30000 lines after; too different for a diff/);
});

test('a file that changed between the preview and the writing is left alone [C-18]', async () => {
  const world = createWorld();
  const path = world.put('a.txt', 'mine\n');
  const plan = await world.ready('write_file', { path: 'a.txt', content: 'model\n' });
  writeFileSync(path, 'the user was faster\n');
  expect(await plan.run(now())).toMatchObject({
    ok: false,
    content: expect.stringMatching(/^a\.txt: changed on disk since this was prepared/),
  });
  const fresh = await world.ready('write_file', { path: 'b.txt', content: 'model\n' });
  world.put('b.txt', 'the user was faster\n');
  expect(await fresh.run(now())).toMatchObject({ ok: false });
  expect([world.get('a.txt'), world.get('b.txt')]).toEqual(['the user was faster\n', 'the user was faster\n']);
  expect(readdirSync(world.cwd).sort()).toEqual(['a.txt', 'b.txt']);
});

test('a file that changed since the model read it must be read again [C-18]', async () => {
  const world = createWorld();
  world.put('a.txt', 'old\n');
  await world.call('read_file', { path: 'a.txt' });
  world.put('a.txt', 'changed by the user\n');
  expect(await world.refusal('write_file', { path: 'a.txt', content: 'new\n' })).toBe(
    'write_file: a.txt: changed on disk since it was last read; read it again',
  );
  await world.call('read_file', { path: 'a.txt' });
  expect(await world.call('write_file', { path: 'a.txt', content: 'new\n' })).toMatchObject({ ok: true });
  expect(await world.call('write_file', { path: 'a.txt', content: 'newer\n' })).toMatchObject({ ok: true });
});

test('a file of which only a part was read is not written over, until the rest was read too [C51]', async () => {
  const world = createWorld();
  world.put('a.txt', '1\n2\n3\n4\n5\n');
  await world.call('read_file', { path: 'a.txt', offset: 1, limit: 2 });
  await world.call('read_file', { path: 'a.txt', offset: 5 });
  expect(await world.refusal('write_file', { path: 'a.txt', content: 'x' })).toMatch(/only a part of it was read/);
  await world.call('edit_file', { path: 'a.txt', old_string: '1', new_string: 'one' });
  expect(await world.refusal('write_file', { path: 'a.txt', content: 'x' })).toMatch(/only a part of it was read/);
  await world.call('read_file', { path: 'a.txt', offset: 3 });
  await world.call('read_file', { path: 'a.txt', limit: 3 });
  expect(await world.call('write_file', { path: 'a.txt', content: 'x' })).toMatchObject({ ok: true });
});

test('of a huge file never more than a part was read, so it is not written over [C51]', async () => {
  const world = createWorld();
  world.put('huge.log', 'x'.repeat(99).concat('\n').repeat(110_000));
  await world.call('read_file', { path: 'huge.log', limit: 3 });
  expect(await world.refusal('write_file', { path: 'huge.log', content: 'x' })).toMatch(/only a part of it was read/);
  expect(await world.refusal('edit_file', { path: 'huge.log', old_string: 'x', new_string: 'y' })).toMatch(/too large for edit_file/);
});

test('mode, owner and line ends given stay; a link keeps pointing at the file that is replaced [B-20, S-03]', async () => {
  const world = createWorld();
  const path = world.put('run.sh', '#!/bin/sh\n');
  chmodSync(path, 0o755);
  world.link('run.sh', 'link');
  await world.call('write_file', { path: 'link', content: '#!/bin/sh\r\necho\r\n' });
  expect(statSync(path).mode & 0o7777).toBe(0o755);
  expect(world.get('run.sh')).toBe('#!/bin/sh\r\necho\r\n');
  expect(statSync(join(world.cwd, 'link')).ino).toBe(statSync(path).ino);
});

test('read-only, setuid and hard-linked files are not replaced, and told why [B-20]', async () => {
  const world = createWorld();
  for (const [name, mode, why] of [
    ['ro.txt', 0o444, /is read-only \(mode 0444\)/],
    ['suid', 0o4755, /setuid or setgid bit \(mode 4755\)/],
  ] as const) {
    chmodSync(world.put(name, 'kept\n'), mode);
    expect(await world.refusal('write_file', { path: name, content: 'x' })).toMatch(why);
    expect(await world.refusal('edit_file', { path: name, old_string: 'kept', new_string: 'x' })).toMatch(why);
  }
  linkSync(world.put('one', 'kept\n'), join(world.cwd, 'two'));
  expect(await world.refusal('write_file', { path: 'two', content: 'x' })).toMatch(/has 2 hard links/);
  expect([world.get('ro.txt'), world.get('suid'), world.get('one')]).toEqual(['kept\n', 'kept\n', 'kept\n']);
});

test('folders, pipes and devices are not written [B-14]', async () => {
  const world = createWorld();
  mkdirSync(join(world.cwd, 'folder'));
  execFileSync('mkfifo', [join(world.cwd, 'pipe')]);
  expect(await world.refusal('write_file', { path: 'folder', content: 'x' })).toMatch(/folder: is a folder/);
  expect(await world.refusal('write_file', { path: 'pipe', content: 'x' })).toMatch(/pipe: is a named pipe/);
  const device = await world.call('write_file', { path: '/dev/null', content: 'x' });
  expect(device).toMatchObject({ ok: false, content: expect.stringMatching(/is a device/) });
});

test('of a place outside the working folder nothing is told before a person allows it', async () => {
  const world = createWorld();
  writeFileSync(join(world.root, 'secret.txt'), 'the secret\n');
  const edit = { path: '../../secret.txt', old_string: 'guess', new_string: 'x' };
  const plan = await world.ready('edit_file', edit);
  expect(plan).toMatchObject({ place: 'outside', preview: expect.stringMatching(/^Would fail: .*old_string is not in the file/) });
  expect(await plan.run(now())).toMatchObject({ ok: false, content: expect.stringMatching(/old_string is not in the file/) });
});

test('a folder turned into a link between approval and writing is not followed [S-04]', async () => {
  const world = createWorld();
  mkdirSync(join(world.cwd, 'sub'));
  mkdirSync(join(world.root, 'elsewhere'));
  const plan = await world.ready('write_file', { path: 'sub/x', content: 'x' });
  rmSync(join(world.cwd, 'sub'), { recursive: true });
  symlinkSync(join(world.root, 'elsewhere'), join(world.cwd, 'sub'));
  expect(await plan.run(now())).toMatchObject({ ok: false, content: expect.stringMatching(/now leads elsewhere/) });
  expect(readdirSync(join(world.root, 'elsewhere'))).toEqual([]);
});

test('a binary file may be replaced, and the preview says that it is one [B-04]', async () => {
  const world = createWorld();
  world.put('a.bin', Buffer.from([0, 1, 2]));
  const plan = await world.ready('write_file', { path: 'a.bin', content: 'text\n' });
  expect(plan.preview).toMatch(/^Replaces what is there now: the file there is binary \(3 bytes/);
  expect(await plan.run(now())).toMatchObject({ ok: true, content: expect.stringMatching(/; replaced what was there: .* is binary/) });
  expect(world.get('a.bin')).toBe('text\n');
});

test('a file that is written over keeps its encoding, its byte order mark and its line ends, and the result says so [B-45]', async () => {
  const world = createWorld();
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const cases: readonly (readonly [string | Buffer, string, string | Buffer, RegExp])[] = [
    ['a\r\nb\r\n', 'c\nd\n', 'c\r\nd\r\n', /replaced, 2 lines, 6 bytes; kept: CRLF line ends$/],
    ['\ufeffa\n', 'b\n', '\ufeffb\n', /; kept: byte order mark$/],
    ['\ufeffa\n', '\ufeffb\n', '\ufeffb\n', /; kept: byte order mark$/],
    [utf16('a\r\n'), '中\n', utf16('中\r\n'), /; kept: UTF-16LE, byte order mark, CRLF line ends$/],
    [utf16('a\n').swap16(), 'b\n', utf16('b\n').swap16(), /; kept: UTF-16BE, byte order mark$/],
    ['a\r\nb\nc\r\n', 'a\nnew\nb\nc\n', 'a\r\nnew\r\nb\nc\r\n', /; kept: line ends of both kinds$/],
    ['a\n', 'a\r\n', 'a\r\n', /; line ends as given, CRLF; they were LF$/],
    ['a\n', 'b', 'b', /; no line feed at the end, which it had$/],
    ['a\n', 'b\n', 'b\n', /replaced, 1 line, 2 bytes$/],
    ['a', 'b\r\nc\n', 'b\r\nc\n', /bytes$/],
  ];
  for (const [at, [before, content, after, said]] of cases.entries()) {
    const path = `${at}.txt`;
    const whole = world.put(path, before);
    const { ok, content: told } = await world.call('write_file', { path, content });
    expect({ ok, at, bytes: readFileSync(whole) }).toEqual({ ok: true, at, bytes: Buffer.from(after) });
    expect(told).toMatch(said);
  }
});

test('text in another encoding is not written over in UTF-8 [B-45]', async () => {
  const world = createWorld();
  world.put('gbk.txt', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]));
  world.put('wide.txt', Buffer.from('plain latin text\n', 'utf16le'));
  const refusal = (path: string) => world.refusal('write_file', { path, content: 'x\n' });
  expect(await refusal('gbk.txt')).toMatch(/is not UTF-8 .*GB18030.*convert the file first, or remove it/);
  expect(await refusal('wide.txt')).toMatch(/is UTF-16LE text without a mark/);
});

const ignoreSignal = (): void => undefined;

/** Sets how large a file this process may write; the system then refuses as it does on a full disk. */
const limitFiles = (bytes: number | 'unlimited') => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);

test.runIf(process.platform === 'linux')(
  'when the disk takes no more, the old file stays whole and nothing is left beside it',
  async () => {
    const world = createWorld();
    world.put('a.txt', 'old\n');
    const plan = await world.ready('write_file', { path: 'a.txt', content: 'x'.repeat(200_000) });
    // Node ignores this signal only until somebody in the process has listened to it, as the library of prompts does.
    process.on('SIGXFSZ', ignoreSignal);
    limitFiles(8_192);
    const outcome = await plan.run(now()).finally(() => limitFiles('unlimited'));
    process.off('SIGXFSZ', ignoreSignal);
    expect(outcome).toMatchObject({
      ok: false,
      content: expect.stringMatching(/^a\.txt: (?:the file would be larger than this account may write|only \d+ of 200000 bytes)/),
    });
    expect(world.get('a.txt')).toBe('old\n');
    expect(readdirSync(world.cwd)).toEqual(['a.txt']);
  },
);

test('a mark that stands for a secret is never written in its place, nor looked for in the file [C51, S-30]', async () => {
  const world = createWorld();
  world.put('app.env', 'PORT=1\nTOKEN=abc123def456\n');
  const written = await world.plan('write_file', { path: 'app.env', content: 'PORT=2\nTOKEN=[redacted value]\n' });
  const edited = await world.plan('edit_file', { path: 'app.env', old_string: 'TOKEN=[redacted value]', new_string: 'TOKEN=' });
  for (const plan of [written, edited]) expect(JSON.stringify(plan)).toContain('stands for a secret');
  expect(world.get('app.env')).toContain('abc123def456');
  expect((await world.call('edit_file', { path: 'app.env', old_string: 'PORT=1', new_string: 'PORT=2' })).ok).toBe(true);
  expect(world.get('app.env')).toBe('PORT=2\nTOKEN=abc123def456\n');
});

test('what a killed process left half written in a folder goes with the next change there; what is fresh, no file, or not ours stays [D-35]', async () => {
  const world = createWorld();
  const ago = (path: string, minutes: number) => utimesSync(path, new Date(), new Date(Date.now() - minutes * 60_000));
  ago(world.put('sub/.sanbot-0a1b.tmp', 'half'), 11);
  world.put('sub/.sanbot-2c3d.tmp', 'being written');
  ago(world.put('sub/.sanbot-notes.txt', 'mine'), 99);
  ago(world.put('.sanbot-4e5f.tmp', 'in another folder'), 99);
  mkdirSync(join(world.cwd, 'sub', '.sanbot-6a7b.tmp'));
  ago(join(world.cwd, 'sub', '.sanbot-6a7b.tmp'), 99);
  symlinkSync(world.put('kept.txt', 'kept'), join(world.cwd, 'sub', '.sanbot-8c9d.tmp'));
  expect(await world.call('write_file', { path: 'sub/a.txt', content: 'a' })).toMatchObject({ ok: true });
  expect(readdirSync(join(world.cwd, 'sub')).sort()).toEqual([
    ...['.sanbot-2c3d.tmp', '.sanbot-6a7b.tmp', '.sanbot-8c9d.tmp', '.sanbot-notes.txt', 'a.txt'],
  ]);
  expect(readdirSync(world.cwd)).toContain('.sanbot-4e5f.tmp');
});
