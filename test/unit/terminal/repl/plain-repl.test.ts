import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLineSource } from '../../../../src/terminal/repl/line-source.ts';
import { createRepl } from '../../../../src/terminal/repl/repl.ts';
import { createTheme } from '../../../../src/terminal/text/theme.ts';
import { listeningChat } from '../../../support/repl-world.ts';

describe('lines from a pipe', () => {
  async function linesOf(...chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
    const input = new PassThrough();
    const source = createLineSource(input);
    for (const chunk of chunks) input.write(chunk);
    input.end();
    const lines: string[] = [];
    for (let line = await source.next(); line !== undefined; line = await source.next()) lines.push(line);
    return lines;
  }

  test('end at a newline only, and at the end of the input [D-42]', async () => {
    expect(await linesOf('one\ntw', 'o\r\n\n  \nthree\u2028still three')).toEqual(['one', 'two', 'three\u2028still three']);
  });

  test('are joined by a backslash', async () => {
    expect(await linesOf('a\\\nb\nc\\\n')).toEqual(['a\nb', 'c']);
  });

  test('may be cut inside a character', async () => {
    const bytes = Buffer.from('中文\n');
    expect(await linesOf(bytes.subarray(0, 2), bytes.subarray(2))).toEqual(['中文']);
  });
});

describe('without a terminal', () => {
  function start() {
    const input = new PassThrough();
    const output = new PassThrough();
    const heard: string[] = [];
    // Of a terminal's streams only what a pipe has is used here: that is what is tested.
    const streams = { input, output } as unknown as { input: NodeJS.ReadStream; output: NodeJS.WriteStream };
    const history = { load: () => [], save: () => undefined };
    const repl = createRepl({
      ...streams,
      colour: false,
      theme: createTheme('auto', {}, () => undefined),
      dumb: false,
      version: '9',
      history,
      suspend: async () => undefined,
      clipboardImage: async () => ({ why: '' }),
      edit: async (text: string) => ({ kind: 'edited' as const, text }),
      now: () => new Date(0),
      retentionDays: 7,
    });
    const chat = listeningChat((text) => void heard.push(text), repl.onEvent);
    return { input, output, heard, repl, chat, screen: () => String(output.read() ?? '') };
  }

  test('messages and commands work line by line, and the end of the input leaves', async () => {
    const { input, heard, repl, chat, screen } = start();
    input.end('hello 世界\n/clear\n/rollback\n/help');
    expect(await repl.run(chat)).toBe(0);
    expect(heard).toEqual(['hello 世界', 'clear']);
    const shown = screen();
    expect(shown).toContain('you said "hello 世界"');
    expect(shown).toContain('/rollback N');
    expect(shown).not.toContain('\u001b');
  });

  test('/model lists what can be named', async () => {
    const { input, heard, repl, chat, screen } = start();
    input.end('/model\n/model local/small');
    expect(await repl.run(chat)).toBe(0);
    expect(screen()).toContain('* claude-test  200,000 tokens\n  local/small\n  local/lar');
    expect(heard).toEqual(['model:local/small']);
  });

  test('what would have to be asked is not allowed [S-19]', async () => {
    const { repl } = start();
    const request = { tool: 'run_command', access: 'run', title: 'run_command x', preview: 'x', outside: false, offers: [] } as const;
    expect(await repl.askPermission(request, new AbortController().signal)).toBe('nobody');
  });

  test('SIGINT stops a turn, and leaves when there is none', async () => {
    const { input, repl, chat, heard } = start();
    let begun = (): void => undefined;
    const working = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const say = (text: string, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        heard.push(text);
        signal.addEventListener('abort', () => resolve());
        begun();
      });
    const exitCode = repl.run({ ...chat, turn: { ...chat.turn, say } });
    input.write('go\n');
    await working;
    repl.interrupt();
    await new Promise((resolve) => setImmediate(resolve));
    repl.interrupt();
    expect(await exitCode).toBe(0);
    expect(heard).toEqual(['go']);
  });

  test('a reader that goes away ends it [B-25]', async () => {
    const { output, repl, chat } = start();
    const exitCode = repl.run(chat);
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await exitCode).toBe(0);
  });
});
