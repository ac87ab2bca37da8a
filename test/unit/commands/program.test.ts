import { readdirSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { runCli } from '../../../src/commands/program.ts';
import { SanbotError } from '../../../src/domain/errors.ts';
import { sameInBoth } from '../../../src/domain/language.ts';
import { toolNames } from '../../../src/domain/permission.ts';
import { processEnvironment } from '../../../src/runtime/environment.ts';
import { commandsListed } from '../../support/help-rows.ts';

type Called = { readonly name: string; readonly options: unknown };

async function sanbot(...argv: string[]) {
  const called: Called[] = [];
  let loads = 0;
  const record = (name: string) => async (options: unknown) => {
    called.push({ name, options });
    return 0;
  };
  const ran = await runWith(argv, async () => {
    loads += 1;
    return moduleThat(record);
  });
  return { ...ran, called, loads };
}

async function runWith(argv: readonly string[], load: () => Promise<never>) {
  const seen = { out: '', err: '' };
  const io = {
    warn: () => undefined,
    columns: 100,
    colour: false,
    out: (text: string) => {
      seen.out += text;
    },
    err: (text: string) => {
      seen.err += text;
    },
  };
  const environment = { ...processEnvironment(), now: () => new Date('2026-02-01T00:00:00.000Z') };
  const code = await runCli(argv, { environment, io, load });
  return { code, ...seen };
}

/** Has every function that a command could take of its module; which ones it takes is the business of the types, so the proxy is believed. */
const moduleThat = (act: (name: string) => (options: unknown) => Promise<number>): never =>
  new Proxy({}, { get: (_target, name) => (name === 'then' ? undefined : act(String(name))) }) as never;

test('what is searched for are words, and its filters are checked in form', async () => {
  const { called } = await sanbot('search', 'retry', 'delay', '--errors', '--role', 'tool', '--since', '1d', '--limit', '3', '--json');
  expect(called).toEqual([
    {
      name: 'showHits',
      options: {
        query: 'retry delay',
        role: 'tool',
        errors: true,
        since: new Date('2026-01-31T00:00:00.000Z'),
        limit: 3,
        json: true,
      },
    },
  ]);
  for (const wrong of [['search'], ['search', 'x', '--limit', '0'], ['search', 'x', '--role', 'me'], ['show'], ['show', 'a', 'b']])
    expect((await sanbot(...wrong)).code, wrong.join(' ')).toBe(2);
});

const noRules = { allowed: [], rules: { allow: [], deny: [] } };
const plainChat = { print: false, inputFormat: 'text', outputFormat: 'text', continueNewest: false, permissionMode: 'ask', ...noRules };

describe('the command line', () => {
  test('starts a chat when nothing is said', async () => {
    expect((await sanbot()).called).toEqual([{ name: 'runChat', options: plainChat }]);
  });

  test('passes every option of a chat on', async () => {
    const argv = ['-p', 'what?', '--output-format', 'json', '--resume', 'abc', '--model', 'm', '--context-window', '32000'];
    const more = ['--max-steps', '7', '--permission-mode', 'bypass', '--allow', 'run_command,recall', '--group', 'g', '--home', '/h'];
    expect((await sanbot(...argv, ...more)).called).toEqual([
      {
        name: 'runChat',
        options: {
          home: '/h',
          print: true,
          message: 'what?',
          inputFormat: 'text',
          outputFormat: 'json',
          continueNewest: false,
          resume: 'abc',
          model: 'm',
          contextWindow: 32_000,
          maxSteps: 7,
          permissionMode: 'bypass',
          ...noRules,
          allowed: ['run_command', 'recall'],
          group: 'g',
        },
      },
    ]);
  });

  test.each([
    [['-p'], undefined],
    [['-p', 'hello'], 'hello'],
    [['--print=--odd'], '--odd'],
    [['-p', '--output-format', 'text', 'hello'], 'hello'],
    [['-p', ''], ''],
    [['-p', '列出文件'], '列出文件'],
  ])('takes a prompt from %j', async (argv, message) => {
    expect((await sanbot(...argv)).called).toEqual([{ name: 'runChat', options: { ...plainChat, print: true, message } }]);
  });

  test.each([
    [['fix the total'], {}],
    [['修复合计'], {}],
    [['-c', 'go on'], { continueNewest: true }],
    [['--resume', 'abc', 'what is src/a.ts?', '--model', 'm'], { resume: 'abc', model: 'm' }],
  ])('begins a chat with the message in %j', async (argv, more) => {
    const message = argv.find((word) => / |修/.test(word));
    expect((await sanbot(...argv)).called).toEqual([{ name: 'runChat', options: { ...plainChat, message, ...more } }]);
  });

  test.each([
    [['history'], 'showHistory', {}],
    [['history', '--session', 's1', '--json'], 'showHistory', { session: 's1', json: true }],
    [['history', '--session', 's1', '--snapshot', 'x'], 'showHistory', { session: 's1', snapshot: 'x' }],
    [['--home', '/h', 'history'], 'showHistory', { home: '/h' }],
    [['history', '--home', '/h'], 'showHistory', { home: '/h' }],
    [['--home', '/g', 'history', '--home', '/h'], 'showHistory', { home: '/h' }],
    [['memory', '--home', '/h', 'list'], 'listMemories', { home: '/h' }],
    [['--home', '/g', 'memory', '--home', '/h', 'forget', 'a'], 'forgetMemories', { home: '/h', ids: ['a'] }],
    [['--home', '/f', 'sessions', '--home', '/g', 'list', '--home', '/h'], 'showSessions', { home: '/h' }],
    [['sessions', '--json'], 'showSessions', { json: true }],
    [['sessions', 'rename', 's1', 'two', 'words'], 'retitleSession', { session: 's1', title: 'two words' }],
    [['memory', 'forget', 'a', 'b'], 'forgetMemories', { ids: ['a', 'b'] }],
    [['memory', 'edit', 'facts'], 'editMemory', { what: 'facts' }],
    [['memory', 'edit', 'a', 'new', 'words'], 'editMemory', { what: 'a', text: 'new words' }],
    [['rollback', '--snapshot', 'x', '--dry-run'], 'rollBackTo', { to: { snapshot: 'x' }, dryRun: true }],
    [['rollback', '--snapshot', 'x', '--yes', '--json'], 'rollBackTo', { to: { snapshot: 'x' }, yes: true, json: true }],
    [['rollback', '--session', 's1', '--to-message', '3', '--files'], 'rollBackTo', { to: { session: 's1', message: '3' }, files: true }],
    [['rollback', '--session', 's1', '--last'], 'rollBackTo', { to: { lastOf: 's1' } }],
    [
      ['compact', '--session', 's1', '--preview', '--yes', '--instructions', 'the API names'],
      'compactSession',
      { session: 's1', preview: true, yes: true, instructions: 'the API names' },
    ],
    [['rollback', '--session', 's1'], 'listMessages', { session: 's1' }],
    [['changes', '--session', 's1', '--diff'], 'listChanges', { session: 's1', diff: true }],
    [
      ['changes', '--session', 's1', '--restore', '3', '--and-later', '--file', 'a.ts', '--yes'],
      'restoreChange',
      { session: 's1', number: 3, andLater: true, file: 'a.ts', yes: true },
    ],
    [['events', '--type', 'compacted'], 'showEvents', { type: 'compacted' }],
    [['metrics', '--prometheus'], 'showMetrics', { format: 'prometheus' }],
    [['export', '--session', 's1', '-o', 'f.md'], 'exportSession', { session: 's1', output: 'f.md' }],
    [['config', 'show', '--json'], 'showConfig', { what: 'show', json: true }],
    [['config', 'path'], 'showConfig', { what: 'path' }],
    [['config', 'validate'], 'showConfig', { what: 'validate' }],
  ])('runs %j without a person [C123]', async (argv, name, options) => {
    const { code, called } = await sanbot(...argv);
    expect({ code, called }).toEqual({ code: 0, called: [{ name, options }] });
  });

  test.each([
    ['2h', '2026-01-31T22:00:00.000Z'],
    ['7d', '2026-01-25T00:00:00.000Z'],
    ['2026-01-15', '2026-01-15T00:00:00.000Z'],
    ['2026-01-15T09:30:00+08:00', '2026-01-15T01:30:00.000Z'],
  ])('understands --since %s', async (since, at) => {
    expect((await sanbot('events', '--since', since)).called).toMatchObject([{ options: { since: new Date(at) } }]);
  });

  test.each([
    [['--modle', 'x'], /unknown option '--modle'.*Did you mean --model\?/],
    [['--allowedtools', 'x'], /unknown option '--allowedtools'\s+Use --allow TOOLS and --deny TOOLS\. See sanbot --help\./],
    [['--system-prompt=x'], /Did you mean --append-system-prompt TEXT\|@FILE\?/],
    [['--max-budget-usd', '3'], /Did you mean --max-cost\?/],
    [['-p', 'x', '--permission-prompt-tool', 't'], / {3}No tool is asked: say beforehand what may run with --allow TOOLS\./],
    [['-d'], /'-d' {3}sanbot events shows what happened/],
    [['--debug=api'], /sanbot events shows what happened/],
    [['--betas', 'x'], /setting model\.headers\. See sanbot --help/],
    [['-w'], /'-w' {3}Make one with git worktree add/],
    [['--worktree', 'x'], /'--worktree' {3}Make one with git worktree add/],
    [['-n', 'x'], /Did you mean --name\?/],
    [['--plugin-dir', 'x'], /There are no plugins/],
    [['--disable-slash-commands'], /Did you mean --deny skill\?/],
    [['--bare'], /'--bare' {3}There is none: --home FOLDER/],
    [['--chrome'], /'--chrome' {3}There is none: a browser can be an MCP server/],
    [['--init'], /'--init' {3}There is nothing like it here/],
    [['--permission-mode', 'auto'], / {3}No mode judges calls by a model\. The nearest is accept-edits/],
    [['-p', 'x', '--disallowedTools', 'WebSearch'], /no tool "WebSearch"\. Leave it out: SanBot has none/],
    [['auth', 'login'], /no command "auth"\. sanbot setup takes a key/],
    [['setup-token'], /sanbot setup takes a key/],
    [['logout'], /setting model\.apiKey/],
    [['plugin', 'install', 'x'], /There are no plugins/],
    [['install'], /sanbot update says how/],
    [['gateway'], /no command "gateway"\. A gateway is the setting model\.baseUrl/],
    [['--prompt-suggestions', 'false'], / {3}There is nothing like it here/],
    [['--exclude-dynamic-system-prompt-sections'], / {3}There is nothing like it here/],
    [['--effort', 'xhigh'], /low, medium, high, max, found 'xhigh' {3}Did you mean max\?/],
    [['remote-control'], /sanbot sync and sanbot hub/],
    [['auto-mode'], /sanbot permissions says/],
    [['--mcp-config', 'x'], /Servers stand in \.mcp\.json/],
    [
      ['-p', 'x', '--allowedTools', 'Bash(git:*) Edit'],
      /"git" alone says nothing of what would run\s+Write more of its beginning, as 'run_command\(git status \*\)'/,
    ],
    [['--output-format', 'stream-jsn'], /Did you mean stream-json\?/],
    [['histroy'], /no command "histroy".*Did you mean history\?/],
    [['frobnicate'], /no command "frobnicate".*To ask something: sanbot "…"/],
    [['fix it', 'now'], /takes one message\s+Put quotes around it: sanbot "fix the total"/],
    [['-p', 'fix', 'it'], /takes one message\s+Put quotes around it: sanbot -p/],
    [['config', 'shwo'], /no command "shwo".*Did you mean show\?.*Run sanbot config --help/],
    [['config'], /config needs a subcommand: show, path, validate/],
    [['--max-steps', '0'], /--max-steps: expected a whole number of at least 1, found "0"/],
    [['--max-steps', '1e3'], /--max-steps: expected a whole number/],
    [['--context-window', '-5'], /--context-window/],
    [['--permission-mode', 'yolo'], /ask, accept-edits, plan, read-only, bypass.*yolo/],
    [['--output-format', 'xml'], /text, json, stream-json.*xml/],
    [['help', 'histroy'], /no command "histroy".*Did you mean history\?/],
    [['--allow', 'frob'], /--allow: there is no tool "frob"\. The tools are read_file, /],
    [['--allow', 'recall,run_comand'], /no tool "run_comand"\. Did you mean run_command\?/],
    [['--allow', 'a,,b'], /--allow .* cannot be read: expected names of tools, separated by commas/],
    [['--continue', '--resume', 'x'], /cannot be used with/],
    [['rollback', '--session', 's1', '--last', '--to-message', '3'], /cannot be used with/],
    [['rollback', '--snapshot', 'x', '--last'], /cannot be used with/],
    [['compact', '--session', 's1', '--yes'], /--yes only works with --preview/],
    [['rollback', '--snapshot', 'x', 'extra'], /too many arguments/],
    [['changes', '--yes'], /--yes only works with --restore/],
    [['changes', '--restore', 'all'], /--restore: expected a whole number of at least 1, found "all"/],
    [['events', '--since', 'yesterday'], /--since: expected a date/],
    [['history', '--model', 'x'], /unknown option '--model'/],
    [['--model', 'x', 'history'], /sanbot history has no option --model/],
    [['memory', '--json', 'list'], /--json must come after the command: sanbot memory list --json/],
    [['-p', 'one', 'two'], /takes one message/],
  ])('refuses %j with the reason, exit code 2, and before anything is loaded', async (argv, reason) => {
    const { code, err, out, loads } = await sanbot(...argv);
    expect({ code, out, loads }).toEqual({ code: 2, out: '', loads: 0 });
    expect(err).toMatch(/^sanbot: /);
    expect(err.replaceAll('\n', ' ')).toMatch(reason);
  });

  test('shows control characters of a wrong word instead of sending them to the terminal [S-24]', async () => {
    expect((await sanbot('\u001b[2Jx')).err).not.toContain('\u001b');
    expect((await sanbot('--\u001b]0;x\u0007')).err).not.toMatch(/[\u001b\u0007]/);
  });

  test.each([
    ['an option', (long: string) => [`--${long}`]],
    ['the value of an option', (long: string) => [`--output-format=${long}`]],
    ['a command', (long: string) => [long]],
    ['a number', (long: string) => ['--max-steps', long]],
  ])('%s that is very long is quoted in part', async (_, argv) => {
    const { code, err } = await sanbot(...argv(`x${'0'.repeat(5_000)}`));
    expect(code).toBe(2);
    expect(err).toMatch(/x0{30,80}…/);
    expect(err.length).toBeLessThan(300);
  });

  test.each([['--version'], ['-v']])('%s prints the version and loads nothing', async (flag) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await sanbot(flag)).toEqual({ code: 0, called: [], out: `${version}\n`, err: '', loads: 0 });
  });

  test.each([
    [['--help'], ['Usage: sanbot [options] [command | message]', '--permission-mode', 'rollback', 'Examples:']],
    [
      ['rollback', '--help'],
      ['Usage: sanbot rollback', '--dry-run', 'Examples:'],
    ],
    [
      ['help', 'history'],
      ['Usage: sanbot history', '--session <id>'],
    ],
    [
      ['config', '--help'],
      ['show', 'path', 'validate'],
    ],
  ])('%j prints help on stdout and loads nothing', async (argv, expected) => {
    const { code, out, err, loads } = await sanbot(...argv);
    expect({ code, err, loads }).toEqual({ code: 0, err: '', loads: 0 });
    for (const text of expected) expect(out).toContain(text);
  });

  test("a failing command's error is printed once, with its way out and its exit code", async () => {
    const fail = async () => {
      throw new SanbotError('not_found', sameInBoth('There is no snapshot "x"'), sameInBoth('Did you mean y?'));
    };
    const { code, err } = await runWith(['rollback', '--snapshot', 'x'], async () => moduleThat(() => fail));
    expect({ code, err }).toEqual({ code: 3, err: 'sanbot: There is no snapshot "x"\n  Did you mean y?\n' });
  });
});

test('--allow knows every tool there is', () => {
  const described = readdirSync(new URL('../../../prompts/tools', import.meta.url)).map((name) => name.replace(/\.md$/, ''));
  // Who calls a tool through call_tool is asked about that tool.
  expect([...toolNames, 'call_tool'].sort()).toEqual(described.sort());
});

test('every command is found by its name alone, and no other one is built', async () => {
  const { out } = await sanbot('--help');
  const names = commandsListed(out).filter((name) => !['help', 'completion'].includes(name));
  expect(names.length).toBeGreaterThan(20);
  const added = vi.spyOn(Command.prototype, 'addCommand');
  for (const name of names) {
    added.mockClear();
    expect((await sanbot(name, '--no-such-option')).err).toContain(`sanbot ${name} --help`);
    expect(added.mock.contexts.filter((parent) => parent instanceof Command && parent.name() === 'sanbot')).toHaveLength(1);
  }
  added.mockClear();
  await sanbot('-p', 'a question of several words');
  expect(added).not.toHaveBeenCalled();
  added.mockRestore();
});

test('a word that is no command is compared with all of them', async () => {
  expect((await sanbot('sesions')).err).toContain('Did you mean sessions?');
  expect((await sanbot('complete')).err).toContain('There is no command "complete"');
  expect((await sanbot('replay', 'session.jsonl')).err).toContain('There is no command "replay". It is part of the source now');
});
