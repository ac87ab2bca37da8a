import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { hooks, hostile, offline, repository } from '../support/trust.ts';

const setting = async (world: Sandbox, key: string, more: Parameters<Sandbox['run']>[1] = {}) => {
  const rows: readonly { readonly key: string; readonly value: unknown }[] = JSON.parse(
    (await world.run(['config', 'show', '--json'], more)).out,
  );
  return rows.find((row) => row.key === key)?.value;
};

describe('a folder that is not trusted', () => {
  test('sets nothing, runs nothing and stops nothing: one line says what it would set [S-16, S-18, S-19]', async () => {
    const world = hostile();
    const ran = await world.run(['-p', 'status']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.err.split('\n').filter((line) => line.includes('.sanbot.json'))).toEqual([
      `sanbot: ${join(world.cwd, '.sanbot.json')} is not used, since you have not trusted this folder; it would set compaction.maxMessages, a SessionStart hook. sanbot trust add shows what it asks for.`,
    ]);
    expect(existsSync(join(world.cwd, 'hooked'))).toBe(false);
    expect(await setting(world, 'compaction.maxMessages')).toBe(80);
  });

  test.each(['{ "compaction": ', '[]', '{"compaction":{"maxMesages":10}}', '{"model":{"contextWindow":"wide"}}', '\u0000'])(
    'whose settings are %j lets everything start all the same',
    async (text) => {
      const world = createSandbox(offline);
      writeFileSync(join(world.cwd, '.sanbot.json'), text);
      for (const args of [['-p', 'status'], ['history'], ['clean', '--dry-run'], ['config', 'show'], ['memory', 'list']])
        expect(await world.run(args), args.join(' ')).toMatchObject({ code: 0 });
      // Asked to check it, it is judged.
      expect((await world.run(['config', 'validate'])).code).toBe(2);
      expect((await world.run(['-p', 'status', '--trust'])).code).toBe(2);
    },
  );

  test('whose settings are a folder or a link to nowhere stops nothing', async () => {
    const world = createSandbox(offline);
    mkdirSync(join(world.cwd, '.sanbot.json', 'more'), { recursive: true });
    const ran = await world.run(['-p', 'status']);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('is not used, since you have not trusted this folder');
  });

  test('is still one when --trust was for another run', async () => {
    const world = hostile();
    expect((await world.run(['-p', 'status', '--trust'])).code).toBe(0);
    expect(existsSync(join(world.cwd, 'hooked'))).toBe(true);
    expect(await setting(world, 'compaction.maxMessages')).toBe(80);
  });

  test('deletes no snapshot, trusted or not, and masks secrets all the same', async () => {
    const world = createSandbox(offline);
    await world.run(['-p', 'status']);
    const [id = ''] = world.names('sessions');
    await world.run(['-p', 'list', '--continue']);
    for (const _ of [1, 2]) await world.run(['compact', '--session', id]);
    const snapshots = () => world.names('memory/session-summaries');
    const before = snapshots();
    writeFileSync(
      join(world.cwd, '.sanbot.json'),
      JSON.stringify({ compaction: { snapshotMaxBytes: 0, snapshotRetentionDays: 0 }, agent: { redactSecrets: false } }),
    );
    writeFileSync(join(world.cwd, 'keys.txt'), `token=ghp_${'a1B2'.repeat(9)}\n`);
    for (const more of [[], ['--trust']]) {
      const ran = await world.run(['-p', 'read keys.txt', ...more]);
      expect(ran.out).toContain('[redacted');
      expect(ran.out).not.toContain('ghp_a1B2');
    }
    await world.run(['clean']);
    expect(snapshots()).toEqual(before);
  });
});

describe('sanbot trust', () => {
  test('add needs a yes, shows what it is for, and holds from then on', async () => {
    const world = hostile({ compaction: { maxMessages: 9 }, hooks, model: { apiKey: 'theirs' } });
    writeFileSync(join(world.cwd, 'AGENTS.md'), 'Say hello.');
    const asked = await world.run(['trust', 'add']);
    expect(asked).toMatchObject({ code: 9 });
    expect(asked.out).toBe(
      [
        `You have not trusted ${world.cwd}. Its files ask SanBot to use:`,
        '  settings:',
        '    compaction.maxMessages',
        '  ignored settings:',
        '    model.apiKey (yours alone to set)',
        '  hooks (commands that run by themselves):',
        '    SessionStart: touch hooked',
        '  instruction files:',
        '    AGENTS.md',
        '',
      ].join('\n'),
    );
    expect(await setting(world, 'compaction.maxMessages')).toBe(80);
    expect((await world.run(['trust', 'add', '--yes'])).code).toBe(0);
    expect(await setting(world, 'compaction.maxMessages')).toBe(9);
    await world.run(['-p', 'status']);
    expect(existsSync(join(world.cwd, 'hooked'))).toBe(true);
    expect((await world.run(['trust', 'list'])).out).toContain(world.cwd.slice(0, 20));
    expect(JSON.parse((await world.run(['trust', 'list', '--json'])).out)).toMatchObject([{ folder: world.cwd, repository: null }]);
    expect((await world.run(['trust', 'remove'])).code).toBe(0);
    expect(await setting(world, 'compaction.maxMessages')).toBe(80);
    expect((await world.run(['trust', 'remove'])).code).toBe(3);
  });

  test('hooks that change need a new yes, instructions and settings need none [S-17]', async () => {
    const world = hostile();
    await world.run(['trust', 'add', '--yes']);
    writeFileSync(
      join(world.cwd, '.sanbot.json'),
      JSON.stringify({ compaction: { maxMessages: 11 }, hooks: { SessionStart: ['touch other'] } }),
    );
    const ran = await world.run(['-p', 'status']);
    expect(ran.err).toContain('hooks.SessionStart is not run: its hooks have changed since you trusted this folder.');
    expect(existsSync(join(world.cwd, 'other'))).toBe(false);
    expect(await setting(world, 'compaction.maxMessages')).toBe(11);
    await world.run(['trust', 'add', '--yes']);
    await world.run(['-p', 'status']);
    expect(existsSync(join(world.cwd, 'other'))).toBe(true);
  });

  test('goes by the real path and the repository: a link leads to it, a nested repository and another one in its place have none [S-17]', async () => {
    const world = hostile({ compaction: { maxMessages: 9 } });
    repository(world.cwd, 'https://user:secret@git.example/a.git');
    await world.run(['trust', 'add', '--yes']);
    expect(world.read('trusted.json')).toContain('https://git.example/a.git');
    expect(world.read('trusted.json')).not.toContain('secret');
    const inside = join(world.cwd, 'packages', 'one');
    mkdirSync(inside, { recursive: true });
    const nested = join(world.cwd, 'vendor', 'theirs');
    repository(nested, 'https://git.example/theirs.git');
    for (const folder of [inside, nested]) writeFileSync(join(folder, '.sanbot.json'), JSON.stringify({ compaction: { maxMessages: 13 } }));
    const link = join(world.cwd, '..', 'link');
    symlinkSync(world.cwd, link);
    const inFolder = (cwd: string) => setting(world, 'compaction.maxMessages', { cwd });
    expect(await inFolder(world.cwd)).toBe(9);
    expect(await inFolder(link)).toBe(9);
    expect(await inFolder(inside)).toBe(13);
    expect(await inFolder(nested)).toBe(80);
    const worktree = join(world.cwd, '..', 'worktree');
    mkdirSync(worktree);
    writeFileSync(join(worktree, '.git'), `gitdir: ${join(world.cwd, '.git')}\n`);
    writeFileSync(join(worktree, '.sanbot.json'), JSON.stringify({ compaction: { maxMessages: 17 } }));
    expect(await inFolder(worktree)).toBe(80);
    repository(world.cwd, 'https://git.example/another.git');
    expect(await inFolder(world.cwd)).toBe(80);
  });

  test('survives a new container: the same path and repository, all else new', async () => {
    const world = hostile({ compaction: { maxMessages: 9 } });
    repository(world.cwd, 'git@git.example:a.git');
    await world.run(['trust', 'add', '--yes']);
    renameSync(world.cwd, `${world.cwd}-before`);
    mkdirSync(world.cwd);
    repository(world.cwd, 'git@git.example:a.git');
    writeFileSync(join(world.cwd, '.sanbot.json'), JSON.stringify({ compaction: { maxMessages: 10 } }));
    expect(await setting(world, 'compaction.maxMessages')).toBe(10);
  });

  test('nothing is trusted when its file cannot be read, and it is not overwritten', async () => {
    const world = hostile();
    await world.run(['trust', 'add', '--yes']);
    writeFileSync(join(world.home, 'trusted.json'), '{ broken');
    const ran = await world.run(['-p', 'status']);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('trusted.json cannot be read, so no folder counts as trusted');
    expect(existsSync(join(world.cwd, 'hooked'))).toBe(false);
    expect((await world.run(['trust', 'add', '--yes'])).code).toBe(8);
    expect(world.read('trusted.json')).toBe('{ broken');
  });
});

describe('instruction files of a folder that is not trusted', () => {
  /** The log of the one session that is there, which is then removed. */
  const takeLog = async (world: Sandbox): Promise<string> => {
    const [id = ''] = world.names('sessions');
    const log = world.read(`sessions/${id}/log.jsonl`);
    await world.run(['sessions', 'delete', id, '--yes']);
    return log;
  };

  test('are read where nobody can be asked, and named; not in bypass mode', async () => {
    const world = createSandbox(offline);
    writeFileSync(join(world.cwd, 'AGENTS.md'), 'The word is heron.');
    const read = await world.run(['-p', 'status']);
    expect(read.err).toContain('sanbot: Instructions are read from AGENTS.md, though you have not trusted this folder.\n');
    expect(await takeLog(world)).toContain('The word is heron.');
    const bypassed = await world.run(['-p', 'status', '--permission-mode', 'bypass']);
    expect(bypassed.err).toContain('sanbot: Instructions in AGENTS.md are not read: in bypass mode only those of a trusted folder are');
    expect(await takeLog(world)).not.toContain('heron');
    await world.run(['-p', 'status', '--permission-mode', 'bypass', '--trust']);
    expect(await takeLog(world)).toContain('heron');
  });

  test('at a terminal wait for a yes, which is given once', async () => {
    const world = createSandbox(offline);
    writeFileSync(join(world.cwd, 'AGENTS.md'), 'The word is heron.');
    const refused = await world.runAtTerminal([]);
    await refused.waitFor('Trust this folder?');
    refused.send('\r');
    await refused.waitFor('Not trusted: nothing of it is used.');
    await refused.waitFor('> ');
    refused.send('status\r');
    await refused.waitFor('1 step');
    refused.send('/quit\r');
    await refused.exit;
    expect(await takeLog(world)).not.toContain('heron');
    const trusted = await world.runAtTerminal([]);
    await trusted.waitFor('Trust this folder?');
    trusted.send('y\r');
    await trusted.waitFor('> ');
    trusted.send('status\r');
    await trusted.waitFor('1 step');
    trusted.send('/quit\r');
    await trusted.exit;
    expect(await takeLog(world)).toContain('heron');
    const known = await world.runAtTerminal([]);
    await known.waitFor('> ');
    known.send('/quit\r');
    await known.exit;
    expect(known.text()).not.toContain('Trust this folder?');
  });
});

test('only a folder that is there can be trusted, and one that asks for nothing says so', async () => {
  const world = createSandbox(offline);
  const missing = join(world.cwd, 'missing');
  writeFileSync(join(world.cwd, 'file'), '');
  for (const path of [missing, join(world.cwd, 'file')])
    expect(await world.run(['trust', 'add', path, '--yes'])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining(`There is no folder ${path}\n`),
    });
  expect(await world.run(['trust', 'list', '--json'])).toMatchObject({ code: 0, out: '[]\n' });
  expect((await world.run(['trust', 'add', '--yes'])).out).toContain(
    `You have not trusted ${world.cwd}. Its files ask for nothing so far.\n`,
  );
});
