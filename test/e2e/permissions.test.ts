import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { allowLasting, config, PROMPT, running, say, talk } from '../support/permissions.ts';
import { sampleOf } from '../support/runs.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { ASKED } from '../support/terminal.ts';

afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

test("a mode is known by Claude Code's names as well, and another word is told the nearest", async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const write = (mode: string, path: string) => world.run(['-p', `write ${path}: x`, '--permission-mode', mode]);
  for (const mode of ['acceptEdits', 'bypassPermissions', 'default', 'plan']) expect((await write(mode, `src/${mode}.ts`)).code).toBe(0);
  expect(['acceptEdits', 'bypassPermissions', 'default', 'plan'].filter((mode) => existsSync(join(world.cwd, `src/${mode}.ts`)))).toEqual([
    'acceptEdits',
    'bypassPermissions',
  ]);
  for (const [mode, hint] of [
    ['acceptEdit', 'Did you mean accept-edits?'],
    ['dontAsk', 'With -p nobody is asked in any mode'],
    ['fast', 'See sanbot --help.'],
  ] as const) {
    const { code, err } = await write(mode, 'never.ts');
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining(`expected one of ask, accept-edits, plan, read-only, bypass, found "${mode}"`),
    ]);
    expect(err.replace(/\s+/g, ' ')).toContain(hint);
  }
  expect((await world.run(['--sandbox', 'onn', '-p', 'hi'])).err).toContain('Did you mean on?');
});

test('a script is told what was denied, and what to write to allow it [S-07]', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const args = ['-p', 'run touch made.txt', '--output-format', 'json'];
  const denied = JSON.parse((await world.run(args)).out).denied;
  expect(denied).toEqual([{ tool: 'run_command', title: 'run_command touch made.txt', allow: 'run_command(touch made.txt)' }]);
  for (const flags of [
    ['--allow', denied[0].allow, '--deny', 'run_command(touch *)'],
    ['--allowedTools', 'Bash(git status:*)', 'Edit'],
  ])
    expect([JSON.parse((await world.run([...args, ...flags])).out).denied.length, existsSync(join(world.cwd, 'made.txt'))]).toEqual([
      1,
      false,
    ]);
  expect(JSON.parse((await world.run([...args, '--allow', denied[0].allow])).out).denied).toEqual([]);
  expect(existsSync(join(world.cwd, 'made.txt'))).toBe(true);
});

describe('what can make something run later [S-07]', () => {
  const names = [
    'package.json',
    'AGENTS.md',
    '.github/workflows/ci.yml',
    'Makefile',
    '.claude/settings.json',
    '.git/hooks/post-merge',
    '.envrc',
  ];
  const bare = ['HEAD', 'config', 'objects/x', 'refs/heads/main', 'sub/HEAD', '.git/hooks/.git/objects/x'];

  test.each(sampleOf([...names, ...bare]))(
    '%s is not written where nobody can be asked, whatever mode and flags say, and the model is told why',
    async (path) => {
      const world = createSandbox();
      const args = ['-p', `write ${path}: x`, '--permission-mode', 'accept-edits', '--allow', 'write_file', '--output-format', 'json'];
      const { code, out } = await world.run(args, { env: { SANBOT_PROVIDER: 'offline' } });
      expect([code, existsSync(join(world.cwd, path))]).toEqual([0, false]);
      expect(out).toMatch(/Not allowed: it needs a person's yes \(.*\), and there is nobody to ask \(no rule or flag covers it\)/);
    },
  );

  test('is written in bypass, and what is harmless in accept-edits', async () => {
    const world = createSandbox();
    const write = (path: string, mode: string) =>
      world.run(['-p', `write ${path}: x`, '--permission-mode', mode], { env: { SANBOT_PROVIDER: 'offline' } });
    await write('package.json', 'bypass');
    await write('src/hooks/use-x.ts', 'accept-edits');
    for (const path of ['package.json', 'src/hooks/use-x.ts']) expect([path, existsSync(join(world.cwd, path))]).toEqual([path, true]);
  });

  test('nor is a script that a hook of the settings runs, whoever set it', async () => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ hooks: { PreCompact: ['sh "$CLAUDE_PROJECT_DIR"/checks/after.sh'] } }));
    for (const path of ['checks/after.sh', './checks/../checks/after.sh']) {
      const ran = await world.run(['-p', `write ${path}: touch trap`, '--permission-mode', 'accept-edits', '--allow', 'write_file']);
      expect(ran.out).toContain('Not allowed');
      expect(ran.out + ran.err).toContain('a hook or an MCP server of the settings runs it');
    }
    expect((await world.run(['-p', 'write checks/other.sh: x', '--permission-mode', 'accept-edits'])).out).not.toContain('Not allowed');
  });

  test('accept-edits is refused in the home and above it', async () => {
    const world = createSandbox();
    for (const cwd of [dirname(world.home), dirname(dirname(world.home)), '/']) {
      const ran = await world.run(['-p', 'write x.txt: x', '--permission-mode', 'accept-edits'], {
        cwd,
        env: { SANBOT_PROVIDER: 'offline' },
      });
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('accept-edits is not available in your home folder or above it')]);
    }
    expect(existsSync(join(dirname(world.home), 'x.txt'))).toBe(false);
  });
});

describe('at a terminal', () => {
  test('a deny rule for a path holds for commands that name it, and where a link leads [S-13]', async () => {
    const world = createSandbox();
    mkdirSync(join(world.cwd, 'real'));
    writeFileSync(join(world.cwd, 'real', 'a.txt'), 'dear moon\n');
    symlinkSync('real', join(world.cwd, 'letters'));
    await world.run(['permissions', 'deny', '*', 'letters/**']);
    const says = async (...say: readonly string[]) =>
      (await world.run(['-p', ...say, '--allow', 'run_command', '--output-format', 'json'], { env: { SANBOT_PROVIDER: 'offline' } })).out;
    for (const command of ['cat letters/a.txt', 'cat real/a.txt', 'cat r*/a.txt', 'cd real && cat a.txt', 'cat < letters/a.txt']) {
      const out = await says(`run ${command}`);
      expect([command, out.includes('a deny rule of the user covers it'), out.includes('dear moon')]).toEqual([command, true, false]);
    }
  });

  test.each([
    'Read(letters)',
    'Read(letters/)',
    'Read(/letters/**)',
    'Read(./letters/a.txt)',
    'Read(src/../letters)',
    'Read(~/project/**)',
    'Read(~/project/letters)',
  ])('--disallowedTools %s holds for what is in the folder, as in Claude Code [S-13]', async (pattern) => {
    const world = createSandbox();
    mkdirSync(join(world.cwd, 'letters'));
    writeFileSync(join(world.cwd, 'letters', 'a.txt'), 'dear moon\n');
    const env = { SANBOT_PROVIDER: 'offline', HOME: dirname(world.cwd), SANBOT_HOME: world.home };
    for (const command of ['cat letters/a.txt', 'cat ~/project/letters/a.txt']) {
      const say = ['-p', `run ${command}`, '--disallowedTools', pattern, '--permission-mode', 'bypass', '--output-format', 'json'];
      const { out } = await world.run(say, { env });
      expect([command, out.includes('a deny rule of the user covers it'), out.includes('dear moon')]).toEqual([command, true, false]);
    }
  });

  test('a rule for a folder holds for the repository that lay there when it was written, and for none put in its place [S-13]', async () => {
    const world = createSandbox();
    const lies = (address: string | undefined) => {
      rmSync(join(world.cwd, '.git'), { recursive: true, force: true });
      if (address === undefined) return;
      mkdirSync(join(world.cwd, '.git'));
      writeFileSync(join(world.cwd, '.git', 'config'), `[remote "origin"]\n\turl = ${address}\n`);
    };
    const isAllowed = async () => {
      const { out } = await world.run(['-p', 'run touch x', '--output-format', 'json'], { env: { SANBOT_PROVIDER: 'offline' } });
      return !out.includes('Not allowed');
    };
    lies('https://user:secret@example.com/mine.git');
    await world.run(['permissions', 'allow', '--here', 'run_command', 'touch x']);
    expect(config(world).permissions.allow).toEqual([
      { tool: 'run_command', command: 'touch x', folder: world.cwd, repository: 'https://example.com/mine.git' },
    ]);
    expect(await isAllowed()).toBe(true);
    for (const other of ['https://example.com/theirs.git', undefined]) {
      lies(other);
      expect(await isAllowed()).toBe(false);
    }
    await world.run(['permissions', 'allow', '--here', 'run_command', 'touch x']);
    expect(config(world).permissions.allow).toEqual([{ tool: 'run_command', command: 'touch x', folder: world.cwd, repository: null }]);
    expect(await isAllowed()).toBe(true);
  });

  test('a yes for always is written as exactly the command, or as the beginning that was picked, and holds in the next run', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    await say(terminal, 'run mkdir -p "a b" && touch x');
    await allowLasting(terminal, 2);
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run git log --oneline');
    await allowLasting(terminal, 3);
    await terminal.waitFor(/[✓✗] \$ git log/);
    await terminal.waitFor(PROMPT);
    const folder = world.cwd;
    expect(config(world).permissions.allow).toEqual([
      { tool: 'run_command', command: 'mkdir -p "a b" && touch x', folder, repository: null },
      { tool: 'run_command', prefix: 'git log', folder, repository: null, scripts: expect.objectContaining({ '.git/config': 'none' }) },
    ]);
    expect(statSync(join(world.home, 'config.json')).mode & 0o777).toBe(0o600);
    terminal.kill();

    const headless = async (command: string) =>
      (await world.run(['-p', `run ${command}`, '--output-format', 'json'], { env: { SANBOT_PROVIDER: 'offline' } })).out;
    for (const command of ['mkdir -p "a b" && touch x', 'git log -1']) expect(await headless(command)).not.toContain('Not allowed');
    for (const command of ['mkdir -p "a b" && touch y', 'git log --output=x', 'git log; touch y', 'git status'])
      expect(await headless(command)).toContain('Not allowed');
    expect(existsSync(join(world.cwd, 'y'))).toBe(false);
  });
});

describe('rules', () => {
  test('come from the user alone: those of a project are left out with a notice [S-18]', async () => {
    const world = createSandbox();
    const permissions = { allow: [{ tool: 'run_command', command: 'touch x' }], readOnlyCommands: 'run' };
    writeFileSync(join(world.cwd, '.sanbot.json'), JSON.stringify({ permissions }));
    for (const trust of [[], ['--trust']]) {
      const ran = await world.run(['-p', 'run touch x', '--output-format', 'json', ...trust], { env: { SANBOT_PROVIDER: 'offline' } });
      expect(ran.out).toContain('Not allowed');
      if (trust.length > 0) expect(ran.err).toContain('permissions.allow is ignored: a project may not decide what runs without asking');
    }
    expect(existsSync(join(world.cwd, 'x'))).toBe(false);
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ permissions }));
    const own = await world.run(['-p', 'run touch x', '--output-format', 'json'], { env: { SANBOT_PROVIDER: 'offline' } });
    expect(own.out).not.toContain('Not allowed');
    expect(readFileSync(join(world.cwd, 'x'), 'utf8')).toBe('');
  });

  test('that forbid hold in bypass too', async () => {
    const world = createSandbox();
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ permissions: { deny: [{ tool: 'run_command', prefix: 'touch' }] } }));
    writeFileSync(join(world.cwd, 's'), 'touch x\n');
    for (const command of ["env A=1 t''ouch x", 'sh s']) {
      const args = ['-p', `run ${command}`, '--permission-mode', 'bypass', '--output-format', 'json'];
      const { out } = await world.run(args, { env: { SANBOT_PROVIDER: 'offline' } });
      expect(out).toContain('a deny rule of the user covers it');
    }
    expect(existsSync(join(world.cwd, 'x'))).toBe(false);
  });

  test('that make no sense are errors with their place', async () => {
    const world = createSandbox();
    mkdirSync(world.home, { recursive: true });
    for (const [rule, message] of [
      [{ tool: 'run_command', command: 'x', prefix: 'y' }, 'only one of'],
      [{ tool: 'run_command', commands: 'x' }, 'only tool, folder, and command'],
      [{ command: 'x' }, 'permissions.allow.0.tool'],
    ] as const) {
      writeFileSync(join(world.home, 'config.json'), JSON.stringify({ permissions: { allow: [rule] } }));
      const { code, err } = await world.run(['config', 'validate']);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('sanbot permissions', () => {
  const run = (world: Sandbox, ...args: readonly string[]) => world.run(['permissions', ...args]);

  test('adds, lists and removes rules, keeps the rest of the file as it is, and says what no rule can do', async () => {
    const world = createSandbox();
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), '{\n  // mine\n  "agent": { "maxSteps": 9 }\n}\n');
    expect(await run(world)).toMatchObject({ code: 0, out: expect.stringContaining('There are no rules.') });
    expect((await run(world, 'allow', 'run_command', 'npm test *')).out).toBe('allow: run_command, begins with: npm test\n');
    expect((await run(world, 'allow', 'run_command', 'npm test *')).code).toBe(0);
    expect((await run(world, 'allow', '--here', 'run_command', 'a\u202eb  ')).out).toContain('exactly: a\\u202eb[2 spaces]');
    expect((await run(world, 'deny', '*', '~/letters/**')).out).toBe('deny: *, paths ~/letters/**\n');
    for (const tool of ['mcp__files__*', 'mcp__*', '*_file', 'mcp__files__read'])
      expect((await run(world, 'ask', tool)).out).toBe(`ask: ${tool}, every call\n`);
    for (let n = 0; n < 4; n++) expect((await run(world, 'remove', '2')).code).toBe(0);
    expect((await run(world, 'readonly', 'run')).code).toBe(0);
    const listed = await run(world);
    expect(listed.out.split('\n').slice(0, 3)).toEqual([
      ' 1  deny   *            paths ~/letters/**',
      ' 2  allow  run_command  begins with: npm test',
      expect.stringMatching(/^ 3 {2}allow {2}run_command {2}exactly: a\\u202eb\[2 spaces\] in \//),
    ]);
    expect(world.read('config.json')).toMatch(/^\{\n {2}\/\/ mine\n {2}"agent": \{\s+"maxSteps": 9\s+\},\n {2}"permissions": \{/);
    expect(JSON.parse((await run(world, '--json')).out)).toMatchObject({
      readOnlyCommands: 'run',
      rules: [{ number: 1, kind: 'deny' }, {}, {}],
    });
    expect((await run(world, 'remove', '2')).out).toBe('Removed: allow run_command, begins with: npm test\n');
    expect((await run(world, 'remove', '7')).code).toBe(3);
    expect(JSON.parse((await run(world, '--json')).out).rules).toHaveLength(2);
  });

  test.each([
    [['allow', 'run_command', 'env *'], '"env" alone says nothing of what would run'],
    [['allow', 'run_command', 'bash *'], '"bash" alone'],
    [['allow', 'run_command', 'git *'], '"git" alone'],
    [['allow', 'run_command', 'npx node *'], '"npx node" alone'],
    [['allow', 'run_command', 'sudo npm test *'], '"sudo npm test" alone'],
    [['allow', 'run_command', 'python3 -c *'], '"python3 -c" alone'],
    [['allow', 'run_command', 'git config *'], '"git config" alone'],
    [['allow', 'run_command'], 'run_command needs a command'],
    [['allow', '*'], '* needs a path'],
    [['allow', 'run_comand', 'ls'], 'Did you mean run_command?'],
    [['allow', 'nope'], 'There is no tool "nope"\n  The tools: read_file, write_file'],
    [['deny', 'nope*'], 'There is no tool "nope*"'],
    [['deny', 'mcp__files'], 'mcp__SERVER__* for all of them'],
    [['readonly', 'always'], 'expected one of ask, run'],
  ])('%j is refused: it would allow nothing', async (args, why) => {
    const world = createSandbox();
    const { code, err } = await run(world, ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
    expect(world.names('.')).not.toContain('config.json');
  });

  test('leaves a settings file that it cannot understand as it is', async () => {
    const world = createSandbox();
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), '{ "agent": ');
    expect((await run(world, 'deny', 'run_command')).code).toBe(2);
    expect(world.read('config.json')).toBe('{ "agent": ');
  });

  test('and /permissions change what runs in a conversation at once', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    await say(terminal, '/permissions allow run_command mkdir *');
    await terminal.waitFor('1  allow  run_command  begins with: mkdir');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run mkdir one');
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    await say(terminal, '/permissions deny run_command mkdir *');
    await terminal.waitFor('1  deny ');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run mkdir two');
    await terminal.waitFor('not allowed');
    await terminal.waitFor(PROMPT);
    expect([existsSync(join(world.cwd, 'one')), existsSync(join(world.cwd, 'two'))]).toEqual([true, false]);
    await say(terminal, 'run ls');
    await terminal.waitFor(ASKED);
    expect((await run(world, 'readonly', 'run')).code).toBe(0);
    terminal.send('\r');
    await terminal.waitFor('not allowed');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run ls');
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    writeFileSync(join(world.home, 'config.json'), '{ broken');
    await say(terminal, 'run mkdir three');
    await terminal.waitFor('The rules for permissions stay as they were');
    await terminal.waitFor('not allowed');
    await terminal.waitFor(PROMPT);
    writeFileSync(
      join(world.home, 'config.json'),
      JSON.stringify({ permissions: { deny: [], allow: [{ tool: 'run_command', prefix: 'mkdir' }] } }),
    );
    await say(terminal, '/permissions ask run_command mkdir *');
    await terminal.waitFor('1  ask ');
    await terminal.waitFor(PROMPT);
    await say(terminal, '/permissions remove 1');
    await terminal.waitFor('1  allow ');
    await terminal.waitFor(PROMPT);
    await say(terminal, '/permissions allow run_command git *');
    await terminal.waitFor('"git" alone says nothing of what would run');
    await terminal.waitFor(PROMPT);
    await say(terminal, '/permissions nonsense');
    await terminal.waitFor('Write /permissions allow, ask or deny TOOL');
  });
});
