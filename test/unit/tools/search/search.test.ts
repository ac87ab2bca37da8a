import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { leftOutNotes, unwalkedIn } from '../../../../src/tools/search/left-out.ts';
import { createWorld } from '../world.ts';

test('matches stand below their files with line numbers, counted in the first line', async () => {
  const world = createWorld();
  world.put('src/a.ts', 'const x = 1;\n// 数据 here\nconst y = x;\n');
  world.put('b.txt', 'x\n');
  expect(await world.call('search', { pattern: '\\bx\\b' })).toEqual({
    ok: true,
    content: '3 matches in 2 files\nb.txt\n1: x\nsrc/a.ts\n1: const x = 1;\n--\n3: const y = x;',
    note: expect.objectContaining({ en: '3 matches in 2 files' }),
  });
  expect((await world.call('search', { pattern: '数据', path: 'src' })).content).toBe('1 match in 1 file\nsrc/a.ts\n2: // 数据 here');
  expect(await world.call('search', { pattern: 'nothing like it' })).toEqual({
    ok: true,
    content: 'no matches in .',
    note: expect.objectContaining({ en: 'no matches' }),
  });
});

test('context, case, glob and a single file narrow and widen the search', async () => {
  const world = createWorld();
  world.put('a.ts', '1\n2\nHit\n4\n5\n6\n7\nhit\n');
  world.put('a.md', 'hit\n');
  world.put('.git/config', 'hit\n');
  const search = async (input: object) => (await world.call('search', input)).content;
  expect(await search({ pattern: 'hit', glob: '*.ts', ignore_case: true, context: 1 })).toBe(
    '2 matches in 1 file\na.ts\n2- 2\n3: Hit\n4- 4\n--\n7- 7\n8: hit',
  );
  expect(await search({ pattern: 'hit', glob: '!*.ts' })).toBe('1 match in 1 file\na.md\n1: hit');
  expect(await search({ pattern: 'hit', path: 'a.md' })).toBe('1 match in 1 file\na.md\n1: hit');
  expect(await search({ pattern: 'hit', path: '.git' })).toBe('1 match in 1 file\n.git/config\n1: hit');
  expect(await search({ pattern: '6$' })).toBe('1 match in 1 file\na.ts\n6: 6');
});

test('what was not searched is counted and named, with the reason [B-40]', async () => {
  const world = createWorld();
  world.put('nul/a.log', 'first\n\0\nneedle\n');
  world.put('b.bin', Buffer.from([0, 1, 2]));
  world.put('wide.txt', Buffer.from('a needle without a mark\n', 'utf16le'));
  world.put('marked.txt', Buffer.from('\ufeffa needle\n', 'utf16le'));
  world.put('gbk.txt', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]));
  world.put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
  world.put('sub/.gitignore', 'out/\n*.tmp\n');
  world.put('sub/out/x.txt', 'needle\n');
  world.put('sub/x.tmp', 'needle\n');
  world.put('.env', 'needle=1\n');
  world.link('marked.txt', 'link');
  execFileSync('mkfifo', [join(world.cwd, 'pipe')]);
  const search = async (input: object) => (await world.call('search', input)).content;
  const unsearched =
    'not searched: 2 ignored (sub/out/ sub/x.tmp), 1 held back, since such files hold secrets (.env), 1 link (link), 1 that is no plain file (pipe)';
  const others = 'not UTF-8 text, and without a match as what they seem to be';
  expect((await search({ pattern: 'needle' })).split('\n')).toEqual([
    expect.stringMatching(/^1 match in 1 file; also in 2 files that are not UTF-8 text, as what they seem to be: /),
    'marked.txt',
    '1: a needle',
  ]);
  expect(await search({ pattern: 'needle' })).toContain('nul/a.log (binary)');
  expect(await search({ pattern: 'needle' })).toContain('wide.txt (utf-16le)');
  expect(await search({ pattern: 'needle' })).toContain(unsearched);
  expect(await search({ pattern: '你好' })).toMatch(/^no matches in \.; also in 1 file that is not UTF-8 text, .*: gbk.txt \(gb18030\); /);
  expect(await search({ pattern: 'café' })).toMatch(/^no matches in \.; also in 1 file .*: latin.txt \(latin1\); /);
  expect(await search({ pattern: 'absent', glob: '*.bin' })).toBe(
    `no matches in .; ${others}: b.bin (binary); ${unsearched.replace(/2 ignored.*?, 1 held/, '1 ignored (sub/out/), 1 held').replace(', 1 held back, since such files hold secrets (.env)', '')}`,
  );
  expect(await search({ pattern: 'needle', path: 'wide.txt' })).toMatch(
    /^no matches in wide\.txt; also in 1 file .*wide\.txt \(utf-16le\)/,
  );
  expect(await search({ pattern: 'needle', path: 'sub/x.tmp' })).toBe('1 match in 1 file\nsub/x.tmp\n1: needle');
});

test('what may not be read is counted too, and so is how far was counted; of git only who asks for it is told [B-40]', async () => {
  const world = createWorld();
  for (const name of ['a.txt', 'shut.txt', 'locked/in.txt', '.git/config']) world.put(name, 'needle\n');
  const mayRead = (path: string): boolean => !/shut|locked/.test(path);
  const unwalked = unwalkedIn(world.cwd, new Set(['a.txt']), (path) => path === '.git', mayRead);
  expect(unwalked).toMatchObject({ ignored: [], closed: ['locked/', 'shut.txt'], isAll: true });
  const odd = { matching: [], others: [], unsearched: [] };
  expect(leftOutNotes({ ...unwalked, secrets: [], odd, isWhole: true })).toEqual([
    'not searched: 2 that may not be read (locked/ shut.txt)',
  ]);
  const many = new Set(Array.from({ length: 2_001 }, (_, at) => `${at}/x`));
  expect(leftOutNotes({ ...unwalkedIn(world.cwd, many, () => true), secrets: [], odd, isWhole: true })).toEqual([
    'what was not searched is counted in the first 2,000 folders only',
  ]);
  expect((await world.call('search', { pattern: 'absent' })).content).toBe('no matches in .');
  expect((await world.call('search', { pattern: 'absent', glob: '.git/*' })).content).toBe(
    'no matches in .; not searched: 1 ignored (.git/)',
  );
});

test('a private key in UTF-16 is masked like any other', async () => {
  const world = createWorld();
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const key = `-----BEGIN PRIVATE KEY-----\n${line}\n${line}\n-----END PRIVATE KEY-----\n`;
  world.put('wide.txt', Buffer.from(`\ufeff第一行\n${key}`, 'utf16le'));
  world.put('marked.txt', `\ufeff第一行\n${key}`);
  const { content } = await world.call('search', { pattern: 'MIIEvQ' });
  expect(content).not.toContain('MIIEvQIBADAN');
  expect(content).toContain('[redacted private key]');
});

test('patterns over several lines and in files with CRLF are found', async () => {
  const world = createWorld();
  world.put('a.txt', 'one\r\ntwo\r\nthree\r\n');
  world.put('b.txt', 'one\ntwo\n');
  const search = async (pattern: string) => (await world.call('search', { pattern })).content;
  expect(await search('two$')).toBe('2 matches in 2 files\na.txt\n2: two\nb.txt\n2: two');
  expect(await search('one\\r?\\ntwo')).toBe('2 matches in 2 files\na.txt\n1: one\n2: two\nb.txt\n1: one\n2: two');
  expect(await search('one\ntwo')).toMatch(/^1 match in 1 file\nb\.txt/);
});

test('a pattern, a path or a glob is never an option, and no configuration is read [S-21]', async () => {
  const world = createWorld({ env: { PATH: process.env.PATH, RIPGREP_CONFIG_PATH: '/tmp/none', HOME: '/nowhere' } });
  const marker = join(world.root, 'executed');
  const script = world.put('x.sh', `#!/bin/sh\ntouch ${marker}\ncat\n`, 0o755);
  const config = world.put('ripgreprc', `--pre=${script}\n`);
  const configured = createWorld({ cwd: world.cwd, env: { PATH: process.env.PATH, RIPGREP_CONFIG_PATH: config } });
  world.put('-rf', 'hit --pre=./x.sh here\n');
  world.put('--output=x', 'hit\n');
  const search = async (input: object) => (await configured.call('search', input)).content;
  expect(await search({ pattern: '--pre=./x.sh' })).toMatch(/^1 match in 1 file\n-rf\n1: hit --pre/);
  expect(await search({ pattern: '-f/etc/passwd' })).toBe('no matches in .');
  expect(await search({ pattern: 'hit', path: '-rf' })).toBe('1 match in 1 file\n-rf\n1: hit --pre=./x.sh here');
  expect(await search({ pattern: 'hit', path: '--output=x' })).toBe('1 match in 1 file\n--output=x\n1: hit');
  expect(await search({ pattern: 'hit', glob: '--pre=./x.sh' })).toMatch(/^no matches/);
  expect(existsSync(marker)).toBe(false);
});

test("a wrong pattern is told in ripgrep's own words", async () => {
  const world = createWorld();
  const outcome = await world.call('search', { pattern: 'a(b' });
  expect(outcome).toMatchObject({
    ok: false,
    note: expect.objectContaining({ en: 'not searched' }),
    content: expect.stringMatching(/unclosed group/),
  });
  expect(await world.call('search', { pattern: '(?=a)b' })).toMatchObject({ ok: false, content: expect.stringMatching(/look-around/) });
  expect(await world.call('search', { pattern: 'a', path: 'none' })).toMatchObject({ ok: false, content: 'none: no such file or folder' });
});

test('a pattern that makes other engines run for ever is searched like any other [B-16]', async () => {
  const world = createWorld();
  world.put('a.txt', `${'a'.repeat(50_000)}b\n`);
  expect(await world.call('search', { pattern: '(a+)+$' })).toMatchObject({ ok: true, content: 'no matches in .' });
});

test('a very long line is cut around its matches, with their places [B-16]', async () => {
  const world = createWorld();
  world.put('min.js', `${'x'.repeat(300_000)}中needle中${'y'.repeat(300_000)}needle${'z'.repeat(300_000)}\n`);
  const { content } = await world.call('search', { pattern: 'needle' });
  const [head, name, first = '', second = ''] = content.split('\n');
  expect([head, name]).toEqual(['2 matches in 1 file', 'min.js']);
  expect(first).toMatch(/^1: …x+中needle中y+… \(character 300001 of the line\)$/);
  expect(second).toMatch(/^1: …y+needlez+… \(character 600008 of the line\)$/);
  expect(content.length).toBeLessThan(1_200);
});

test('more matches than can be shown are counted [C54]', async () => {
  const world = createWorld();
  world.put('a.txt', 'hit\n'.repeat(3_000));
  const { content, note } = await world.call('search', { pattern: 'hit' });
  expect(content.split('\n')[0]).toBe(
    '3000 matches in 1 file; the first 250 are shown; narrow the pattern, the path or the glob for others',
  );
  expect(content.split('\n')).toHaveLength(252);
  expect(note.en).toBe('3000 matches in 1 file');
  world.put('a.txt', 'hit\n'.repeat(200_000));
  expect((await world.call('search', { pattern: 'hit' })).content).toMatch(/^more than 10000 matches in 1 file; the first 250 are shown/);
});

test('a search that is aborted rejects', async () => {
  const world = createWorld();
  world.put('a.txt', 'hit\n');
  const plan = await world.ready('search', { pattern: 'hit' });
  const abort = new AbortController();
  const running = plan.run(abort.signal);
  abort.abort();
  await expect(running).rejects.toBeInstanceOf(AbortedError);
});

test('names with line feeds and bytes that are no UTF-8 do not break the result [B-15, B-04]', async () => {
  const world = createWorld();
  world.put('a\nb.txt', 'hit\n');
  world.put('latin.txt', Buffer.concat([Buffer.from('hit '), Buffer.from([0xe9]), Buffer.from('\n')]));
  world.put('bin', Buffer.concat([Buffer.from('hit\n'), Buffer.alloc(10)]));
  const { content } = await world.call('search', { pattern: 'hit' });
  expect(content).toContain('a\\nb.txt\n1: hit');
  expect(content).toContain('latin.txt\n1: hit \ufffd');
});

// --- offloaded bodies --------------------------------------------------------------------------------------------------

test('a body is searched also when it was retired, and the result counts as read back [C52]', async () => {
  const world = createWorld({ pageChars: 1_000 });
  const path = world.retire('abc.txt', `first\n${'filler\n'.repeat(500)}the 数据 line\u0000 with NUL\n`);
  const outcome = await world.call('search', { pattern: '数据', path });
  expect(outcome).toMatchObject({ ok: true, readBack: true, note: expect.objectContaining({ en: '1 match in 1 file' }) });
  expect(outcome.content).toBe(`1 match in 1 file\n…/offloaded/abc.txt\n502: the 数据 line\u0000 with NUL`);
  const many = await world.call('search', { pattern: 'filler', path });
  expect(many.content.length).toBeLessThanOrEqual(1_000);
  expect(many.content).toMatch(/^500 matches in 1 file; the first \d+ are shown/);
});

test('the place of a match in a body of one line is where read_file can start [C56]', async () => {
  const world = createWorld();
  const line = `{"数":"${'中'.repeat(20_000)}","error":"E42 happened 😀"}`;
  for (const body of [line, `先\nsecond\n${line}\nlast\n`]) {
    const path = world.retire('one.txt', body);
    const { content } = await world.call('search', { pattern: 'E42', path });
    const at = Number(/\(character (\d+) of the text\)/.exec(content)?.[1]);
    expect(at).toBe(body.indexOf('E42'));
    expect((await world.call('read_file', { path, char_offset: at })).content).toContain('\nE42 happened');
  }
});

test('all bodies of the session can be searched together', async () => {
  const world = createWorld();
  writeFileSync(join(world.offloaded, 'a.txt'), 'needle one\n');
  writeFileSync(join(world.offloaded, 'b.txt'), 'nothing\n');
  const outcome = await world.call('search', { pattern: 'needle', path: world.offloaded });
  expect(outcome).toMatchObject({
    ok: true,
    readBack: true,
    content: `1 match in 1 file\n${join(world.offloaded, 'a.txt')}\n1: needle one`,
  });
});

test('a search of a folder leaves out files that hold keys or passwords; one that is named is searched once it was allowed', async () => {
  const world = createWorld();
  for (const path of ['.env', 'sub/.env.local', 'sub/key.pem', '.aws/credentials', 'sub/.ENV', 'a.ts']) world.put(path, 'needle\n');
  expect((await world.call('search', { pattern: 'needle' })).content).toBe(
    '1 match in 1 file; not searched: 5 held back, since such files hold secrets (.aws/credentials .env sub/.ENV sub/.env.local sub/key.pem)\na.ts\n1: needle',
  );
  expect((await world.call('search', { pattern: 'needle', glob: '.env' })).content).toMatch(/^no matches/);
  expect((await world.ready('search', { pattern: 'needle', path: '.env' })).caution).toMatchObject({
    why: { en: 'such files hold keys or passwords' },
    eachTime: false,
  });
  expect((await world.call('search', { pattern: 'needle', path: '.env' })).content).toMatch(/^1 match/);
});
