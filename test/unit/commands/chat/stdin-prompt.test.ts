import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { resolvePrompt } from '../../../../src/commands/chat/stdin-prompt.ts';
import { AbortedError } from '../../../../src/domain/errors.ts';

/** Time stands still: the wait that is `late` ends at once when stdin has nothing more, all others only when they are called off. */
function world(stdin: PassThrough, { late }: { readonly late: boolean }) {
  const waits: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push(ms);
      signal?.addEventListener('abort', () => reject(new AbortedError()));
      if (late) setImmediate(() => setImmediate(resolve));
    });
  // As much of process.stdin as is used.
  return { waits, world: { stdin: stdin as unknown as NodeJS.ReadStream, hasInput: () => true, sleep } };
}

async function ask(given: string | undefined, stdin: PassThrough, late = false) {
  const told: string[] = [];
  const { waits, world: made } = world(stdin, { late });
  const prompt = await resolvePrompt(made, { argument: given, warn: (line) => told.push(line.en) });
  return { prompt, told, waits };
}

const ended = (...pieces: readonly (string | Buffer)[]): PassThrough => {
  const stdin = new PassThrough();
  for (const piece of pieces) stdin.write(piece);
  return stdin.end();
};

describe('a prompt and what is piped in', () => {
  test('what is piped in follows the prompt after a blank line', async () => {
    expect(await ask('review this', ended('+a\n', '-b\n'))).toMatchObject({ prompt: 'review this\n\n+a\n-b\n', told: [] });
  });

  test('UTF-16 with a mark is read, and what is not text is told [B-47]', async () => {
    const utf16 = (text: string) => Buffer.from(text, 'utf16le');
    expect(await ask('read', ended(utf16('\ufeff中文\n')))).toMatchObject({ prompt: 'read\n\n中文\n', told: [] });
    expect(await ask(undefined, ended(utf16('\ufeff中文\n').swap16()))).toMatchObject({ prompt: '中文\n', told: [] });
    for (const bytes of [Buffer.from([0xc4, 0xe3]), utf16('no mark')])
      expect((await ask(undefined, ended(bytes))).told).toEqual([expect.stringMatching(/^stdin is not UTF-8 text/)]);
  });

  test('a standard input that is the null device is not opened', async () => {
    const stdin = (): never => {
      throw new Error('opened');
    };
    const made = {
      get stdin() {
        return stdin();
      },
      hasInput: () => false,
      sleep: stdin,
    };
    expect(await resolvePrompt(made, { argument: 'review this', warn: stdin })).toBe('review this');
  });

  test('a character that two pieces share comes whole', async () => {
    const bytes = Buffer.from('差异');
    expect((await ask('看', ended(bytes.subarray(0, 2), bytes.subarray(2)))).prompt).toBe('看\n\n差异');
  });

  test('an empty stdin, and one of white space, changes nothing and says nothing', async () => {
    for (const stdin of [ended(), ended('\n \n')]) expect(await ask('hello', stdin)).toMatchObject({ prompt: 'hello', told: [] });
  });

  test('a pipe that nobody writes to or ends is not waited for: the prompt stands, and that is told', async () => {
    const { prompt, told, waits } = await ask('hello', new PassThrough(), true);
    expect(prompt).toBe('hello');
    expect(told).toEqual([expect.stringContaining('stdin was not read: nothing arrived within 3 s')]);
    expect(waits).toEqual([3_000]);
  });

  test('a pipe that has something and never ends gives what came, and that is told', async () => {
    const stdin = new PassThrough();
    stdin.write('half');
    const { prompt, told, waits } = await ask('hello', stdin, true);
    expect(prompt).toBe('hello\n\nhalf');
    expect(told).toEqual([expect.stringContaining('stdin did not end')]);
    expect(waits).toEqual([3_000, 60_000]);
  });

  test('a stdin that cannot be read is told, and the prompt stands', async () => {
    const stdin = new PassThrough();
    stdin.destroy(new Error('EISDIR: illegal operation on a directory'));
    expect(await ask('hello', stdin)).toMatchObject({ prompt: 'hello', told: [expect.stringContaining('EISDIR')] });
  });

  test('without a prompt, stdin is the prompt, and no wait is set', async () => {
    expect(await ask(undefined, ended('all of it'))).toEqual({ prompt: 'all of it', told: [], waits: [] });
  });

  test('a terminal is not read', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    expect(await ask('hello', stdin)).toEqual({ prompt: 'hello', told: [], waits: [] });
    await expect(ask(undefined, stdin)).rejects.toThrow('There is no prompt');
  });

  test('more than a prompt can be is refused, with a way out', async () => {
    const stdin = new PassThrough({ highWaterMark: 300_000_000 });
    stdin.write(Buffer.alloc(100_000_001));
    await expect(ask('hello', stdin)).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('name the file') });
  });
});
