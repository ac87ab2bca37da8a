import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOrUnder } from '../../../../src/tools/place/folders.ts';
import { pathProblem } from '../../../../src/tools/place/path-problem.ts';
import { createWorld } from '../world.ts';

test('a folder whose name begins like the working folder is outside of it [S-01]', async () => {
  const world = createWorld();
  for (const path of ['../proj-evil/x', `${world.cwd}X/y`, '..', '../../..', '/etc', 'a/../../x']) {
    const plan = await world.ready('write_file', { path: `${path}/f`, content: '' });
    expect([path, plan.place]).toEqual([path, 'outside']);
  }
});

test('what only looks like a way out stays inside [S-02]', async () => {
  const world = createWorld();
  for (const path of [
    '..hidden/x',
    'a/../b',
    './x',
    '...',
    'a/..b/c',
    `${world.cwd}/x`,
    '../proj/x',
    '中文/文件.txt',
    './~x',
    './$HOME',
    './C:foo',
    'a b',
  ]) {
    const plan = await world.ready('write_file', { path, content: '' });
    expect([path, plan.place]).toEqual([path, 'inside']);
  }
});

test('a path that would need expanding or decoding is refused with the reason, never taken by its letters [S-02, B-15]', async () => {
  const world = createWorld();
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['%2e%2e/x', /%2e is not decoded/],
    ['a/%2E%2E/x', /%2e is not decoded/],
    ['~/x', /~ is not expanded/],
    ['~user/x', /~ is not expanded/],
    ['$HOME/x', /variables are not expanded/],
    [`$${'{HOME}'}/x`, /variables are not expanded/],
    ['%USERPROFILE%\\x', /variables are not expanded/],
    ['C:foo', /Windows path/],
    ['C:\\x', /Windows path/],
    ['\\\\srv\\share', /network and device/],
    ['//srv/share', /network and device/],
    ['\\??\\C:\\x', /network and device/],
    ['a\0b', /NUL/],
    ['file:///etc/passwd', /URL/],
    [`${'d/'.repeat(2_600)}x`, /characters long/],
  ];
  for (const tool of ['read_file', 'write_file', 'edit_file', 'list_files', 'search']) {
    for (const [path, reason] of wrong) {
      const more = { write_file: { content: '' }, edit_file: { old_string: 'a', new_string: 'b' }, search: { pattern: 'x' } }[tool] ?? {};
      expect(await world.refusal(tool, { path, ...more })).toMatch(reason);
    }
  }
});

test('on Windows a drive needs its whole path, and network paths are refused [S-02]', () => {
  expect(pathProblem('C:\\x', 'win32')).toBeUndefined();
  expect(pathProblem('C:foo', 'win32')?.en).toMatch(/whole path/);
  expect(pathProblem('\\\\srv\\share', 'win32')?.en).toMatch(/network/);
});

test('a link is judged and shown by where it leads [S-03]', async () => {
  const world = createWorld();
  mkdirSync(join(world.root, 'etc'));
  writeFileSync(join(world.root, 'etc', 'passwd'), 'secret\n');
  world.link(join(world.root, 'etc'), 'link');
  world.put('real/a.txt', 'a\n');
  world.link('real', 'alias');
  const write = await world.ready('write_file', { path: 'link/x', content: '' });
  expect(write).toMatchObject({ place: 'outside', path: join(world.root, 'etc', 'x'), title: `write_file link/x -> ${world.root}/etc/x` });
  const read = await world.ready('read_file', { path: 'link/passwd' });
  expect(read).toMatchObject({ place: 'outside', title: `read_file link/passwd -> ${world.root}/etc/passwd` });
  expect(await world.ready('read_file', { path: 'alias/a.txt' })).toMatchObject({
    place: 'inside',
    title: 'read_file alias/a.txt -> real/a.txt',
  });
});

test('a link that leads nowhere yet is judged by where a file would come to stand [S-03]', async () => {
  const world = createWorld();
  world.link(join(world.root, 'not-yet', 'x'), 'dangling');
  world.link('../../elsewhere', 'relative');
  expect((await world.ready('write_file', { path: 'dangling', content: '' })).path).toBe(join(world.root, 'not-yet', 'x'));
  expect(await world.ready('write_file', { path: 'relative/y', content: '' })).toMatchObject({
    place: 'outside',
    path: join(world.root, 'elsewhere', 'y'),
  });
});

test('links in a circle, endless names and files taken for folders are told plainly [B-15]', async () => {
  const world = createWorld();
  world.link('b', 'a');
  world.link('a', 'b');
  world.put('file', 'x');
  expect(await world.refusal('read_file', { path: 'a' })).toMatch(/a: its symbolic links go round in a circle/);
  expect(await world.refusal('read_file', { path: 'n'.repeat(300) })).toMatch(/the name is too long/);
  expect(await world.refusal('write_file', { path: 'file/x', content: '' })).toMatch(/a part of the path is a file/);
  expect(await world.refusal('write_file', { path: 'folder/', content: '' })).toMatch(/names a folder/);
});

test('a name with control characters is shown by escapes, in one line [B-15]', async () => {
  const world = createWorld();
  world.put('a\u001b[2J\nb\u202e.txt', 'x\n');
  const plan = await world.ready('read_file', { path: 'a\u001b[2J\nb\u202e.txt' });
  expect(plan.title).toBe('read_file a\\e[2J\\nb\\u{202e}.txt');
  expect((await plan.run(new AbortController().signal)).content).toBe('a\\e[2J\\nb\\u{202e}.txt: line 1 of 1\nx\n');
  expect((await world.call('list_files', {})).content).toContain('\na\\e[2J\\nb\\u{202e}.txt');
});

test("no tool reads, lists, searches or changes SanBot's own files [S-07, S-40]", async () => {
  const world = createWorld();
  writeFileSync(join(world.home, 'config.json'), '{"key":"needle"}\n');
  writeFileSync(join(world.home, 'sessions', 's1', 'log.jsonl'), '{"n":0}\n');
  symlinkSync(world.home, join(world.cwd, 'way-in'));
  symlinkSync(join(world.home, 'config.json'), join(world.cwd, 'video.mp4'));
  const paths = [
    world.home,
    join(world.home, 'config.json'),
    join(world.home, 'sessions/s1/log.jsonl'),
    join(world.home, 'new/file'),
    'way-in',
    'way-in/config.json',
    'way-in/new',
    'video.mp4',
  ];
  const others = { write_file: { content: '' }, edit_file: { old_string: 'a', new_string: 'b' }, search: { pattern: 'x' } };
  for (const path of paths) {
    for (const tool of ['read_file', 'write_file', 'edit_file', 'list_files', 'search'] as const) {
      expect(await world.refusal(tool, { path, ...(tool in others ? others[tool as keyof typeof others] : {}) })).toMatch(
        /SanBot's own folder/,
      );
    }
  }
});

test('the home is refused before it exists, and when the working folder lies above it [S-07]', async () => {
  const bare = createWorld();
  rmSync(bare.home, { recursive: true });
  expect(await bare.refusal('write_file', { path: join(bare.home, 'config.json'), content: '{}' })).toMatch(/SanBot's own folder/);
  const above = createWorld();
  const inside = createWorld({ cwd: above.root, home: above.home, sessionFolder: join(above.home, 'sessions/s1') });
  writeFileSync(join(above.home, 'config.json'), 'needle\n');
  writeFileSync(join(above.root, 'mine.txt'), 'needle\n');
  expect(await inside.refusal('read_file', { path: 'user/.sanbot/config.json' })).toMatch(/SanBot's own folder/);
  expect((await inside.call('search', { pattern: 'needle' })).content).toBe('1 match in 1 file\nmine.txt\n1: needle');
  expect((await inside.call('list_files', {})).content).not.toContain('config.json');
});

test('a folder is known by what it is, not by how it is spelled [S-06]', async () => {
  const world = createWorld();
  symlinkSync(world.home, join(world.root, 'other-spelling'));
  expect(await isOrUnder(join(world.root, 'other-spelling', 'sessions', 'new', 'file'), world.home)).toBe(true);
  expect(await isOrUnder(join(world.root, 'user', 'file'), world.home)).toBe(false);
  expect(await isOrUnder(world.cwd, join(world.root, 'none'))).toBe(false);
});

test('bodies of this session may be read and searched without asking, never changed; those of others not at all [S-40]', async () => {
  const world = createWorld();
  const path = world.retire('abc.txt', 'body text\n');
  expect(await world.ready('read_file', { path })).toMatchObject({ place: 'own_body', path, access: 'read' });
  expect(await world.ready('search', { pattern: 'x', path })).toMatchObject({ place: 'own_body' });
  expect(await world.refusal('write_file', { path, content: '' })).toMatch(/never changed/);
  expect(await world.refusal('edit_file', { path, old_string: 'body', new_string: '' })).toMatch(/never changed/);
  expect(await world.refusal('read_file', { path: join(world.home, 'sessions/s2/offloaded/abc.txt') })).toMatch(/SanBot's own folder/);
  expect(await world.refusal('read_file', { path: join(world.offloaded, '..', 'log.jsonl') })).toMatch(/SanBot's own folder/);
});

test('a body is found also through a link to the home [S-03]', async () => {
  const world = createWorld();
  world.retire('abc.txt', 'body text\n');
  symlinkSync(join(world.root, 'user'), join(world.root, 'alias'));
  const outcome = await world.call('read_file', { path: join(world.root, 'alias/.sanbot/sessions/s1/offloaded/abc.txt') });
  expect(outcome).toMatchObject({ ok: true, readBack: true });
});

test('a link planted among the bodies leads nowhere', async () => {
  const world = createWorld();
  writeFileSync(join(world.root, 'secret'), 'secret\n');
  symlinkSync(join(world.root, 'secret'), join(world.offloaded, 'planted.txt'));
  const outcome = await world.call('read_file', { path: join(world.offloaded, 'planted.txt') });
  expect(outcome).toMatchObject({ ok: false, content: expect.stringMatching(/no result of this session is stored there/) });
});

test('when the working folder is gone every tool says so [D-31]', async () => {
  const world = createWorld();
  rmSync(world.cwd, { recursive: true });
  expect(await world.refusal('read_file', { path: 'a.txt' })).toBe(`read_file: the working folder ${world.cwd} no longer exists`);
  expect(await world.refusal('list_files', {})).toMatch(/no longer exists/);
  expect(await world.call('run_command', { command: 'true' })).toMatchObject({
    ok: false,
    content: expect.stringMatching(/working folder .* no longer exists/),
  });
});
