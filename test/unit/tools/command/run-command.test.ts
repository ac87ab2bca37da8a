import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { createOutputBuffer, redactOutput } from '../../../../src/tools/command/output-buffer.ts';
import { NO_RULES, scrubEnv } from '../../../../src/tools/command/scrub-env.ts';
import { textComes, until } from '../../../support/until.ts';
import { createWorld, type TestWorld } from '../world.ts';

const run = (world: TestWorld, command: string, more: object = {}) => world.call('run_command', { command, ...more });

test('a command runs in the working folder and its output is returned whole, after how it ended', async () => {
  const times = [new Date(1_000), new Date(1_300)];
  const world = createWorld({ now: () => times.shift() ?? new Date(0) });
  const plan = await world.ready('run_command', { command: 'pwd; echo 中文 >&2' });
  expect(plan).toMatchObject({
    access: 'run',
    path: undefined,
    place: 'none',
    title: 'run_command pwd; echo 中文 >&2',
    preview: 'pwd; echo 中文 >&2',
  });
  expect(await plan.run(new AbortController().signal)).toEqual({
    ok: true,
    content: `exit 0\n${world.cwd}\n中文\n`,
    shown: { en: 'exit 0', zh: '退出码 0' },
    note: expect.objectContaining({ en: 'exit 0' }),
  });
});

test('a failed command keeps all that it printed', async () => {
  const world = createWorld();
  const outcome = await run(world, 'seq 1 20000; echo "error: no such thing" >&2; exit 3');
  expect(outcome).toMatchObject({ ok: false, note: expect.objectContaining({ en: 'exit 3' }) });
  expect(outcome.content).toBe(`exit 3\n${Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join('')}error: no such thing\n`);
});

test('both outputs come in the order they were written', async () => {
  const world = createWorld();
  const { content } = await run(world, 'for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done');
  expect(content).toBe(`exit 0\n${[1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join('')}`);
});

test('a command that prints nothing, dies of a signal or does not exist says so', async () => {
  const world = createWorld();
  expect((await run(world, 'true')).content).toBe('exit 0\n[no output]');
  expect(await run(world, 'kill -9 $$')).toMatchObject({ ok: false, content: 'killed by SIGKILL\n[no output]' });
  expect(await run(world, 'no-such-program-here')).toMatchObject({ ok: false, content: expect.stringMatching(/^exit 127\n.*not found/) });
  expect((await run(world, '-n')).content).toMatch(/^exit 127/);
  expect(await run(createWorld({ shell: '/no/such/shell' }), 'true')).toMatchObject({
    ok: false,
    content: expect.stringMatching(/^exit 127\n.*no\/such\/shell/),
  });
});

test('a sandbox that could not be made is made once more, as things are then', async () => {
  const fails = { program: '/bin/sh', args: ['-c', 'echo "bwrap: no such socket" >&2; exit 1'] };
  const works = { program: '/usr/bin/env', args: [] };
  const answer = (...runs: (typeof fails)[]) => {
    const wrap = () => ({ ...(runs.shift() ?? works) });
    return run(createWorld({ sandbox: async () => ({ wrap, problem: () => undefined }) }), 'echo ran');
  };
  expect((await answer(fails, works)).content).toMatch(/^exit 0\nran\n/);
  expect(await answer(fails, fails, works)).toMatchObject({ ok: false, content: expect.stringContaining('bwrap: no such socket') });
});

test.runIf(process.platform === 'linux')('a command leads a session of its own, away from the terminal of SanBot [B-13]', async () => {
  const { content } = await run(createWorld(), 'cut -d" " -f5,6 /proc/$$/stat; echo $$ $$');
  const [, ids, own] = content.split('\n');
  expect(ids).toBe(own);
});

test('a command has no input and no terminal [B-13]', async () => {
  const world = createWorld();
  expect((await run(world, 'cat; read x; echo "read: $?"')).content).toBe('exit 0\nread: 1\n');
  expect((await run(world, '(exec 3<>/dev/tty) 2>/dev/null && echo tty || echo none')).content).toBe('exit 0\nnone\n');
});

/** True while a process of that id, from a file a command wrote, is there and not a zombie. */
const lives = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const pidIn = (path: string): number => Number(readFileSync(path, 'utf8'));

test.runIf(process.platform === 'linux')(
  'at its timeout a command ends with all it started, deaf ones and daemons too [B-13]',
  async () => {
    const world = createWorld();
    const command = `
    trap '' TERM
    (trap '' TERM; echo $$ > shell; sh -c 'echo $PPID > deaf; exec sleep 20') &
    setsid sh -c 'echo $$ > session; exec sleep 20' &
    (setsid sh -c 'echo $$ > daemon; exec sleep 20' >/dev/null 2>&1 &)
    echo started; sleep 20; sleep 20`;
    const names = ['shell', 'deaf', 'session', 'daemon'];
    const hasBegun = () => names.every((name) => existsSync(join(world.cwd, name)) && pidIn(join(world.cwd, name)) > 0);
    // As long as this machine takes to start them all.
    for (let timeout_ms = 700; !hasBegun(); timeout_ms *= 2) {
      const outcome = await run(world, command, { timeout_ms });
      expect(outcome).toMatchObject({ ok: false, note: expect.objectContaining({ en: 'timed out' }) });
      expect(outcome.content.split('\n')[0]).toMatch(/^timed out after .*; it and all it started were stopped$/);
      if (hasBegun()) expect(outcome.content).toMatch(/\nstarted\n$/);
    }
    for (const name of names) expect([name, lives(pidIn(join(world.cwd, name)))]).toEqual([name, false]);
  },
);

test.runIf(process.platform === 'linux')('an abort ends all of it and rejects [B-13]', async () => {
  const world = createWorld();
  const plan = await world.ready('run_command', { command: 'sleep 20 & echo $! > child; echo $$ > pid; wait' });
  const abort = new AbortController();
  const running = plan.run(abort.signal);
  const refused = expect(running).rejects.toBeInstanceOf(AbortedError);
  await textComes(join(world.cwd, 'pid'));
  abort.abort();
  await refused;
  expect([lives(pidIn(join(world.cwd, 'pid'))), lives(pidIn(join(world.cwd, 'child')))]).toEqual([false, false]);
});

test('an abort keeps what a command had printed', async () => {
  const world = createWorld();
  const abort = new AbortController();
  const running = (await world.ready('run_command', { command: 'echo one; echo two; : > there; sleep 20' })).run(abort.signal);
  const refused = expect(running).rejects.toMatchObject({ name: 'AbortedError', printed: 'one\ntwo\n' });
  await until(() => existsSync(join(world.cwd, 'there')));
  abort.abort();
  await refused;
});

test.runIf(process.platform === 'linux')('what a command leaves running keeps running, and the result says so', async () => {
  const world = createWorld();
  const outcome = await run(world, 'sleep 30 & echo $! > pid; echo done');
  const pid = pidIn(join(world.cwd, 'pid'));
  try {
    expect(outcome.content).toBe('exit 0\n[a process that it started still runs; what that prints from now on is not kept]\ndone\n');
    expect(lives(pid)).toBe(true);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});

test('binary output is text with a mark where it is none, and the result says so [B-12]', async () => {
  const world = createWorld();
  const { content } = await run(world, "printf 'a\\377b\\000c'");
  expect(content).toBe('exit 0\n[what it printed is not all UTF-8; \ufffd stands for other bytes]\na\ufffdb\u0000c');
  expect((await run(world, "printf 'a\\357\\277\\275b'")).content).toBe('exit 0\na\ufffdb');
});

test('head and tail of an output are kept for any pieces it comes in, cut between characters [B-12]', () => {
  const pieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 4, max: 30 }), fc.integer({ min: 1, max: 7 }), (texts, perEnd, step) => {
      const whole = texts.join('').toWellFormed();
      const bytes = Buffer.from(whole);
      const output = createOutputBuffer(perEnd);
      for (let at = 0; at < bytes.length; at += step) output.write(bytes.subarray(at, at + step));
      const { text, omittedBytes: leftOut, replaced, bytes: printed } = output.result();
      expect([printed, replaced]).toEqual([bytes.length, false]);
      if (bytes.length <= 2 * perEnd) {
        expect([text, leftOut]).toEqual([whole, 0]);
        return;
      }
      const [head = '', tail = ''] = text.split(`\n[${leftOut} of ${printed} bytes left out here]\n`);
      expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + leftOut).toBe(printed);
      expect(Buffer.byteLength(head)).toBeGreaterThan(perEnd - 4);
    }),
  );
});

test('no credential and nothing that steers a program reaches a command [S-20]', async () => {
  const secret = {
    ...{
      ANTHROPIC_API_KEY: 's',
      ANTHROPIC_BASE_URL: 's',
      OPENAI_API_KEY: 's',
      GITHUB_TOKEN: 's',
      npm_token: 's',
      MY_SECRET: 's',
      SECRET_KEY_BASE: 's',
      DB_PASSWORD: 's',
    },
    ...{
      MYSQL_PWD: 's',
      AWS_REGION: 's',
      AWS_SECRET_ACCESS_KEY: 's',
      SSH_AUTH_SOCK: 's',
      GIT_SSH_COMMAND: 's',
      GIT_CONFIG_COUNT: 's',
      SANBOT_HOME: 's',
      STRIPE_KEY: 's',
    },
    ...{
      BASH_ENV: 's',
      SHELLOPTS: 's',
      BASHOPTS: 's',
      PS4: 's',
      POSIXLY_CORRECT: 's',
      CDPATH: 's',
      __BASH_FUNC: 's',
      ENV: 's',
      LD_PRELOAD: 's',
      LD_LIBRARY_PATH: 's',
      NODE_OPTIONS: 's',
      RIPGREP_CONFIG_PATH: 's',
      LESSOPEN: 's',
      PROMPT_COMMAND: 's',
      'BASH_FUNC_ls%%': 's',
    },
    ...{ GOOGLE_APPLICATION_CREDENTIALS: 's', DYLD_INSERT_LIBRARIES: 's', GH_TOKEN: 's' },
  };
  const kept = {
    PATH: process.env.PATH ?? '',
    HOME: '/h',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    PWD_X: 'k',
    TOKENIZERS_PARALLELISM: 'k',
    KEYBOARD: 'k',
    CI: '1',
  };
  const scrubbed = scrubEnv({ ...secret, ...kept, UNSET: undefined }, NO_RULES);
  expect(scrubbed).toEqual({ env: kept, withheld: Object.keys(secret).sort() });
  const world = createWorld({ env: { ...secret, ...kept } });
  const { content } = await run(world, 'env');
  const names = content
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('=')[0] ?? '');
  expect(names.filter((name) => Object.hasOwn(secret, name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(Object.keys(kept)));
});

describe('the environment of a command', () => {
  const hex = '9f86d081884c7d659a2feaa0c55ad015';
  const pem = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  test.each([
    ...[
      'DATABASE_URL=postgres://app:hunter2@db.example/app',
      'REDIS=redis://:hunter2@localhost:6379',
      'REPO=https://x0a9b8c7d6e5f4g3h2i1@git.example/a.git',
    ],
    ...[
      'STRIPE_SK=x',
      'SLACK_WEBHOOK=x',
      'SLACK_WEBHOOK_URL=x',
      'SENTRY_DSN=x',
      'MY_PAT=x',
      'SESSION_COOKIE=x',
      'SQL_CONNECTION_STRING=x',
      'DB_PASS=x',
      'SIGNING=x',
    ],
    ...[
      'DBUS_SESSION_BUS_ADDRESS=x',
      'PYTHONPATH=x',
      'PYTHONHOME=x',
      'MAKEFLAGS=x',
      'PERL5LIB=x',
      'RUBYLIB=x',
      'GPG_AGENT_INFO=x',
      'RUSTC_WRAPPER=x',
      'ZDOTDIR=x',
    ],
    ...[
      'HARMLESS=ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2',
      'NOTES=see sk-ant-api03-abcdefghijkl123 in it',
      'WHERE=https://hooks.slack.com/services/T00000000/B00000000/abc',
    ],
    ...[
      `BUILD=${hex}${hex.split('').reverse().join('')}`,
      'BLOB=Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZkdISUpLTE1OT1A',
      `X=-----BEGIN PRIVATE KEY----- ${pem}`,
    ],
    ...[
      'ConnectionStrings__Main=Server=db;User Id=sa;Password=hunter2!pass',
      'LIBPQ=host=db user=app password=hunter2pass',
      'SPRING_APPLICATION_JSON={"spring":{"datasource":{"password":"hunter2pass"}}}',
      'STORAGE=DefaultEndpointsProtocol=https;AccountName=a;AccountKey=q7Zt3mW9xK2vB5nR8yL4cJ6d==',
      'HEADERS=Authorization: Bearer abcdefgh12345678ijkl',
      'JAVA_OPTS=-Xmx2g -Ddb.password=hunter2pass',
      'DOCKER_AUTH_CONFIG={"auths":{}}',
      'SMTP_PW=x',
      'JWT=x',
    ],
    ...['DOTNET_STARTUP_HOOKS=x', 'CORECLR_PROFILER_PATH=x', 'LUA_INIT_5_4=x', 'npm_config_script_shell=x', 'MAKEFILES=x'],
  ])('withholds %s, by its name or by its value [S-20]', (line) => {
    const [name = '', ...value] = line.split('=');
    expect(scrubEnv({ [name]: value.join('='), HOME: '/h' }, NO_RULES)).toEqual({ env: { HOME: '/h' }, withheld: [name] });
  });

  test('keeps what toolchains need', () => {
    const kept = {
      PATH: '/usr/local/bin:/usr/bin:/home/you/.nvm/versions/node/v20.19.0/bin',
      JAVA_HOME: '/usr/lib/jvm/java-17-openjdk-amd64',
      NVM_BIN: '/home/you/.nvm/versions/node/v20.19.0/bin',
      LS_COLORS: 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35',
      HOSTTYPE: 'x86_64-unknown-linux-gnu',
      GITHUB_SHA: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      WT_SESSION: '3c9f1b6e-5a1d-4e57-9b0e-8a1f6f0d2c11',
      CARGO_HOME: '/home/you/.cargo',
      GOPATH: '/home/you/go',
      CFLAGS: '-O2 -g -fstack-protector-strong',
      npm_config_registry: 'https://packages.example/npm/',
      PROXY: 'http://proxy.example:3128',
      KUBECONFIG: '/home/you/.kube/config',
      VIRTUAL_ENV: '/home/you/project/.venv',
      DEBIAN_FRONTEND: 'noninteractive',
      PWD: '/home/you/project',
      OLDPWD: '/home/you',
      MAVEN_OPTS: '-Xmx2g',
      JAVA_OPTS: '-Xmx2g -Dfile.encoding=UTF-8 -Duser.timezone=UTC',
      npm_config_node_gyp: '/usr/lib/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js',
      ImageOS: 'ubuntu2404LongNameOfAnImage2026Edition',
    };
    expect(scrubEnv(kept, NO_RULES)).toEqual({ env: kept, withheld: [] });
  });

  test('goes by what the user says of single variables, save that SanBot’s own never pass', () => {
    const env = { DATABASE_URL: 'postgres://a:b@c', DATABASE_NAME: 'app', EDITOR: 'vi', ANTHROPIC_API_KEY: 'k', SANBOT_HOME: '/s' };
    const rules = { pass: ['DATABASE_*', 'ANTHROPIC_API_KEY', 'SANBOT_HOME'], withhold: ['EDITOR', 'DATABASE_NAME'] };
    expect(scrubEnv(env, rules)).toEqual({
      env: { DATABASE_URL: 'postgres://a:b@c' },
      withheld: ['ANTHROPIC_API_KEY', 'DATABASE_NAME', 'EDITOR', 'SANBOT_HOME'],
    });
  });

  test('is told in the note of a command that failed for want of it', async () => {
    const world = createWorld({ env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://app:q7Zt3mW9@db/app', MY_TOKEN: 't' } });
    const failed = await run(world, 'test -n "$DATABASE_URL"');
    expect(failed.content).toContain('not passed to commands: DATABASE_URL (the setting commands.environment changes that)');
    expect(failed.content).not.toContain('MY_TOKEN');
    expect((await run(world, 'echo "$DATABASE_URL"')).content).not.toContain('not passed');
    expect((await run(world, 'false')).content).not.toContain('not passed');
  });
});

test('no half of a key is left where a long output is cut [S-30, S-31]', () => {
  const key = `ghp_${'a1B2'.repeat(9)}`;
  for (let before = 0; before < key.length; before++) {
    const output = redactOutput(createOutputBuffer(200));
    const text = `${'x'.repeat(199 - before)} ${key} ${'y'.repeat(1_000)} ${key} ${'z'.repeat(199 - before)}`;
    for (let at = 0; at < text.length; at += 7) output.write(Buffer.from(text.slice(at, at + 7)));
    expect(output.result().text).not.toMatch(/a1B2|ghp_/);
  }
});

test('what is shown for approval is what runs, with all that hides made visible [S-14]', async () => {
  const world = createWorld();
  const { preview, title } = await world.ready('run_command', { command: `echo ok${' '.repeat(400)}; echo \u202ehidden\u200b\n\trm x` });
  expect(preview).toBe('echo ok \\x20{398} ; echo \\u{202e}hidden\\u{200b}\n\\trm x');
  expect(title).not.toMatch(/[\n\u202e\u200b]/);
});
