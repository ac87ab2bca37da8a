import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createKeyboard, type KeySource } from '../../../../src/terminal/input/keyboard.ts';
import { createKeyDecoder, type KeyEvent, PASTE_END, PASTE_START, splitKeys } from '../../../../src/terminal/input/keys.ts';

/** Neighbouring keys as one piece: where a chunk ended makes no difference. */
function joined(pieces: readonly KeyEvent[]): readonly KeyEvent[] {
  const all: KeyEvent[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.type === 'keys' && piece.type === 'keys') all.splice(-1, 1, { type: 'keys', text: last.text + piece.text });
    else all.push(piece);
  }
  return all;
}

describe('a paste', () => {
  const typed = fc.stringMatching(/^[a-z\r 中]{0,8}$/);
  const pasted = fc.stringMatching(/^[a-z\n 中~[0-9]{0,12}$/);
  const parts = fc.array(fc.tuple(typed, pasted), { maxLength: 4 });

  test('is taken out of the keys, wherever the chunks are cut [B-24]', () => {
    fc.assert(
      fc.property(parts, typed, fc.array(fc.nat(80)), (pairs, last, cuts) => {
        const whole = pairs.map(([before, paste]) => `${before}${PASTE_START}${paste}${PASTE_END}`).join('') + last;
        const places = [...new Set(cuts.filter((cut) => cut > 0 && cut < whole.length))].sort((a, b) => a - b);
        const decoder = createKeyDecoder();
        // Half a marker at the very end of a chunk that is one Escape alone counts as the key; a terminal never sends that.
        const chunks = [0, ...places].map((from, i) => whole.slice(from, places[i])).filter((chunk) => chunk !== '\u001b');
        fc.pre(chunks.join('') === whole);
        const expected = pairs.flatMap(([before, paste]): KeyEvent[] => [
          ...(before === '' ? [] : [{ type: 'keys', text: before } as const]),
          { type: 'paste', text: paste },
        ]);
        const all = last === '' ? expected : [...expected, { type: 'keys', text: last } as const];
        expect(joined(chunks.flatMap((chunk) => decoder.write(chunk)))).toEqual(joined(all));
      }),
      { numRuns: 500 },
    );
  });

  test('has plain newlines, and keeps all else', () => {
    expect(createKeyDecoder().write(`${PASTE_START}a\r\nb\rc\nd\u0000\t\u2028${PASTE_END}`)).toEqual([
      { type: 'paste', text: 'a\nb\nc\nd\u0000\t\u2028' },
    ]);
  });

  test('of 5 MB in small chunks is one piece [B-24]', () => {
    const decoder = createKeyDecoder();
    const chunk = 'x'.repeat(4_096);
    const pieces = [PASTE_START, ...Array.from({ length: 1_280 }, () => chunk), PASTE_END].flatMap((part) => decoder.write(part));
    expect(pieces.map((piece) => piece.text.length)).toEqual([4_096 * 1_280]);
  });
});

test('keys are told apart: sequences, Alt, characters of two units', () => {
  expect(splitKeys('a\u001b[A\u001b[1;5C\u001bOB\u001bb😀\r\n\u001b')).toEqual([
    'a',
    '\u001b[A',
    '\u001b[1;5C',
    '\u001bOB',
    '\u001bb',
    '😀',
    '\r\n',
    '\u001b',
  ]);
});

describe('the keyboard', () => {
  function start() {
    const source = Object.assign(new EventEmitter(), { resume: () => undefined, pause: () => undefined, raw: [] as boolean[] });
    const input: KeySource = Object.assign(source, { setRawMode: (raw: boolean) => void source.raw.push(raw) });
    let written = '';
    let ended = 0;
    const keyboard = createKeyboard({
      input,
      write: (text) => {
        written += text;
      },
      onEnd: () => {
        ended += 1;
      },
    });
    keyboard.start();
    return { source, keyboard, written: () => written, ended: () => ended };
  }

  test('gives keys to the newest reader, keeps them while there is none, and loses nothing between two', () => {
    const { source, keyboard } = start();
    const got: string[] = [];
    source.emit('data', Buffer.from('early'));
    const release = keyboard.read(({ text }) => void got.push(`first ${text}`));
    const releaseSecond = keyboard.read(({ text }) => void got.push(`second ${text}`));
    source.emit('data', Buffer.from('a'));
    releaseSecond();
    source.emit('data', Buffer.from('b'));
    release();
    source.emit('data', Buffer.from('c'));
    keyboard.read(({ text }) => void got.push(`third ${text}`));
    expect(got).toEqual(['first early', 'second a', 'first b', 'third c']);
  });

  test('takes the answer about the background out of the keys, wherever it is cut and however late the rest comes', () => {
    vi.useFakeTimers();
    const answer = 'ab\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\cd';
    for (let cut = 0; cut <= answer.length; cut++) {
      const { source, keyboard, written } = start();
      const [keys, answers]: [string[], string[]] = [[], []];
      keyboard.read(({ text }) => void keys.push(text));
      keyboard.askBackground((text) => void answers.push(text));
      expect(written()).toMatch(/\u001b\]11;\?\u001b\\$/);
      source.emit('data', Buffer.from(answer.slice(0, cut)));
      // Only a beginning that could be a key as well is taken for one after a while.
      if (cut > 'ab\u001b]11'.length) vi.advanceTimersByTime(5_000);
      source.emit('data', Buffer.from(answer.slice(cut)));
      expect([cut, keys.join(''), answers]).toEqual([cut, 'abcd', ['rgb:1e1e/1e1e/1e1e']]);
    }
    vi.useRealTimers();
  });

  test('puts a character together that came in two chunks', () => {
    const { source, keyboard } = start();
    const got: string[] = [];
    keyboard.read(({ text }) => void got.push(text));
    const bytes = Buffer.from('中');
    source.emit('data', bytes.subarray(0, 1));
    source.emit('data', bytes.subarray(1));
    expect(got.join('')).toBe('中');
  });

  test('gives the terminal back as it was, however often it is asked to, and also when the terminal is gone [D-42]', () => {
    const { source, keyboard, written } = start();
    keyboard.restore();
    keyboard.restore();
    expect(source.raw).toEqual([true, false]);
    expect(written()).toBe('\u001b[?2004h\u001b[?1004h\u001b[>1u\u001b[<u\u001b[?1004l\u001b[?2004l\u001b[?25h');
    const gone = start();
    Object.assign(gone.source, {
      setRawMode: () => {
        throw new Error('EIO');
      },
    });
    expect(() => gone.keyboard.restore()).not.toThrow();
  });

  test.each(['end', 'error', 'close'])('tells when its input is over (%s)', (event) => {
    const { source, ended } = start();
    source.emit(event, new Error('EIO'));
    expect(ended()).toBe(1);
  });
});
