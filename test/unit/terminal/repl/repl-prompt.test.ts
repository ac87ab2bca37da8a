import { describe, expect, test } from 'vitest';
import { startRepl } from '../../../support/repl-world.ts';

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
    await terminal.waitForRaw((raw) => raw.lastIndexOf('\x1b[?2004l') > raw.lastIndexOf('\x1b[?2004h'));
    await terminal.waitForRaw((raw) => raw.lastIndexOf('\x1b[?25h') > raw.lastIndexOf('\x1b[?25l'));
  });

  test('takes a paste of several lines as one message, whatever is in it [B-24]', async () => {
    const { terminal, said } = await startRepl();
    const pasted = 'first\r\nsecond\rthird \x1b[31m\x00 four\u2028five';
    terminal.paste(pasted);
    await terminal.waitFor(/\[text 1: 3 lines, \d+ characters: first/);
    terminal.send(' please\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['first\nsecond\nthird \x1b[31m\x00 four\u2028five please']);
    await terminal.waitForRaw((raw) => !raw.includes('\x1b[31m'));
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

  test('a line separator that is typed ends no line, whatever the version of Node [B-01, P21]', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('a\u2028b\u2029c\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['a b c']);
  });

  test('a backslash continues the line', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('one\\\r');
    await terminal.waitForScreen(/^> one$/m);
    terminal.send('two\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['one\ntwo']);
  });

  test('knows the messages of earlier runs, those of several lines too, and saves new ones', async () => {
    const { terminal, said, saved } = await startRepl({ earlier: ['older', 'two\nlines'] });
    terminal.send('\x1b[A');
    await terminal.waitForScreen(/^> two\n {2}lines$/m);
    terminal.send('\r');
    await terminal.waitFor('you said');
    terminal.send('\x1b[A\x1b[A');
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
    await terminal.waitFor('Press Ctrl-C again to exit.');
    await terminal.waitFor('> ');
    terminal.send('x\x7f');
    terminal.send('\x03');
    await terminal.waitFor('Press Ctrl-C again to exit.');
    terminal.send('\x03');
    expect(await exitCode).toBe(0);
    expect(said).toEqual([]);
  });

  test('Tab completes commands and @files', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/hi\t');
    await terminal.waitForScreen('> /history');
    terminal.send('\x15see @src.\t');
    await terminal.waitFor('@src.txt');
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['see @src.txt']);
  });

  test('keys behind a Tab, in the same read, are for what Tab has completed; Ctrl-C does not wait', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('see @src.\t\rand @src.\t more\r');
    await terminal.waitFor('you said "and @src.txt more"');
    terminal.send('away @src.\t\x03stay\r');
    await terminal.waitFor('you said "stay"');
    expect(said).toEqual(['see @src.txt', 'and @src.txt more', 'stay']);
  });

  test.each([[12], [40]])('works in %i columns, with Chinese in it [B-25]', async (columns) => {
    const { terminal, said, exitCode } = await startRepl({ columns });
    for (const line of ['/history', '/context', '/help', '中文 and more']) {
      terminal.send(`${line}\r`);
      await terminal.waitFor(/>\s*$/);
    }
    terminal.send('\x04');
    expect(await exitCode).toBe(0);
    expect(said).toEqual(['中文 and more']);
  });
});

test('a terminal that goes away ends the program [D-42]', async () => {
  const { terminal, exitCode } = await startRepl();
  terminal.input.destroy();
  expect(await exitCode).toBe(0);
});
