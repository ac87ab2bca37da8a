import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { world } from '../support/sandboxed.ts';
import { visibleFolder } from '../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

/** A working folder with another one beside it that was added. */
function withAdded(settings: object = {}) {
  const place = world('auto');
  const added = join(dirname(place.cwd), 'other lib');
  mkdirSync(added);
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.json'), JSON.stringify(settings));
  writeFileSync(join(added, 'a.txt'), 'one\n');
  const say = (text: string, ...more: readonly string[]) => place.run(['-p', text, '--add-dir', added, ...more]);
  return { ...place, added, say };
}

const edits = ['--permission-mode', 'accept-edits'];

describe.skipIf(!works || visibleFolder === undefined)('an added folder (skipped where bubblewrap does not work)', () => {
  test('is read and edited as the working folder is, and an edit in it is undone', async () => {
    const { added, say, run } = withAdded();
    const file = join(added, 'a.txt');
    expect((await say(`read "${file}"`)).out).toContain('one');
    expect((await run(['-p', `read "${file}"`])).out).toContain('Not allowed');
    await say(`edit "${file}": one => two`, ...edits);
    expect(readFileSync(file, 'utf8')).toBe('two\n');
    expect(await run(['changes', '--session', await newest(run), '--restore', '1', '--yes'])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('one\n');
  });

  test('is written by commands in the sandbox, and what they did there comes back, and goes again', async () => {
    const { added, say, run, cwd } = withAdded({ permissions: { sandboxedCommands: 'run' } });
    writeFileSync(join(cwd, 'kept.txt'), 'here\n');
    expect((await say(`run rm "${added}/a.txt" kept.txt`)).out).toContain('exit 0');
    expect(existsSync(join(added, 'a.txt'))).toBe(false);
    const id = await newest(run);
    const listed: readonly object[] = JSON.parse((await run(['changes', '--session', id, '--json'])).out);
    for (const n of listed.map((_, i) => i + 1)) await run(['changes', '--session', id, '--restore', `${n}`, '--yes']);
    expect([readFileSync(join(added, 'a.txt'), 'utf8'), readFileSync(join(cwd, 'kept.txt'), 'utf8')]).toEqual(['one\n', 'here\n']);
    expect((await run(['-p', `run touch "${added}/b.txt"`])).out).not.toContain('exit 0');
  });

  test('has what runs later held: asked about in an edit, and put back after a command', async () => {
    const { added, say } = withAdded({ permissions: { sandboxedCommands: 'run' } });
    expect((await say(`write "${added}/.envrc": x`, ...edits)).out).toContain('Not allowed');
    const ran = await say(`run mkdir "${added}/.husky" && echo x > "${added}/.husky/pre-commit"`);
    expect(`${ran.out}${ran.err}`).toContain('.husky/pre-commit');
    expect(existsSync(join(added, '.husky', 'pre-commit'))).toBe(false);
    writeFileSync(join(added, '.envrc'), 'old');
    await say(`run echo x > "${added}/.envrc"`);
    expect(readFileSync(join(added, '.envrc'), 'utf8')).toBe('old');
  });

  test('obeys the rules for relative paths that forbid, for tools and for commands, and no rule that allows', async () => {
    const { added, say } = withAdded({
      permissions: {
        deny: [{ tool: 'read_file', path: 'private/**' }],
        allow: [{ tool: 'edit_file', path: 'src/**' }],
        sandboxedCommands: 'run',
      },
    });
    for (const name of ['private', 'src']) mkdirSync(join(added, name));
    writeFileSync(join(added, 'private', 'k.txt'), 'hidden words');
    writeFileSync(join(added, 'src', 'k.txt'), 'one');
    expect((await say(`read "${added}/private/k.txt"`)).out).toContain('Not allowed');
    const searched = await say(`run grep -r words "${added}"; ls "${added}"`);
    expect(searched.out).toContain('a.txt');
    expect(searched.out).not.toContain('hidden words');
    expect((await say(`edit "${added}/src/k.txt": one => two`)).out).toContain('Not allowed');
  });
});

test('what is no folder to add is told in one line each, and the settings let the rest work', async () => {
  const { run, added, home, cwd, env } = withAdded();
  symlinkSync(dirname(cwd), join(added, 'up'));
  const wrong = { '/nowhere/at all': 'there is no such folder', [join(added, 'a.txt')]: 'that is a file', [env.HOME ?? '']: 'home folder' };
  for (const [path, why] of Object.entries({ ...wrong, [home]: 'own files', [join(added, 'up')]: 'working folder lies in it' })) {
    const ran = await run(['-p', 'status', '--add-dir', path]);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err.split('\n').filter((line) => line.includes(why))).toHaveLength(1);
  }
  rmSync(join(home, 'config.json'));
  writeFileSync(join(home, 'config.json'), JSON.stringify({ permissions: { folders: ['/nowhere', added] } }));
  const ran = await run(['-p', `read "${added}/a.txt"`]);
  expect(ran.out).toContain('one');
  expect(ran.err).toContain('permissions.folders "/nowhere": there is no such folder');
});

test('the model is told of added folders, once, and of none where there are none', async () => {
  const { added, say, run } = withAdded();
  const log = async () => (await run(['export', '--format', 'jsonl', '--session', await newest(run)])).out;
  await say('status');
  await say('status', '--continue');
  expect((await log()).split('Beside the working folder')).toHaveLength(2);
  expect(await log()).toContain(added);
  await run(['-p', 'status', '--continue']);
  expect(await log()).toContain('No other folders any more.');
});

test('/add-dir adds one to a conversation, whose files @ then names and finds; a wrong one changes nothing', async () => {
  const { added, runAtTerminal } = withAdded();
  writeFileSync(join(added, 'plan of it.md'), 'the plan\n');
  const terminal = await runAtTerminal([]);
  await terminal.waitFor('> ');
  terminal.send('/add-dir\r');
  await terminal.waitFor('No other folder is read');
  terminal.send('/add-dir /nowhere/at all\r');
  await terminal.waitFor('/add-dir "/nowhere/at all": there is no such folder');
  terminal.send(`/add-dir "${added}"\r`);
  await terminal.waitFor(/Read and written like this folder: [^\n]*other lib/);
  terminal.send(`read "${added}/a.txt"\r`);
  await terminal.waitFor(/1\s+one/);
  terminal.send('@planof');
  await terminal.waitFor(/other lib\/plan of it\.md/);
  terminal.send('\x15read a.txt beside @a.txt\r');
  await terminal.waitFor('other lib/a.txt');
  terminal.send('\x15/quit\r');
  expect((await terminal.exit).exitCode).toBe(0);
});

async function newest(run: (args: readonly string[]) => Promise<{ readonly out: string }>): Promise<string> {
  const [first]: readonly { readonly sessionId: string }[] = JSON.parse((await run(['sessions', '--json'])).out);
  return first?.sessionId ?? '';
}
