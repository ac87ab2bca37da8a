import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { binary, createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, callsTools, replies, type Script, type Step } from '../support/scenario.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../support/terminal.ts';

const running: SpawnedTerminal[] = [];
let api: FakeApi | undefined;
afterEach(async () => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
  await api?.close();
  api = undefined;
});

type Settings = Readonly<Record<string, unknown>>;

/** The program with these hooks and a scripted model. Each hook may be a shell line, or a program of node that has `input` and `say`. */
async function hooked(hooks: Settings, steps: Script | readonly Step[], more: Settings = {}) {
  const world = createSandbox();
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ hooks, ...more }), { mode: 0o600 });
  api = await startFakeApi(steps, { home: world.home });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const say = (prompt: string, ...args: readonly string[]) => world.run(['-p', prompt, ...args], { env });
  const sent = (n: number): string => JSON.stringify(api?.requests[n]?.body.messages ?? []);
  const stored = () => world.records(`sessions/${world.names('sessions')[0]}/log.jsonl`);
  return { world, env, say, sent, stored };
}

const program = (body: string): string =>
  `node -e ${quote(`const input=JSON.parse(require("fs").readFileSync(0,"utf8"));const say=(o)=>console.log(JSON.stringify(o));${body}`)}`;
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A hook that always answers the same. */
const answer = (given: Settings): string => `cat >/dev/null; echo ${quote(JSON.stringify(given))}`;
const decide = (fields: Settings): string => answer({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const onBash = (command: string, more: Settings = {}) => [{ matcher: 'Bash', hooks: [{ type: 'command', command, ...more }] }];
const runs = (command: string) => [callsTool('run_command', { command }), replies('done')];
const BYPASS = ['--permission-mode', 'bypass'];

describe('a PreToolUse hook', () => {
  test('is told of the call as hooks for the SDK know it: name, absolute file, mode, session and id', async () => {
    const keep = program('require("fs").appendFileSync("seen.jsonl",JSON.stringify(input)+"\\n")');
    const calls = [
      { name: 'write_file', input: { path: 'a.txt', content: 'x' }, id: 'w1' },
      { name: 'run_command', input: { command: 'true' } },
    ];
    const { world, say } = await hooked({ PreToolUse: [{ matcher: 'Write|Bash', hooks: [{ type: 'command', command: keep }] }] }, [
      callsTools([...calls, { name: 'list_files', input: {} }]),
      replies('done'),
    ]);
    expect(await say('go', ...BYPASS)).toMatchObject({ code: 0, err: expect.not.stringContaining('failed') });
    const seen = readFileSync(join(world.cwd, 'seen.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(seen).toMatchObject([
      {
        hook_event_name: 'PreToolUse',
        session_id: world.names('sessions')[0],
        cwd: world.cwd,
        permission_mode: 'bypassPermissions',
        tool_name: 'Write',
        sanbot_tool_name: 'write_file',
        tool_input: { file_path: join(world.cwd, 'a.txt'), path: 'a.txt', content: 'x' },
        tool_use_id: 'w1',
      },
      { tool_name: 'Bash', tool_input: { command: 'true' } },
    ]);
    expect(seen).toHaveLength(2);
  });

  test.each([
    ['exit code 2', 'echo "use the script" >&2; exit 2'],
    ['a decision', decide({ permissionDecision: 'deny', permissionDecisionReason: 'use the script' })],
    ['the older word', answer({ decision: 'block', reason: 'use the script' })],
  ])('forbids a call by %s, in bypass too; the model is told why and nothing runs', async (_how, command) => {
    const { world, say, sent } = await hooked({ PreToolUse: onBash(command) }, runs('touch ran'));
    expect((await say('go', ...BYPASS)).code).toBe(0);
    expect(existsSync(join(world.cwd, 'ran'))).toBe(false);
    expect(sent(1)).toContain('Not allowed: a PreToolUse hook of the user forbids this call');
    expect(sent(1)).toContain('> use the script');
  });

  test('allows a call that would be asked about; of a deny rule and of a protected file it is no key', async () => {
    const allow = decide({ permissionDecision: 'allow' });
    const calls = ['touch ran', 'curl http://127.0.0.1:9'].map((command) => ({ name: 'run_command', input: { command } }));
    const { world, say, sent } = await hooked(
      { PreToolUse: [allow] },
      [callsTools([...calls, { name: 'write_file', input: { path: 'package.json', content: '{}' } }]), replies('done')],
      { permissions: { deny: [{ tool: 'run_command', prefix: 'curl' }] } },
    );
    expect((await say('go')).code).toBe(0);
    expect(existsSync(join(world.cwd, 'ran'))).toBe(true);
    expect(existsSync(join(world.cwd, 'package.json'))).toBe(false);
    expect(sent(1)).toContain('Not allowed: a deny rule of the user covers it.');
    expect(sent(1)).toContain('there is nobody to ask (no rule or flag covers it)');
  });

  test('asks where a flag allows, and where nobody can be asked nothing runs', async () => {
    const { world, say, sent } = await hooked(
      { PreToolUse: onBash(decide({ permissionDecision: 'ask', permissionDecisionReason: 'night' })) },
      runs('touch ran'),
    );
    await say('go', '--allow', 'run_command');
    expect(existsSync(join(world.cwd, 'ran'))).toBe(false);
    expect(sent(1)).toContain("it needs a person's yes (a PreToolUse hook of yours says to ask: night), and there is nobody to ask");
  });

  test('changes the input: what it gives is what runs, the result says so, and the stored call stays as the model wrote it', async () => {
    const change = program('say({hookSpecificOutput:{updatedInput:{...input.tool_input,command:"echo gentle > ran"}}})');
    const { world, say, sent, stored } = await hooked({ PreToolUse: onBash(change) }, runs('echo rough > ran'));
    const { out } = await say('go', ...BYPASS, '--output-format', 'stream-json');
    expect(readFileSync(join(world.cwd, 'ran'), 'utf8')).toBe('gentle\n');
    expect(sent(1)).toContain('echo rough > ran');
    expect(sent(1)).toContain('[A PreToolUse hook of the user changed this call. What ran had this input:');
    expect(out).toContain('run_command echo gentle > ran (changed by a hook)');
    const messages = stored().map(({ message }) => JSON.stringify(message ?? {}));
    expect(messages.find((message) => message.includes('"tool_use"'))).not.toContain('gentle');
    expect(messages.find((message) => message.includes('"ran"'))).toContain('{"command":"echo gentle > ran"}');
  });

  test('a changed path is held to the rules of the path that it is', async () => {
    const change = program(
      'say({hookSpecificOutput:{permissionDecision:"allow",updatedInput:{...input.tool_input,file_path:process.cwd()+"/package.json"}}})',
    );
    const { world, say, sent } = await hooked({ PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: change }] }] }, [
      callsTool('write_file', { path: 'a.txt', content: 'x' }),
      replies('done'),
    ]);
    await say('go');
    expect([existsSync(join(world.cwd, 'a.txt')), existsSync(join(world.cwd, 'package.json'))]).toEqual([false, false]);
    expect(sent(1)).toContain('Not allowed:');
    expect(sent(1)).toContain('/package.json');
  });

  test('that changes the input into one that the tool does not take stops the call, and says so', async () => {
    const { world, say, sent } = await hooked({ PreToolUse: onBash(decide({ updatedInput: { cmd: 'touch ran' } })) }, runs('touch ran'));
    await say('go', ...BYPASS);
    expect(existsSync(join(world.cwd, 'ran'))).toBe(false);
    expect(sent(1)).toContain('A PreToolUse hook of the user changed the input of this call, and it was not run: run_command:');
  });

  test.each([
    ['hangs', 'sleep 1000', { timeout: 0.2 }, 'it took longer than 200 ms and was stopped'],
    ['crashes', 'kill -SEGV $$', {}, 'it was killed by SIGSEGV'],
    ['is not there', './no-such-program', {}, 'it ended with exit code 127'],
    ['answers what is no JSON', 'echo "{nonsense"', {}, 'its output starts like JSON but is not a known answer'],
    ['floods', 'yes "{" | head -c 5000000', {}, 'its output starts like JSON but is not a known answer'],
  ])('that %s has said nothing: it is told, put down, and the call is decided without it', async (_what, command, more, note) => {
    const { world, say, sent } = await hooked({ PreToolUse: onBash(command, more) }, runs('touch ran'));
    const { code, err } = await say('go', '--allow', 'run_command');
    expect([code, existsSync(join(world.cwd, 'ran'))]).toEqual([0, true]);
    expect(err).toContain(note);
    expect(sent(1)).not.toContain('hook');
    expect(world.records('context/events.jsonl').filter(({ type }) => type === 'hook_ran')).toMatchObject([
      { hook: 'PreToolUse', ok: false, note: expect.stringContaining(note) },
    ]);
  });

  test('shows the person what it made of a call before they are asked, and its question reaches the Notification hooks', async () => {
    const change = decide({ updatedInput: { command: 'touch changed' } });
    const keep = program('require("fs").writeFileSync("note.json",JSON.stringify(input))');
    const { world, env } = await hooked(
      { PreToolUse: onBash(change), Notification: [{ matcher: 'permission_prompt', hooks: [{ type: 'command', command: keep }] }] },
      runs('touch first'),
    );
    const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: { ...world.env, ...env }, columns: 120 });
    running.push(terminal);
    await terminal.waitFor('> ');
    terminal.send('go\r');
    await terminal.waitFor('Look closely: a PreToolUse hook of yours has changed this call.');
    expect(terminal.text()).toContain('touch changed');
    await terminal.waitFor('kept for later');
    terminal.send('y');
    await terminal.waitFor('done');
    terminal.send('/exit\r');
    await terminal.exit;
    expect([existsSync(join(world.cwd, 'changed')), existsSync(join(world.cwd, 'first'))]).toEqual([true, false]);
    expect(JSON.parse(readFileSync(join(world.cwd, 'note.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'Notification',
      notification_type: 'permission_prompt',
      message: 'SanBot needs your permission to use run_command',
    });
  });
});

describe('a PostToolUse hook', () => {
  test('is told of the result, and what it says stands quoted beside it', async () => {
    const lint = program('if(input.tool_response.stdout.includes("made"))say({decision:"block",reason:"line 1: too\\nline 2: long"})');
    const { say, sent } = await hooked({ PostToolUse: onBash(lint) }, runs('echo made'));
    expect((await say('go', ...BYPASS)).code).toBe(0);
    expect(sent(1)).toContain('made');
    expect(sent(1)).toContain('[A PostToolUse hook of the user objects to what this call did:]\\n> line 1: too\\n> line 2: long');
  });

  test('says nothing of a call that failed, and may end the turn', async () => {
    const end = answer({ continue: false, stopReason: 'that will do' });
    const { world, say } = await hooked({ PostToolUse: onBash(end) }, [
      callsTool('run_command', { command: 'exit 3' }),
      callsTools([
        { name: 'run_command', input: { command: 'true' } },
        { name: 'run_command', input: { command: 'touch late' } },
      ]),
    ]);
    const { code, err } = await say('go', ...BYPASS);
    expect([code, existsSync(join(world.cwd, 'late'))]).toEqual([0, false]);
    expect(err).toContain('A hook ended the turn: that will do');
  });

  test('that floods is cut, and a key in what it says reaches neither the model nor the disk [S-30]', async () => {
    const flood = answer({ hookSpecificOutput: { additionalContext: `ghp_${'a1B2'.repeat(9)} ${'word '.repeat(4_000)}` } });
    const { say, sent, stored } = await hooked({ PostToolUse: onBash(flood) }, runs('true'));
    const { err } = await say('go', ...BYPASS);
    expect(err).toContain('The output of the PostToolUse hooks was cut to 10000 of 20024 characters.');
    expect(sent(1)).toContain('[redacted');
    expect(JSON.stringify(stored()) + sent(1)).not.toContain('ghp_a1B2');
    expect(sent(1).length).toBeLessThan(16_000);
  });
});

describe('a UserPromptSubmit hook', () => {
  test('adds context before what was said', async () => {
    const { say, sent } = await hooked({ UserPromptSubmit: ['sed -n \'s/.*"prompt":"\\([^"]*\\)".*/said: \\1/p\''] }, [replies('done')]);
    expect((await say('make it so')).code).toBe(0);
    expect(sent(0)).toMatch(/A UserPromptSubmit hook of the user gives this context.*> said: make it so.*"make it so"/);
  });

  test('that blocks stops what was said before it reaches the model or the log', async () => {
    const { world, say } = await hooked({ UserPromptSubmit: ['echo "no names, please" >&2; exit 2'] }, []);
    const { code, err } = await say('my name is Ann');
    expect(code).toBe(9);
    expect(err).toContain('A UserPromptSubmit hook blocked what you said: no names, please');
    for (const id of world.names('sessions')) expect(world.read(`sessions/${id}/log.jsonl`)).not.toContain('Ann');
    expect(api?.requests).toEqual([]);
  });
});

describe('a Stop hook', () => {
  test('sends the model back to work with its reason, and is told that it did; then the turn ends', async () => {
    const gate = program('if(!input.stop_hook_active){console.error("tests are red: "+input.last_assistant_message);process.exit(2)}');
    const { say, sent } = await hooked({ Stop: [gate] }, [replies('first try'), replies('green now')]);
    const { code, out } = await say('go');
    expect([code, out]).toEqual([0, 'green now\n']);
    expect(sent(1)).toContain('> tests are red: first try');
  });

  test('that is never content sends it back three times, and no more', async () => {
    const { say } = await hooked({ Stop: ['exit 2'] }, (_, n) => replies(`try ${n}`));
    const { code, out, err } = await say('go');
    expect([code, out.includes('try 3')]).toEqual([0, true]);
    expect(api?.requests).toHaveLength(4);
    expect(err).toContain('The Stop hooks have sent the model back to work 3 times in this turn; it ends here.');
  });

  test('is asked neither when the turn was stopped by a limit nor when another hook ended it', async () => {
    const { world, say } = await hooked({ Stop: ['touch asked'], PreToolUse: [answer({ continue: false })] }, [
      callsTool('run_command', { command: 'true' }),
    ]);
    await say('go', ...BYPASS);
    expect(existsSync(join(world.cwd, 'asked'))).toBe(false);
  });
});

describe('the hooks of a project', () => {
  const trap = { hooks: { PreToolUse: ['touch hooked'], UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'touch hooked' }] }] } };
  const inProject = (world: Sandbox) => writeFileSync(join(world.cwd, '.sanbot.json'), JSON.stringify(trap));

  test('do not run before it is trusted, and both forms are named [S-16]', async () => {
    const { world, say } = await hooked({}, runs('true'));
    inProject(world);
    const { err } = await say('go', ...BYPASS);
    expect(existsSync(join(world.cwd, 'hooked'))).toBe(false);
    expect(err).toContain('a PreToolUse hook, a UserPromptSubmit hook');
  });

  test('come beside those of the user, and take none away', async () => {
    const { world, say, sent } = await hooked({ PreToolUse: onBash('echo mine >&2; exit 2') }, runs('touch ran'));
    inProject(world);
    await say('go', ...BYPASS, '--trust');
    expect([existsSync(join(world.cwd, 'hooked')), existsSync(join(world.cwd, 'ran'))]).toEqual([true, false]);
    expect(sent(1)).toContain('> mine');
  });
});

test('the transcript that a hook finds grows with the session, and is whole at each call', async () => {
  const count = program(
    'const t=require("fs").readFileSync(input.transcript_path,"utf8").trim().split("\\n").map(JSON.parse);require("fs").appendFileSync("counts",t.length+" "+t.every((l,i)=>l.parentUuid===(i?t[i-1].uuid:null))+"\\n")',
  );
  const { world, say } = await hooked({ PreToolUse: onBash(count) }, [
    ...runs('true').slice(0, 1),
    callsTool('run_command', { command: 'true' }),
    replies('done'),
  ]);
  await say('go', ...BYPASS);
  expect(readFileSync(join(world.cwd, 'counts'), 'utf8')).toBe('2 true\n4 true\n');
});
