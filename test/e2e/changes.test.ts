import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

const prompts = [
  'run mkdir -p "源 码"; echo two > "源 码/甲.txt"; rm old.txt',
  'write made.txt: by a tool',
  'run echo three > "源 码/甲.txt"; printf x > "$(printf "evil\\\\033[31m")"',
];

type Row = {
  readonly number: number;
  readonly by: string | null;
  readonly files: readonly { readonly path: string; readonly change: string }[];
};

async function changed() {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  mkdirSync(join(world.cwd, '源 码'));
  writeFileSync(join(world.cwd, '源 码/甲.txt'), 'one\n');
  writeFileSync(join(world.cwd, 'old.txt'), 'old\n');
  for (const [i, prompt] of prompts.entries())
    await world.run(['-p', prompt, '--permission-mode', 'bypass', ...(i === 0 ? [] : ['--continue'])]);
  const session = world.names('sessions')[0] ?? '';
  const file = (name: string): string => join(world.cwd, name);
  const get = (name: string): string | undefined => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined);
  const changes = async (...args: string[]) => world.run(['changes', '--session', session, ...args]);
  const rows = async (...args: string[]): Promise<readonly Row[]> => JSON.parse((await changes('--json', ...args)).out);
  const numberOf = async (text: string): Promise<string> => String((await rows()).find(({ by }) => by?.includes(text))?.number);
  return { world, session, file, get, changes, rows, numberOf };
}

/** The same for all tests that only look. */
let looked: ReturnType<typeof changed> | undefined;
const lookedAt = (): ReturnType<typeof changed> => {
  looked ??= changed();
  return looked;
};

describe('sanbot changes', () => {
  test('lists what each command and edit changed, the newest first, without its lock', async () => {
    const { changes, rows, file } = await lookedAt();
    const all = (await rows()).filter(({ by }) => by !== null);
    expect(all.map(({ by }) => by)).toMatchObject([
      expect.stringContaining('echo three'),
      expect.stringContaining('write_file'),
      expect.stringContaining('rm old.txt'),
    ]);
    expect(all[2]?.files).toEqual([
      { path: file('源 码/甲.txt'), change: 'changed' },
      { path: file('old.txt'), change: 'deleted' },
    ]);
    const { out } = await changes();
    expect(out).toMatch(/# {2}when +changed +by\n *\d+ {2}/);
    expect(out).not.toContain('\u001b');
    expect((await rows('--file', 'old.txt')).map(({ by }) => by)).toEqual([expect.stringContaining('rm old.txt')]);
    expect(await rows('--file', 'nothing')).toEqual([]);
  });

  test('shows differences, with nothing in a name that acts on a terminal', async () => {
    const { changes } = await lookedAt();
    const { out } = await changes('--diff');
    expect(out).toContain('Change of 源 码/甲.txt\n1 - two\n1 + three\n');
    expect(out).toContain('1 - one\n1 + two\n');
    expect(out).toContain('Deleted: old.txt\n1 - old\n');
    expect(out).toMatch(/New: evil\S+31m/);
    expect(out).not.toContain('\u001b');
  });

  test('undoes one change, or only one file of it, and the restore can be undone in its turn', async () => {
    const { world, session, changes, numberOf, get, rows } = await changed();
    const first = await numberOf('rm old.txt');
    expect(await changes('--restore', first)).toMatchObject({ code: 9, err: expect.stringContaining('needs confirmation') });
    const dry = await changes('--restore', first, '--file', 'old.txt', '--dry-run');
    expect([dry.out, get('old.txt')]).toEqual(['Comes back: old.txt\n+ old\n', undefined]);
    const one = await world.runBinary(['changes', '--session', session, '--restore', first, '--file', 'old.txt', '--yes']);
    expect(one).toMatchObject({ code: 0, out: 'Comes back: old.txt\n+ old\nrestored  old.txt\n' });
    expect(get('old.txt')).toBe('old\n');
    const [newest] = await rows();
    expect(newest).toMatchObject({ by: `Undo of ${first}` });
    await changes('--restore', String(newest?.number), '--yes');
    expect(get('old.txt')).toBeUndefined();
  });

  test('leaves what a later change or somebody else touched, and says which, unless all since is undone', async () => {
    const { changes, numberOf, get, file } = await changed();
    const [first, last] = [await numberOf('rm old.txt'), await numberOf('echo three')];
    const alone = await changes('--restore', first, '--yes');
    expect(alone.out).toContain(`left      源 码/甲.txt (changed since by ${last}, $ `);
    expect([get('源 码/甲.txt'), get('old.txt')]).toEqual(['three\n', 'old\n']);
    writeFileSync(file('made.txt'), 'by hand');
    const all = JSON.parse((await changes('--restore', first, '--and-later', '--yes', '--json')).out);
    expect(all.files).toContainEqual({ path: file('made.txt'), name: 'made.txt', outcome: 'left', why: 'changed since, not by SanBot' });
    expect([get('源 码/甲.txt'), get('made.txt')]).toEqual(['one\n', 'by hand']);
  });

  test('refuses what is no change, and what makes no sense together', async () => {
    const { changes, world } = await lookedAt();
    expect(await changes('--restore', '99', '--yes')).toMatchObject({ code: 3, err: expect.stringContaining('There is no change 99') });
    expect(await world.run(['changes', '--restore', '1', '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Add --session'),
    });
    for (const args of [['--yes'], ['--and-later'], ['--dry-run'], ['--restore', '1', '--diff']])
      expect(await changes(...args)).toMatchObject({ code: 2, out: '' });
  });
});

test('a command whose process was killed is listed and can be undone at once', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_SANDBOX: 'off' });
  const file = join(world.cwd, 'old.txt');
  writeFileSync(file, 'old\n');
  await world.runBinary(['-p', 'run rm old.txt; kill -9 $PPID', '--permission-mode', 'bypass']);
  const session = world.names('sessions')[0] ?? '';
  expect((await world.run(['changes', '--session', session])).out).toMatch(/1 +\d+ s ago +1 file deleted +\$ rm old\.txt/);
  expect((await world.run(['changes', '--session', session, '--restore', '1', '--yes'])).out).toContain('restored  old.txt\n');
  expect(readFileSync(file, 'utf8')).toBe('old\n');
});

test('/changes shows a change and undoes it, with a question of its own for what somebody else changed since', async () => {
  const { world, session, file, get } = await changed();
  writeFileSync(file('made.txt'), 'by hand\n');
  const terminal = await world.runAtTerminal(['--resume', session], { columns: 60 });
  await terminal.waitFor(/lists\s+the\s+commands/);
  terminal.send('/changes\r');
  await terminal.waitForScreen('Which change?');
  terminal.send('Write');
  await terminal.waitForScreen(/❯ \d+ .*Write /);
  terminal.send('\r');
  await terminal.waitFor('New: made.txt');
  await terminal.waitForScreen('What should be done?');
  terminal.send('\u001b[B\r');
  await terminal.waitForScreen('made.txt: changed since, not by SanBot');
  terminal.send('\u001b[B\r');
  await terminal.waitFor('removed   made.txt');
  expect(get('made.txt')).toBeUndefined();
  terminal.send('/diff\r');
  await terminal.waitFor('+ three');
  terminal.send('/quit\r');
  expect(await terminal.exit).toMatchObject({ exitCode: 0 });
});

test('/changes is a numbered list with --plain, where a line chooses', async () => {
  const { world, session, numberOf } = await lookedAt();
  const first = await numberOf('rm old.txt');
  const terminal = await world.runAtTerminal(['--plain', '--resume', session]);
  await terminal.waitFor(/lists\s+the\s+commands/);
  terminal.send('/changes\r');
  await terminal.waitFor('Number, letter or words:');
  terminal.send(`${first}\r`);
  await terminal.waitFor('Deleted: old.txt');
  await terminal.waitFor(/1 Undo this\s+2 Undo this and everything since\s+3 Leave all as it is\s+4 Undo it in one file/);
  terminal.send('\r');
  terminal.send('/quit\r');
  expect(await terminal.exit).toMatchObject({ exitCode: 0 });
});

test('Chinese has all of it, in 40 columns too', async () => {
  const { world, session, numberOf } = await lookedAt();
  const env = { SANBOT_LANGUAGE: 'zh', COLUMNS: '40' };
  const { out } = await world.run(['changes', '--session', session], { env });
  expect(out).toContain('来源');
  const back = await world.run(['changes', '--session', session, '--restore', await numberOf('rm old.txt'), '--dry-run'], { env });
  expect(back).toMatchObject({ code: 0, err: '' });
  expect(back.out).toContain('恢复 old.txt');
  expect(back.out).toContain('源 码/甲.txt：此后被');
});
