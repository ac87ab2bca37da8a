import { describe, expect, test } from 'vitest';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import { type ChatPart, startRepl } from '../../../support/repl-world.ts';

/** A turn that lasts until `done` is called or it is stopped. */
function endlessTurn() {
  let done = (): void => undefined;
  const started: string[] = [];
  const stopped: string[] = [];
  return {
    started,
    stopped,
    finish: () => done(),
    chat: (({ emit }) => ({
      turn: {
        say: (text, signal) => {
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
      },
    })) satisfies ChatPart,
  };
}

/** A turn in which a command runs and prints. */
function runningCommand() {
  let printed: string | undefined;
  let done = (): void => undefined;
  const moves: string[] = [];
  return {
    moves,
    print: (text: string | undefined) => {
      printed = text;
    },
    end: () => done(),
    chat: (({ emit }) => ({
      turn: {
        say: () => {
          printed = 'one\ntwo\n\u001b[31mthree\u001b[0m\n10 %\r20 %\r30 %\n';
          emit({ type: 'turn_started' });
          emit({ type: 'tool_started', toolUseId: 'a', tool: 'run_command', title: 'run_command npm test' });
          return new Promise<void>((resolve) => {
            done = () => {
              printed = undefined;
              const ended = { toolUseId: 'a', tool: 'run_command', ok: true, denied: false, bytes: 3, ms: 5 };
              emit({ type: 'tool_ended', ...ended, note: sameInBoth('exit 0') });
              resolve();
            };
          });
        },
        printed: () => printed,
        output: () => 'all of it',
        toBackground: () => {
          if (printed === undefined) return sameInBoth('no command is running');
          moves.push('moved');
          done();
          return undefined;
        },
      },
    })) satisfies ChatPart,
  };
}

describe('a command that runs', () => {
  test('shows its newest three rows, and Ctrl-O follows it to its end', async () => {
    const command = runningCommand();
    const { terminal } = await startRepl({ chat: command.chat, rows: 20 });
    terminal.send('go\r');
    await terminal.waitFor(/● \$ npm test\s+two\s+three\s+30 %[\s\S]*Ctrl-B background/);
    terminal.send('\x0f');
    const viewed = await terminal.waitForScreen(/1-4 of 4[\s\S]*Esc closes\n. Working/);
    expect(viewed.join('\n')).not.toContain('Esc stops');
    command.print(Array.from({ length: 100 }, (_, n) => `row ${n + 1}`).join('\n'));
    await terminal.waitFor('row 100');
    terminal.send('\x1b[H');
    await terminal.waitFor(/row 1\s+row 2\s/);
    command.end();
    await terminal.waitFor('all of it');
  });

  test.each([
    ['Ctrl-B on an empty line', '\x02'],
    ['/background', '/background\r'],
  ])('goes on in the background by %s', async (_, keys) => {
    const command = runningCommand();
    const { terminal } = await startRepl({ chat: command.chat });
    terminal.send('go\r');
    await terminal.waitFor('● $ npm test');
    terminal.send(`ab\x02c\x05\x15${keys}`);
    await terminal.waitFor('✓ $ npm test');
    expect(command.moves).toEqual(['moved']);
    terminal.send('\x02');
    await terminal.waitFor('Nothing was put into the background: no command is running.');
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
    terminal.send('twp\x7fo\rthree\rfo');
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

  test('Ctrl-C drops the messages that wait, keeps what is half typed, and Up brings them back', async () => {
    const turn = endlessTurn();
    const { terminal, saved } = await startRepl({ chat: turn.chat });
    terminal.send('one\r');
    await terminal.waitFor('working on one');
    terminal.send('two\rthree\rfo\x03');
    await terminal.waitFor('2 queued messages dropped');
    await terminal.waitFor('> fo');
    terminal.send('ur\r');
    await terminal.waitFor('working on four');
    expect(turn.started).toEqual(['one', 'four']);
    expect(saved).toEqual(['one', 'two', 'three', 'four']);
    turn.finish();
    await terminal.waitFor(/> $/);
    terminal.send('\x1b[A\x1b[A\r');
    await terminal.waitFor('working on three');
    expect(terminal.text().match(/dropped/g)).toHaveLength(1);
  });

  test('what is typed during a compaction is delivered once, after it, also when it is cancelled [P9, O11, C111]', async () => {
    const { terminal, said } = await startRepl({
      chat: ({ emit, hear }) => ({
        compaction: {
          compact: ({ instructions }, signal) => {
            hear(`compact:${instructions ?? ''}`);
            emit({ type: 'compaction_started', trigger: 'manual', reasons: [], tokens: 182_340, messages: 310 });
            return new Promise((_, reject) => {
              signal.addEventListener('abort', () => {
                emit({ type: 'compaction_cancelled', trigger: 'manual' });
                reject(new AbortedError('Interrupted'));
              });
            });
          },
        },
      }),
    });
    terminal.send('/compact the API\r');
    await terminal.waitFor('Compacting 310 messages');
    terminal.send('and then this\r');
    await terminal.waitFor('(queued) and then this');
    terminal.send('\x1b');
    await terminal.waitFor('Compaction cancelled; the history is unchanged.');
    await terminal.waitFor('you said "and then this"');
    await terminal.waitFor(/> $/);
    expect(said).toEqual(['compact:the API', 'and then this']);
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
      chat: ({ emit }) => ({
        turn: {
          say: () => {
            emit({ type: 'text', text: 'stuck' });
            return new Promise(() => undefined);
          },
        },
      }),
    });
    terminal.send('go\r');
    await terminal.waitFor('stuck');
    terminal.send('\x03');
    terminal.send('\x03');
    await terminal.waitFor('Press Ctrl-C again to exit immediately');
    terminal.send('\x03');
    expect(await exitCode).toBe(130);
    expect(terminal.input.isRaw).toBe(false);
  });

  test('a failure is told with its way out, and the next message tries again', async () => {
    let tries = 0;
    const { terminal, said, exitCode } = await startRepl({
      chat: ({ hear }) => ({
        turn: {
          say: async (text) => {
            tries += 1;
            if (tries === 1) throw new SanbotError('store_failed', sameInBoth('cannot write log.jsonl: ENOSPC'));
            hear(text);
          },
        },
      }),
    });
    terminal.send('a\r');
    await terminal.waitForScreen(/^> a\n\n✗ cannot write log\.jsonl: ENOSPC$/m);
    await terminal.waitFor('Free some space');
    terminal.send('b\r');
    await terminal.waitFor(/> $/);
    terminal.send('\x04');
    await exitCode;
    expect(said).toEqual(['b']);
    expect(terminal.text()).not.toContain('sanbot: ');
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
