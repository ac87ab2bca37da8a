import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeSandbox, type Sandbox } from '../../../../../../src/tools/command/sandbox/sandbox.ts';
import { createSessionTemporary, type SessionTemporary } from '../../../../../../src/tools/command/sandbox/temporary/session-temporary.ts';
import { afterThisTest } from '../../../../../support/clean-up.ts';
import { createWorld, type TestWorld } from '../../../world.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

type Made = TestWorld & {
  readonly temporary: SessionTemporary;
  readonly sh: (command: string) => Promise<string>;
  /** What of the session's own folder is not empty, or is no placeholder. */
  readonly own: () => readonly string[];
};

/** The working folder lies below /tmp itself, as those of tests and of mktemp do. */
function world(isHeld = true): Made {
  let made: SessionTemporary | undefined;
  let sandbox: Sandbox | undefined;
  const tools = createWorld((sessionFolder) => {
    const temporary = createSessionTemporary(join(sessionFolder, 'temporary'), () => false);
    made = temporary;
    return {
      temporary,
      sandbox: async () => {
        const probe = isHeld
          ? await probeSandbox({ env: process.env, platform: process.platform, cwd: ofTheUser('sanbot-probe-') })
          : undefined;
        if (probe?.kind === 'works') sandbox ??= probe.sandbox;
        temporary.use(sandbox !== undefined);
        return sandbox;
      },
    };
  });
  if (made === undefined) throw new Error('no folder');
  const temporary = made;
  return {
    ...tools,
    temporary,
    sh: async (command) => (await tools.call('run_command', { command })).content,
    own: () =>
      ['tmp', 'var-tmp'].flatMap((name) =>
        readdirSync(join(temporary.folder, name)).filter((each) => !temporary.placeholders().has(join(temporary.folder, name, each))),
      ),
  };
}

/** Something of the user's own in the real /tmp. */
function ofTheUser(prefix = 'sanbot-user-'): string {
  const folder = realpathSync(mkdtempSync(`/tmp/${prefix}`));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.skipIf(!works)('the temporary folder of a session (skipped where bubblewrap does not work)', () => {
  test.each(['/tmp', '/var/tmp'])('what a command writes to %s is there for the next one and for the file tools', async (at) => {
    const { sh, call, own } = world();
    const name = basename(ofTheUser()).replace('user', 'own');
    await sh(`mkdir ${at}/${name} && echo from a command > ${at}/${name}/x`);
    expect(await sh(`cat ${at}/${name}/x`)).toBe('exit 0\nfrom a command\n');
    expect((await call('read_file', { path: `${at}/${name}/x` })).content).toBe(`${at}/${name}/x: line 1 of 1\nfrom a command\n`);
    expect((await call('write_file', { path: `${at}/${name}/y`, content: 'from a tool\n' })).content).toMatch(`${at}/${name}/y: new file`);
    await call('edit_file', { path: `${at}/${name}/y`, old_string: 'a tool', new_string: 'an edit' });
    expect(await sh(`cat ${at}/${name}/y; cat $TMPDIR/${name}/y`)).toContain('from an edit\n');
    expect((await call('search', { path: at, pattern: 'from an? ' })).content).toContain(`${at}/${name}/y`);
    expect((await call('search', { path: `${at}/${name}/x`, pattern: 'command' })).content).toContain(`${at}/${name}/x`);
    expect((await call('list_files', { path: at })).content).toMatch(new RegExp(`^${at}: 2 files`));
    expect(existsSync(`${at}/${name}`)).toBe(false);
    expect(own()).toEqual([name]);
  });

  test('a file tool that is asked first is the first to find it', async () => {
    const { call, sh } = world();
    const name = basename(ofTheUser()).replace('user', 'first');
    await call('write_file', { path: `/tmp/${name}`, content: 'first\n' });
    expect(existsSync(`/tmp/${name}`)).toBe(false);
    expect(await sh(`cat /tmp/${name}`)).toBe('exit 0\nfirst\n');
  });

  test("the user's own files are read at their names by both, and written by no command", async () => {
    const { sh, call, own, ready } = world();
    const folder = ofTheUser();
    writeFileSync(join(folder, 'a'), 'of the user\n');
    expect(await sh(`grep -r user ${folder}/a`)).toContain('of the user');
    expect((await call('read_file', { path: join(folder, 'a') })).content).toContain('of the user');
    expect(await ready('read_file', { path: join(folder, 'a') })).toMatchObject({ place: 'outside', path: join(folder, 'a') });
    expect(await sh(`echo x > ${folder}/a; echo y > ${folder}/b; rm -rf ${folder}; mv ${folder} /tmp/away`)).toMatch(
      /Read-only file system/,
    );
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('of the user\n');
    expect(own()).toEqual([]);
  });

  test('no name stays that means nothing: when the file has gone, and after a kill', async () => {
    const { sh, own, call, temporary } = world();
    const folder = ofTheUser();
    temporary.prepare(`cat ${folder}/a`, []);
    mkdirSync(join(temporary.folder, 'tmp', basename(folder)));
    // As a process that is killed leaves it: what was prepared is not done.
    const later = createSessionTemporary(temporary.folder, () => false);
    later.use(true);
    expect([...later.placeholders()]).toContain(join(temporary.folder, 'tmp', basename(folder)));
    rmSync(folder, { recursive: true });
    expect([...later.placeholders()]).toEqual([join(temporary.folder, 'tmp', basename(folder))]);
    expect((await call('write_file', { path: folder, content: 'new\n' })).content).toMatch(/: new file/);
    expect(own()).toEqual([basename(folder)]);
    rmSync(join(temporary.folder, 'tmp', basename(folder)));
    later.prepare('true', []).done();
    expect(own()).toEqual([]);
    expect(await sh(`ls -d ${folder}`)).toMatch(/No such file/);
  });

  test("of a name that both have the session's is meant, and the result says so", async () => {
    const { sh, call } = world();
    const folder = ofTheUser();
    const name = basename(folder).replace('user', 'both');
    await sh(`echo of the session > /tmp/${name}`);
    writeFileSync(`/tmp/${name}`, 'of the user\n');
    afterThisTest(() => rmSync(`/tmp/${name}`));
    expect(await sh(`cat /tmp/${name}`)).toContain('of the session');
    const read = (await call('read_file', { path: `/tmp/${name}` })).content;
    expect(read).toBe(`/tmp/${name} (of this session; outside of the sandbox there is another): line 1 of 1\nof the session\n`);
    expect((await call('run_command', { command: `cat /tmp/${name}`, needs: 'everything' })).content).toContain('of the user');
  });

  test('an empty file of its own stays, and so does one that bears the name of what has gone', async () => {
    const { sh, own } = world();
    const folder = ofTheUser();
    await sh(`ls ${folder}`);
    rmSync(folder, { recursive: true });
    await sh(`touch ${folder}`);
    expect(await sh(`ls ${folder}`)).toBe(`exit 0\n${folder}\n`);
    expect(own()).toEqual([basename(folder)]);
  });

  test('sockets, links and what others keep to themselves are not there', async () => {
    const { sh } = world();
    const folder = ofTheUser();
    mkdirSync(join(folder, 'agent'));
    const server = createServer().listen(join(folder, 'agent', 'socket'));
    afterThisTest(() => void server.close());
    const link = `${folder}-link`;
    symlinkSync('/etc', link);
    const foreign = ofTheUser('sanbot-foreign-');
    spawnSync('chown', ['65534:65534', foreign]);
    afterThisTest(() => rmSync(link));
    const seen = await sh(`ls -d ${folder} ${link} ${foreign} /tmp/.X11-unix`);
    expect(seen).not.toMatch(/^\//m);
    expect(seen.match(/No such file/g)?.length).toBe(4);
  });

  test('a link in it leads where it leads for a command, and into nothing of SanBot', async () => {
    const { sh, ready, refusal, home } = world();
    const name = basename(ofTheUser()).replace('user', 'link');
    mkdirSync(join(home, 'memory'), { recursive: true });
    writeFileSync(join(home, 'config.json'), '{}');
    await sh(
      `cd /tmp && mkdir ${name} && cd ${name} && echo x > here && ln -s /tmp/${name}/here one && ln -s ${home}/config.json two && ln -s /etc/hostname three && ln -s ../../../../../config.json four`,
    );
    expect(await ready('read_file', { path: `/tmp/${name}/one` })).toMatchObject({ place: 'temporary', given: `/tmp/${name}/here` });
    expect(await ready('read_file', { path: `/tmp/${name}/three` })).toMatchObject({ place: 'outside', path: '/etc/hostname' });
    for (const link of ['two', 'four']) expect(await refusal('read_file', { path: `/tmp/${name}/${link}` })).toMatch(/SanBot's own folder/);
    expect(await refusal('write_file', { path: `/tmp/${name}/two`, content: '' })).toMatch(/SanBot's own folder/);
  });

  test('the working folder in /tmp is itself, for commands and for tools', async () => {
    const { sh, put, get, call, cwd, ready, own } = world();
    put('a', 'inside\n');
    expect(await sh('cat a; echo b > b')).toContain('inside');
    expect(get('b')).toBe('b\n');
    expect(await ready('read_file', { path: join(cwd, 'b') })).toMatchObject({ place: 'inside' });
    expect((await call('read_file', { path: 'b' })).content).toContain('b: line 1');
    expect(own()).toEqual([]);
  });

  test('the file tools see the real folder where there is no sandbox', async () => {
    const { call, ready, sh } = world(false);
    const name = basename(ofTheUser()).replace('user', 'real');
    afterThisTest(() => rmSync(`/tmp/${name}`, { force: true }));
    await sh(`echo real > /tmp/${name}`);
    expect(await ready('read_file', { path: `/tmp/${name}` })).toMatchObject({ place: 'outside' });
    expect((await call('read_file', { path: `/tmp/${name}` })).content).toContain('real');
  });
});
