import { afterEach, describe, expect, test } from 'vitest';
import { AbortedError, SanbotError } from '../../../src/domain/errors.ts';
import type { SanbotEvent } from '../../../src/domain/event.ts';
import { noUsage } from '../../../src/domain/message.ts';
import type { SnapshotMeta } from '../../../src/domain/snapshot.ts';
import type { ChatPort } from '../../../src/ui/chat-port.ts';
import { createRepl, type Repl } from '../../../src/ui/repl.ts';
import { type OpenedTerminal, openTerminal } from '../../support/terminal.ts';

const NOW = new Date('2026-02-01T12:00:00.000Z');
const snapshot: SnapshotMeta = {
  v: 1,
  id: 's1-20260201T110000000Z',
  sessionId: 's1',
  group: 'main',
  at: '2026-02-01T11:00:00.000Z',
  reason: 'compaction',
  model: 'm',
  messages: 310,
  bodies: 2,
  tokens: 182_340,
  bytes: 1_200_000,
  sha256: 'x',
};

type World = {
  readonly terminal: OpenedTerminal;
  readonly repl: Repl;
  /** What reached the chat, in order. */
  readonly said: string[];
  readonly saved: string[];
  readonly exitCode: Promise<number>;
};

let open: World[] = [];
afterEach(async () => {
  for (const { repl, terminal } of open) {
    repl.restore();
    terminal.close();
  }
  open = [];
});

type Part = {
  readonly chat?: (world: { emit: (event: SanbotEvent) => void; said: string[]; repl: Repl }) => Partial<ChatPort>;
  readonly earlier?: readonly string[];
  readonly columns?: number;
};

async function startRepl({ chat: part = () => ({}), earlier = [], columns = 100 }: Part = {}): Promise<World> {
  const terminal = await openTerminal({ columns });
  const said: string[] = [];
  const saved: string[] = [];
  const repl = createRepl({
    input: terminal.input,
    output: terminal.output,
    colour: false,
    dumb: false,
    version: '9.9.9',
    history: { load: () => earlier, save: (message) => void saved.push(message) },
    now: () => NOW,
    retentionDays: 7,
  });
  const model = { name: 'claude-test', offline: false, windowTokens: 200_000, windowAssumed: false };
  const chat: ChatPort = {
    session: () => ({ sessionId: 's1', resumed: false, messages: 0 }),
    send: async (text) => {
      said.push(text);
      repl.onEvent({ type: 'text', text: `you said ${JSON.stringify(text)}` });
    },
    compact: async (instructions) => void said.push(`compact:${instructions ?? ''}`),
    context: () => ({
      ...model,
      tokens: 50_000,
      softTokens: 140_000,
      hardTokens: 160_000,
      messages: 12,
      parts: [{ name: 'tools', tokens: 5_000 }],
      freeable: [],
    }),
    history: () => [snapshot],
    previewRollback: async () => ({
      snapshot,
      messagesNow: 24,
      tokensNow: 24_112,
      returning: [{ who: 'you', text: 'hello' }],
      leaving: [],
    }),
    rollback: async (id) => void said.push(`rollback:${id}`),
    memory: () => [],
    recall: async (query) => {
      said.push(`recall:${query}`);
      const snippet = { text: 'the retry \u001b[31mdelay is 250 ms', marks: [[4, 9]] as const };
      const source = {
        ref: 's0:4',
        sessionId: 's0',
        at: '2026-01-31T10:00:00.000Z',
        kind: 'assistant' as const,
        tool: undefined,
        failed: false,
      };
      return query === 'nothing' ? [] : [{ ...source, score: 1, snippet, charOffset: 0 }];
    },
    sessions: () => [],
    resume: async (id) => void said.push(`resume:${id}`),
    newSession: async () => void said.push('new'),
    clear: async () => void said.push('clear'),
    model: () => model,
    changeModel: async (name) => void said.push(`model:${name}`),
    cost: () => ({ requests: 3, usage: noUsage, costUsd: 0.5, compactions: 0, compactionUsage: noUsage, compactionCostUsd: undefined }),
    files: async (prefix) => ['src/', 'src.txt'].filter((path) => path.startsWith(prefix)),
    ...part({ emit: (event) => repl.onEvent(event), said, repl }),
  };
  const world = { terminal, repl, said, saved, exitCode: repl.run(chat) };
  open.push(world);
  await terminal.waitFor(/SanBot 9\.9\.9[\s\S]*> $/);
  return world;
}

/** A turn that lasts until `done` is called or it is stopped. */
function endlessTurn() {
  let done = (): void => undefined;
  const started: string[] = [];
  const stopped: string[] = [];
  return {
    started,
    stopped,
    finish: () => done(),
    chat: ({ emit }: { emit: (event: SanbotEvent) => void }): Partial<ChatPort> => ({
      send: (text, signal) => {
        started.push(text);
        emit({ type: 'text', text: `working on ${text}\n` });
        return new Promise((resolve) => {
          done = resolve;
          signal.addEventListener('abort', () => {
            stopped.push(text);
            emit({ type: 'turn_ended', stopReason: 'interrupted', steps: 1, usage: noUsage, costUsd: undefined, ms: 5 });
            resolve();
          });
        });
      },
    }),
  };
}

describe('the prompt', () => {
  test('sends a line, shows the answer, and leaves with Ctrl-D, the terminal as it was [D-42]', async () => {
    const { terminal, said, exitCode } = await startRepl();
    terminal.send('hello 世界\r');
    await terminal.waitFor('you said "hello 世界"');
    await terminal.waitFor('> ');
    terminal.send('\x04');
    expect(await exitCode).toBe(0);
    expect(said).toEqual(['hello 世界']);
    expect(terminal.input.isRaw).toBe(false);
    await terminal.waitFor(/$/);
    const raw = terminal.raw();
    expect(raw.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(raw.lastIndexOf('\x1b[?2004h'));
    expect(raw.lastIndexOf('\x1b[?25l')).toBeLessThanOrEqual(raw.lastIndexOf('\x1b[?25h'));
  });

  test('takes a paste of several lines as one message, whatever is in it [B-24]', async () => {
    const { terminal, said } = await startRepl();
    const pasted = 'first\r\nsecond\rthird \x1b[31m\x00 four\u2028five';
    terminal.paste(pasted);
    await terminal.waitFor(/\[text 1: 4 lines, \d+ characters: first/);
    terminal.send(' please\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['first\nsecond\nthird \x1b[31m\x00 four\u2028five please']);
    expect(terminal.raw()).not.toContain('\x1b[31m');
  });

  test('an end marker inside a paste sends nothing early [B-24]', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('\x1b[200~look\x1b[201~\rrm -rf /\r\x1b[201~');
    await terminal.waitFor('[text 1: ');
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['look\x1b[201~\nrm -rf /\n']);
  });

  test('a short paste of one line is put into the line', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('see ');
    terminal.paste('src/app.ts');
    await terminal.waitFor('see src/app.ts');
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['see src/app.ts']);
  });

  test('a backslash continues the line', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('one\\\r');
    await terminal.waitFor('… ');
    terminal.send('two\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['one\ntwo']);
  });

  test('knows the messages of earlier runs, those of several lines too, and saves new ones', async () => {
    const { terminal, said, saved } = await startRepl({ earlier: ['older', 'two\nlines'] });
    terminal.send('\x1b[A');
    await terminal.waitFor('[text 1: 2 lines');
    terminal.send('\r');
    await terminal.waitFor('you said');
    terminal.send('\x1b[A\x1b[A\x1b[A');
    await terminal.waitFor('older');
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['two\nlines', 'older']);
    expect(saved).toEqual(['two\nlines', 'older']);
  });

  test('Ctrl-C clears the line, twice leaves', async () => {
    const { terminal, said, exitCode } = await startRepl();
    terminal.send('half a thought');
    await terminal.waitFor('half a thought');
    terminal.send('\x03');
    await terminal.waitFor('Press Ctrl-C again to leave.');
    await terminal.waitFor('> ');
    terminal.send('x\x7f');
    terminal.send('\x03');
    await terminal.waitFor('Press Ctrl-C again to leave.');
    terminal.send('\x03');
    expect(await exitCode).toBe(0);
    expect(said).toEqual([]);
  });

  test('Tab completes commands and @files', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/hi\t');
    await terminal.waitFor('/history ');
    terminal.send('\x15see @src.\t');
    await terminal.waitFor('@src.txt');
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['see @src.txt']);
  });

  test.each([[1], [40]])('works in %i columns [B-25]', async (columns) => {
    const terminal = await openTerminal({ columns });
    const said: string[] = [];
    const repl = createRepl({
      input: terminal.input,
      output: terminal.output,
      colour: true,
      dumb: false,
      version: '1',
      history: { load: () => [], save: () => undefined },
      now: () => NOW,
      retentionDays: 7,
    });
    const world = { terminal, repl, said, saved: [], exitCode: Promise.resolve(0) };
    open.push(world);
    const chat = {
      session: () => ({ sessionId: 's', resumed: false, messages: 0 }),
      model: () => ({ name: 'm', offline: true, windowTokens: 8_000, windowAssumed: true }),
      send: async (text: string) => void said.push(text),
      files: async () => [],
      history: () => [snapshot],
      sessions: () => [],
    };
    // Only these members are reached by what is typed below.
    const exitCode = repl.run(chat as unknown as ChatPort);
    await terminal.waitFor('>');
    terminal.send('/history\r');
    await terminal.waitFor(/>\s*$/);
    terminal.send('中文 and more\r');
    terminal.send('\x04');
    expect(await exitCode).toBe(0);
    expect(said).toEqual(['中文 and more']);
  });
});

describe('while a turn runs', () => {
  test.each([
    ['Ctrl-C', '\x03'],
    ['Esc', '\x1b'],
  ])('%s stops it and the prompt comes back', async (_, key) => {
    const turn = endlessTurn();
    const { terminal } = await startRepl({ chat: turn.chat });
    terminal.send('go\r');
    await terminal.waitFor('working on go');
    terminal.send(key);
    await terminal.waitFor('interrupted');
    await terminal.waitFor('> ');
    expect(turn.stopped).toEqual(['go']);
  });

  test('what is typed is kept, and each finished line is delivered once, in order [P9, O11, C111]', async () => {
    const turn = endlessTurn();
    const { terminal } = await startRepl({ chat: turn.chat });
    terminal.send('one\r');
    await terminal.waitFor('working on one');
    terminal.send('twp\x7fo\rthree\r\x1b[Afo');
    await terminal.waitFor('(queued) three');
    turn.finish();
    await terminal.waitFor('working on two');
    turn.finish();
    await terminal.waitFor('working on three');
    turn.finish();
    await terminal.waitFor('> fo');
    terminal.send('ur\r');
    await terminal.waitFor('working on four');
    expect(turn.started).toEqual(['one', 'two', 'three', 'four']);
  });

  test('several lines typed at once are as many messages', async () => {
    const turn = endlessTurn();
    const { terminal } = await startRepl({ chat: turn.chat });
    terminal.send('one\rtwo\rthr');
    await terminal.waitFor('working on one');
    turn.finish();
    await terminal.waitFor('working on two');
    turn.finish();
    await terminal.waitFor('> thr');
    expect(turn.started).toEqual(['one', 'two']);
  });

  test('a turn that does not stop can be left with a third Ctrl-C', async () => {
    const { terminal, exitCode } = await startRepl({
      chat: ({ emit }) => ({ send: () => (emit({ type: 'text', text: 'stuck' }), new Promise(() => undefined)) }),
    });
    terminal.send('go\r');
    await terminal.waitFor('stuck');
    terminal.send('\x03');
    terminal.send('\x03');
    await terminal.waitFor('Ctrl-C once more leaves');
    terminal.send('\x03');
    expect(await exitCode).toBe(130);
    expect(terminal.input.isRaw).toBe(false);
  });

  test('a failure is told with its way out, and the next message tries again', async () => {
    let tries = 0;
    const { terminal, said } = await startRepl({
      chat: ({ said: heard }) => ({
        send: async (text) => {
          tries += 1;
          if (tries === 1) throw new SanbotError('store_failed', 'cannot write log.jsonl: ENOSPC');
          heard.push(text);
        },
      }),
    });
    terminal.send('a\r');
    await terminal.waitFor('sanbot: cannot write log.jsonl: ENOSPC');
    await terminal.waitFor('Free some space');
    terminal.send('b\r');
    await terminal.waitFor(/> $/);
    terminal.send('\x04');
    await open[0]?.exitCode;
    expect(said).toEqual(['b']);
  });

  test('SIGINT from outside does what Ctrl-C does', async () => {
    const turn = endlessTurn();
    const { terminal, repl, exitCode } = await startRepl({ chat: turn.chat });
    terminal.send('go\r');
    await terminal.waitFor('working on go');
    repl.interrupt();
    await terminal.waitFor('interrupted');
    await terminal.waitFor('> ');
    repl.interrupt();
    await terminal.waitFor('Press Ctrl-C again');
    repl.interrupt();
    expect(await exitCode).toBe(0);
  });
});

describe('a question about permission', () => {
  const run = { tool: 'run_command', access: 'run', title: 'run_command', preview: 'npm test \u202e; rm -rf /', outside: false } as const;

  async function asking(preview: string = run.preview) {
    const answers: string[] = [];
    const world = await startRepl({
      chat: ({ emit, repl, said }) => ({
        send: async (text, signal) => {
          if (text !== 'go') return void said.push(text);
          emit({ type: 'text', text: 'asking' });
          answers.push(
            await repl
              .askPermission({ ...run, preview }, signal)
              .catch((error) => (error instanceof AbortedError ? 'aborted' : String(error))),
          );
          emit({ type: 'text', text: `answer: ${answers.at(-1)}` });
        },
      }),
    });
    return { ...world, answers };
  }

  test('is answered no by Enter, and shows what is hidden in the command [S-14, S-15]', async () => {
    const { terminal, answers } = await asking();
    terminal.send('go\r');
    const shown = await terminal.waitFor('Allow run_command?');
    expect(shown).toContain('npm test \\u202e; rm -rf /');
    await terminal.waitFor('Yes, and for the rest');
    terminal.send('\r');
    await terminal.waitFor('answer: no');
    expect(answers).toEqual(['no']);
  });

  test.each([
    ['once', '\x1b[B\r'],
    ['session', '\x1b[B\x1b[B\r'],
    ['no', '\x1b[B\x1b[A\x1b[A\r'],
    ['no', '\x1b'],
  ])('is answered %s by %j', async (answer, keys) => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor('Yes, and for the rest');
    terminal.send(keys);
    await terminal.waitFor(`answer: ${answer}`);
    await terminal.waitFor('> ');
  });

  test('is never answered by what is typed ahead or pasted: it is kept as messages [S-15]', async () => {
    const { terminal, answers, said } = await asking();
    terminal.send('go\ry\ryes\r');
    await terminal.waitFor('Yes, and for the rest');
    terminal.send('y\r');
    terminal.paste('y\n');
    terminal.send('\r');
    terminal.send('s');
    terminal.send('\x1b[A\r');
    await terminal.waitFor('answer: no');
    await terminal.waitFor('> s');
    expect(answers).toEqual(['no']);
    expect(said).toEqual(['y', 'yes', 'y', 'y\n']);
  });

  test('is taken back by Ctrl-C', async () => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor('Yes, and for the rest');
    terminal.send('\x03');
    await terminal.waitFor('answer: aborted');
    await terminal.waitFor('> ');
  });
});

describe('a command', () => {
  test('is never part of the conversation [C125]', async () => {
    const { terminal, said } = await startRepl();
    for (const [command, shown] of [
      ['/context', 'Soft limit'],
      ['/history', 'before a compaction'],
      ['/cost', '3 requests'],
      ['/memory', 'Nothing is remembered'],
      ['/sessions', 'No sessions'],
      ['/model', 'claude-test'],
      ['/help', 'Tab completes'],
    ] as const) {
      terminal.send(`${command}\r`);
      await terminal.waitFor(shown);
      await terminal.waitFor(/> $/);
    }
    expect(said).toEqual([]);
  });

  test.each([
    ['/compact keep the API names', 'compact:keep the API names'],
    ['/compact', 'compact:'],
    ['/clear', 'clear'],
    ['/recall retry delay', 'recall:retry delay'],
    ['/model other', 'model:other'],
    ['/resume s2', 'resume:s2'],
    ['/new', 'new'],
  ])('%s does it', async (line, done) => {
    const { terminal, said, exitCode } = await startRepl();
    terminal.send(`${line}\r/quit\r`);
    expect(await exitCode).toBe(0);
    expect(said).toEqual([done]);
  });

  test('recalled text is shown with its reference, and nothing in it is obeyed', async () => {
    const { terminal } = await startRepl();
    terminal.send('/recall\r');
    await terminal.waitFor('Say what to look for');
    terminal.send('/recall nothing\r');
    await terminal.waitFor('Nothing was found.');
    terminal.send('/recall retry\r');
    await terminal.waitFor(/s0:4 {2}2026-01-31 10:00 {2}assistant\s+the retry ␛\[31mdelay is 250 ms\s+sanbot show REF/);
  });

  test('unknown ones name the nearest, and a path is no command', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/comapct\r');
    await terminal.waitFor('Did you mean /compact?');
    terminal.send('/etc/hosts is what?\r');
    await terminal.waitFor('you said');
    terminal.send('/help me\r');
    await terminal.waitFor('/help takes nothing after it.');
    expect(said).toEqual(['/etc/hosts is what?']);
  });

  test('/rollback shows what will change and wants a yes', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/rollback\r');
    await terminal.waitFor('1 h ago, before a compaction: 310 messages');
    terminal.send('\r');
    const shown = await terminal.waitFor('Roll back?');
    expect(shown).toContain('24 -> 310');
    expect(shown).toContain('+ you: hello');
    await terminal.waitFor('Yes, roll back');
    terminal.send('\r');
    await terminal.waitFor('Nothing was changed.');
    terminal.send(`/rollback ${snapshot.id}\r`);
    await terminal.waitFor('Yes, roll back');
    terminal.send('\x1b[B\r');
    await terminal.waitFor(/> $/);
    terminal.send('/rollback\r');
    await terminal.waitFor('Which snapshot?');
    terminal.send('\x1b');
    await terminal.waitFor(/> $/);
    expect(said).toEqual([`rollback:${snapshot.id}`]);
  });
});

test('a terminal that goes away ends the program [D-42]', async () => {
  const { terminal, exitCode } = await startRepl();
  terminal.close();
  expect(await exitCode).toBe(0);
});
