import { describe, expect, test } from 'vitest';
import { startRepl } from '../../../support/repl-world.ts';

/** Each time, all bytes are one read of the program. */
describe('several keys in one read', () => {
  test('go where the cursor is, in their order', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('read the file please\x1bb\x1bb你好世界');
    await terminal.waitForScreen(/^> read the 你好世界file please$/m);
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['read the 你好世界file please']);
  });

  test.each([40, 80, 120])(
    'go where the cursor is at the right margin of %i columns too, and Backspace doubles no row',
    async (columns) => {
      const { terminal, said } = await startRepl({ columns });
      const row = 'x'.repeat(columns - 3);
      terminal.send(`${row}\x1b[D\x1b[D你好世界\x7f\x7f`);
      const rows = await terminal.waitForScreen(/^ {2}xx$|^ {2}x+xx$|^ {2}好?x+$/m);
      const first = rows.findIndex((each) => each.startsWith('> x'));
      const typed = rows.slice(first).filter((each) => !each.includes(' · '));
      expect(typed.join('').replaceAll(/[> ]/g, '')).toBe(`${'x'.repeat(columns - 5)}你好xx`);
      terminal.send('\r');
      await terminal.waitFor('you said');
      expect(said).toEqual([`${'x'.repeat(columns - 5)}你好xx`]);
    },
  );

  test('of an emoji family, a flag and combining marks are one step each', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('a👨‍👩‍👧b🇨🇭ce\u0301d\x1b[D\x7f\x1b[D\x7f\x1b[D\x7f.\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['a.bcd']);
  });
});

describe('a message of many rows', () => {
  test.each([
    ['Alt-Enter', '\x1b\r'],
    ['Shift-Enter, as kitty tells it', '\x1b[13;2u'],
    ['Shift-Enter, as xterm tells it', '\x1b[27;2;13~'],
    ['Ctrl-J', '\n'],
    ['a backslash and Enter', '\\\r'],
  ])('is made by %s, and edited in the rows above', async (_, newLine) => {
    const { terminal, said } = await startRepl();
    terminal.send(`one${newLine}three\x1b[A!${newLine}two\r`);
    await terminal.waitFor('you said');
    expect(said).toEqual(['one!\ntwo\nthree']);
  });

  test('keeps its column from row to row, over wide characters and short rows', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('abcdef\n中\nabcdef\x1b[D\x1b[D\x1b[A\x1b[A|\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['abcd|ef\n中\nabcdef']);
  });
});

test.each<[string, string, string]>([
  ['what was typed, word by word', 'one two\x1f\x1f', ''],
  ['a whole paste', 'see \x1b[200~one\ntwo\x1b[201~\x1f', 'see '],
])('Ctrl-_ undoes %s', async (_, keys, left) => {
  const { terminal, said } = await startRepl();
  terminal.send(`${keys}.\r`);
  await terminal.waitFor('you said');
  expect(said).toEqual([`${left}.`]);
});

test.each<[string, string, string]>([
  ['Ctrl-W and Ctrl-Y', 'one two\x17\x01\x19', 'twoone '],
  ['Ctrl-K at both ends', 'one two\x01\x0b\x19\x19', 'one twoone two'],
  ['cuts in a row, put together', 'one two three\x17\x17\x01\x19', 'two threeone '],
  ['Alt-Y, for what was cut before', 'one two\x17\x02x\x17\x19\x1by', 'two '],
  ['Alt-D and Alt-Backspace', 'one two three\x01\x1bd\x05\x1b\x7f', ' two '],
  ['Ctrl-T', 'ab\x14', 'ba'],
])('%s do what they do in a shell', async (_, keys, message) => {
  const { terminal, said } = await startRepl();
  terminal.send(`${keys}\r`);
  await terminal.waitFor('you said');
  expect(said).toEqual([message]);
});

describe('a long paste', () => {
  const long = Array.from({ length: 200 }, (_, i) => `line ${i}\tand a tab`).join('\n');

  test('is one unit for Backspace', async () => {
    const { terminal, said } = await startRepl();
    terminal.send(`see \x1b[200~${long}\x1b[201~\x7fnothing\r`);
    await terminal.waitFor('you said');
    expect(said).toEqual(['see nothing']);
  });

  test('goes out as its text, and comes back from the history as its text', async () => {
    const { terminal, said } = await startRepl();
    terminal.send(`see \x1b[200~${long}\x1b[201~ please\r`);
    await terminal.waitFor('you said');
    await terminal.waitFor(/> $/);
    terminal.send('\x1b[A\r');
    await terminal.waitFor('you said');
    expect(said).toEqual([`see ${long} please`, `see ${long} please`]);
  });

  test('is opened by Tab behind it, and edited', async () => {
    const { terminal, said } = await startRepl();
    terminal.send(`\x1b[200~${long}\x1b[201~`);
    await terminal.waitForScreen('[text 1: 200 lines');
    terminal.send('\t');
    await terminal.waitForScreen('line 199    and a tab');
    terminal.send('!\r');
    await terminal.waitFor('you said');
    expect(said).toEqual([`${long}!`]);
  });

  test('cannot be imitated: a character of its kind is sent as itself', async () => {
    const { terminal, said } = await startRepl();
    terminal.send(`\x1b[200~${long}\x1b[201~\x7f\u{f0000}\r`);
    await terminal.waitFor('you said');
    expect(said).toEqual(['\u{f0000}']);
  });
});

describe('earlier messages', () => {
  const earlier = ['fix the parser', 'run the tests', 'fix the printer', 'write\nit down'];

  test('that begin as what is typed are gone through by Up and Down, and the draft comes back', async () => {
    const { terminal, said } = await startRepl({ earlier });
    terminal.send('fix\x1b[A\x1b[A\x1b[A');
    await terminal.waitForScreen(/^> fix the parser$/m);
    terminal.send('\x1b[B\x1b[B!\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['fix!']);
  });

  test('are searched by Ctrl-R, older ones by Ctrl-R again; Enter takes one to edit, Esc none', async () => {
    const { terminal, said } = await startRepl({ earlier });
    terminal.send('draft\x12THE\x12');
    await terminal.waitForScreen(/^> run the tests\n(?:.*\n)*search: THE/m);
    terminal.send('\x1b');
    await terminal.waitForScreen(/^> draft$/m);
    terminal.send('\x12prin');
    await terminal.waitForScreen(/^> fix the printer/m);
    terminal.send('\r');
    await terminal.waitForScreen((rows) => !rows.some((row) => row.startsWith('search:')));
    terminal.send('!\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['fix the printer!']);
  });

  test('of several lines come back whole', async () => {
    const { terminal, said } = await startRepl({ earlier });
    terminal.send('\x1b[A');
    await terminal.waitForScreen(/^> write\n {2}it down$/m);
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['write\nit down']);
  });
});

test.each([
  ['Ctrl-G', '\x07'],
  ['Ctrl-X Ctrl-E', '\x18\x05'],
])('%s gives the message to the editor of the person and takes it back', async (_, keys) => {
  const { terminal, said } = await startRepl({ edit: (text) => ({ kind: 'edited', text: `${text}, and more\n` }) });
  terminal.send(`one${keys}`);
  await terminal.waitForScreen(/^> one, and more$/m);
  terminal.send('\r');
  await terminal.waitFor('you said');
  expect(said).toEqual(['one, and more']);
});

test('Ctrl-L empties the window and keeps the message', async () => {
  const { terminal } = await startRepl();
  terminal.send('hello\r');
  await terminal.waitFor('you said');
  terminal.send('half\x0c');
  const rows = await terminal.waitForScreen((shown) => !shown.some((row) => row.includes('you said')) && shown.includes('> half'));
  expect(rows.indexOf('> half')).toBeLessThan(3);
});

test.each([
  [120, 40],
  [40, 15],
  [80, 24],
])('a message that is being typed survives a window of %i by %i', async (columns, rows) => {
  const { terminal, said } = await startRepl();
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`).join(' ');
  terminal.send(words);
  await terminal.waitForScreen('word59');
  terminal.resize(columns, rows);
  terminal.send(' end');
  const shown = await terminal.waitForScreen('word59 end');
  expect(shown.filter((row) => row.includes('word59'))).toHaveLength(1);
  terminal.send('\r');
  await terminal.waitFor('you said');
  expect(said).toEqual([`${words} end`]);
});
