import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Actions, toolNames } from '../../../src/commands/actions.ts';
import { runCli } from '../../../src/commands/program.ts';
import { SanbotError } from '../../../src/domain/errors.ts';

type Called = { readonly name: string; readonly options: unknown };

async function sanbot(...argv: string[]) {
  const called: Called[] = [];
  const seen = { out: '', err: '', loads: 0 };
  const record = (name: string) => async (options: unknown) => {
    called.push({ name, options });
    return 0;
  };
  const code = await runCli(argv, {
    version: '1.2.3',
    columns: 100,
    out: (text) => {
      seen.out += text;
    },
    err: (text) => {
      seen.err += text;
    },
    now: () => new Date('2026-02-01T00:00:00.000Z'),
    loadActions: async () => {
      seen.loads += 1;
      return actionsThat(record);
    },
  });
  return { code, called, ...seen };
}

/** Every command there is or will be; which ones exist is the business of the types, so the proxy is believed. */
const actionsThat = (act: (name: string) => (options: unknown) => Promise<number>): Actions =>
  new Proxy({}, { get: (_target, name) => (name === 'then' ? undefined : act(String(name))) }) as Actions;

/** The same for every command. */
const anyAction = (act: () => Promise<number>): Actions => actionsThat(() => act);

test('what is searched for are words, and its filters are checked in form', async () => {
  const { called } = await sanbot('search', 'retry', 'delay', '--errors', '--role', 'tool', '--since', '1d', '--limit', '3', '--json');
  expect(called).toEqual([
    {
      name: 'search',
      options: {
        home: undefined,
        query: 'retry delay',
        session: undefined,
        tool: undefined,
        role: 'tool',
        errors: true,
        since: new Date('2026-01-31T00:00:00.000Z'),
        limit: 3,
        group: undefined,
        json: true,
      },
    },
  ]);
  for (const wrong of [['search'], ['search', 'x', '--limit', '0'], ['search', 'x', '--role', 'me'], ['show'], ['show', 'a', 'b']])
    expect((await sanbot(...wrong)).code, wrong.join(' ')).toBe(2);
});

const plainRollback = { home: undefined, files: false, dryRun: false, yes: false, json: false };

const plainChat = {
  home: undefined,
  print: undefined,
  outputFormat: 'text',
  continueNewest: false,
  resume: undefined,
  fork: false,
  model: undefined,
  contextWindow: undefined,
  maxSteps: undefined,
  permissionMode: 'ask',
  allow: [],
  group: undefined,
};

describe('the command line', () => {
  test('starts a chat when nothing is said', async () => {
    expect((await sanbot()).called).toEqual([{ name: 'chat', options: plainChat }]);
  });

  test('passes every option of a chat on', async () => {
    const argv = ['-p', 'what?', '--output-format', 'json', '--resume', 'abc', '--model', 'm', '--context-window', '32000'];
    const more = ['--max-steps', '7', '--permission-mode', 'bypass', '--allow', 'run_command,recall', '--group', 'g', '--home', '/h'];
    expect((await sanbot(...argv, ...more)).called).toEqual([
      {
        name: 'chat',
        options: {
          home: '/h',
          print: { prompt: 'what?' },
          outputFormat: 'json',
          continueNewest: false,
          resume: 'abc',
          fork: false,
          model: 'm',
          contextWindow: 32_000,
          maxSteps: 7,
          permissionMode: 'bypass',
          allow: ['run_command', 'recall'],
          group: 'g',
        },
      },
    ]);
  });

  test.each([
    [['-p'], { prompt: undefined }],
    [['-p', 'hello'], { prompt: 'hello' }],
    [['--print=--odd'], { prompt: '--odd' }],
    [['-p', '--output-format', 'text', 'hello'], { prompt: 'hello' }],
    [['-p', ''], { prompt: '' }],
    [['-p', '列出文件'], { prompt: '列出文件' }],
  ])('takes a prompt from %j', async (argv, print) => {
    expect((await sanbot(...argv)).called).toEqual([{ name: 'chat', options: { ...plainChat, print } }]);
  });

  test.each([
    [['history'], 'history', { home: undefined, session: undefined, snapshot: undefined, json: false }],
    [['history', '--session', 's1', '--json'], 'history', { home: undefined, session: 's1', snapshot: undefined, json: true }],
    [['history', '--session', 's1', '--snapshot', 'x'], 'history', { home: undefined, session: 's1', snapshot: 'x', json: false }],
    [['--home', '/h', 'history'], 'history', { home: '/h', session: undefined, snapshot: undefined, json: false }],
    [['history', '--home', '/h'], 'history', { home: '/h', session: undefined, snapshot: undefined, json: false }],
    [['sessions', '--json'], 'sessions', { home: undefined, json: true }],
    [['rollback', '--snapshot', 'x', '--dry-run'], 'rollback', { ...plainRollback, to: { snapshot: 'x' }, dryRun: true }],
    [['rollback', '--snapshot', 'x', '--yes', '--json'], 'rollback', { ...plainRollback, to: { snapshot: 'x' }, yes: true, json: true }],
    [
      ['rollback', '--session', 's1', '--to-message', '3', '--files'],
      'rollback',
      { ...plainRollback, to: { session: 's1', message: '3' }, files: true },
    ],
    [['rollback', '--session', 's1', '--last'], 'rollback', { ...plainRollback, to: { lastOf: 's1' } }],
    [
      ['compact', '--session', 's1', '--preview', '--yes', '--instructions', 'the API names'],
      'compact',
      { home: undefined, session: 's1', preview: true, yes: true, json: false, instructions: 'the API names' },
    ],
    [['rollback', '--session', 's1'], 'listMessages', { home: undefined, session: 's1', json: false }],
    [
      ['events', '--type', 'compacted'],
      'events',
      { home: undefined, session: undefined, type: 'compacted', since: undefined, follow: false, json: false },
    ],
    [['metrics', '--prometheus'], 'metrics', { home: undefined, session: undefined, since: undefined, format: 'prometheus' }],
    [['config', 'show', '--json'], 'config', { home: undefined, what: 'show', json: true }],
    [['config', 'path'], 'config', { home: undefined, what: 'path', json: false }],
    [['config', 'validate'], 'config', { home: undefined, what: 'validate', json: false }],
  ])('runs %j without a person [C123]', async (argv, name, options) => {
    expect(await sanbot(...argv)).toMatchObject({ code: 0, called: [{ name, options }] });
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
    [['histroy'], /no command "histroy".*Did you mean history\?/],
    [['do it'], /no command "do it"/],
    [['config', 'shwo'], /no command "shwo".*Did you mean show\?/],
    [['config'], /which of show, path, validate\?/],
    [['--max-steps', '0'], /--max-steps: expected a whole number of at least 1, found "0"/],
    [['--max-steps', '1e3'], /--max-steps: expected a whole number/],
    [['--context-window', '-5'], /--context-window/],
    [['--permission-mode', 'yolo'], /yolo.*ask, accept-edits, read-only, bypass/],
    [['--output-format', 'xml'], /xml.*text, json, stream-json/],
    [['help', 'histroy'], /no command "histroy".*Did you mean history\?/],
    [['--allow', 'frob'], /--allow: there is no tool "frob"\. They are read_file, /],
    [['--allow', 'recall,run_comand'], /no tool "run_comand"\. Did you mean run_command\?/],
    [['--allow', 'a,,b'], /--allow: expected names separated by commas/],
    [['--continue', '--resume', 'x'], /cannot be used with/],
    [['--resume'], /--resume/],
    [['rollback'], /--snapshot ID, --session ID --last, or/],
    [['rollback', '--to-message', '3'], /--session ID/],
    [['rollback', '--session', 's1', '--last', '--to-message', '3'], /cannot be used with/],
    [['rollback', '--snapshot', 'x', '--last'], /cannot be used with/],
    [['compact'], /--session/],
    [['compact', '--session', 's1', '--yes'], /--yes answers the question of --preview/],
    [['rollback', '--snapshot', 'x', 'extra'], /too many arguments/],
    [['events', '--since', 'yesterday'], /--since: expected a date/],
    [['history', '--model', 'x'], /unknown option '--model'/],
    [['--model', 'x', 'history'], /--model means nothing to sanbot history/],
    [['-p', 'one', 'two'], /One prompt is enough/],
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
    expect(await sanbot(flag)).toEqual({ code: 0, called: [], out: '1.2.3\n', err: '', loads: 0 });
  });

  test.each([
    [['--help'], ['Usage: sanbot [options] [command]', '--permission-mode', 'rollback', 'Examples:']],
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
    let err = '';
    const fail = async () => {
      throw new SanbotError('not_found', 'There is no snapshot "x"', { hint: 'The nearest is y.' });
    };
    const world = { version: '1', columns: 80, now: () => new Date(0), out: () => undefined };
    const code = await runCli(['rollback', '--snapshot', 'x'], {
      ...world,
      err: (text) => {
        err += text;
      },
      loadActions: async () => anyAction(fail),
    });
    expect({ code, err }).toEqual({ code: 3, err: 'sanbot: There is no snapshot "x"\n  The nearest is y.\n' });
  });
});

test('--allow knows every tool there is', () => {
  const described = readdirSync(new URL('../../../prompts/tools', import.meta.url)).map((name) => name.replace(/\.md$/, ''));
  expect([...toolNames].sort()).toEqual(described.sort());
});
