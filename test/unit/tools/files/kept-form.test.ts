import { chmodSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../world.ts';

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
/** Files that are text, in every form: the lines one, two and three. */
const readable: Readonly<Record<string, Buffer>> = {
  LF: Buffer.from('one\ntwo\nthree\n'),
  'CR LF': Buffer.from('one\r\ntwo\r\nthree\r\n'),
  'no last line end': Buffer.from('one\r\ntwo\r\nthree'),
  'both line ends': Buffer.from('one\r\ntwo\nthree\r\n'),
  'CR alone': Buffer.from('one\rtwo\rthree\r'),
  'CR alone between LF': Buffer.from('one\ntwo\rthree\n'),
  mark: Buffer.from('\ufeffone\r\ntwo\r\nthree\r\n'),
  'UTF-16 LE': utf16('one\r\ntwo\r\nthree\r\n'),
  'UTF-16 BE': utf16('one\r\ntwo\r\nthree\r\n').swap16(),
  'UTF-16 LE without a last line end': utf16('one\ntwo\nthree'),
};
/** Files in encodings that are not read. */
const unread: Readonly<Record<string, Buffer>> = {
  'Latin-1': Buffer.from('caf\xe9 one\r\ntwo\r\n', 'latin1'),
  GBK: Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, ...Buffer.from('two\n')]),
  'Shift-JIS': Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x0d, 0x0a, ...Buffer.from('two\r\n')]),
  'UTF-16 without a mark': Buffer.from('one\ntwo\n', 'utf16le'),
};

/** With the line two replaced, and nothing else. */
function replaced(bytes: Buffer): Buffer {
  const isLittle = bytes[0] === 0xff;
  const isBig = bytes[0] === 0xfe;
  const text = isLittle ? bytes.toString('utf16le') : isBig ? Buffer.from(bytes).swap16().toString('utf16le') : bytes.toString();
  const next = text.replace('two', 'zwei');
  const units = Buffer.from(next, 'utf16le');
  return isLittle ? units : isBig ? units.swap16() : Buffer.from(next);
}

describe('a file keeps its form', () => {
  test.each(Object.entries(readable))('%s: after edit_file, and its mode [B-45, B-46]', async (_, bytes) => {
    const world = createWorld();
    const path = world.put('a.txt', bytes);
    chmodSync(path, 0o751);
    await world.call('read_file', { path: 'a.txt' });
    expect(await world.call('edit_file', { path: 'a.txt', old_string: 'two', new_string: 'zwei' })).toMatchObject({ ok: true });
    expect(readFileSync(path)).toEqual(replaced(bytes));
    expect(statSync(path).mode & 0o777).toBe(0o751);
  });

  test.each(Object.entries(readable))('%s: after write_file with the same lines, as the model gives them [B-45]', async (name, bytes) => {
    const world = createWorld();
    const path = world.put('a.txt', bytes);
    const hasEnd = !name.includes('last');
    const given = name.startsWith('CR alone') ? replaced(bytes).toString() : `one\nzwei\nthree${hasEnd ? '\n' : ''}`;
    expect(await world.call('write_file', { path: 'a.txt', content: given })).toMatchObject({ ok: true });
    if (name !== 'both line ends') expect(readFileSync(path)).toEqual(replaced(bytes));
  });

  test.each(Object.entries(unread))('%s: neither tool changes it, and says why [B-45]', async (_, bytes) => {
    const world = createWorld();
    const path = world.put('a.txt', bytes);
    for (const [tool, input] of [
      ['edit_file', { old_string: 'two', new_string: 'zwei' }],
      ['write_file', { content: 'one\nzwei\n' }],
    ] as const) {
      const said = await world.call(tool, { path: 'a.txt', ...input }).then(
        ({ ok, content }) => (ok ? 'written' : content),
        (refused: Error) => refused.message,
      );
      expect(said).toMatch(/not UTF-8/);
      expect(readFileSync(path)).toEqual(bytes);
    }
  });
});
