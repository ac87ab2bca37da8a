import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../../../src/terminal/slash/help-text.ts';
import { commandRows } from '../../../../src/terminal/slash/slash-commands.ts';
import { createTheme } from '../../../../src/terminal/text/theme.ts';
import { startRepl } from '../../../support/repl-world.ts';

describe('what a conversation works with', () => {
  test.each([
    ['/config', 'sanbot config path names the files'],
    ['/config nothing', 'No setting begins with nothing.'],
    ['/tools', /look\s+Looks at (?!.*\u001b).*it\.\r?\n/],
    ['/setup', 'run sanbot setup'],
    ['/config --help', 'Example: /config compaction'],
    ['/help undo', 'Example: /undo'],
  ])('%s shows it, and the model is told nothing', async (line, shown) => {
    const { terminal, said } = await startRepl();
    terminal.send(`${line}\r`);
    await terminal.waitFor(shown);
    await terminal.waitFor(/> $/);
    expect(said).toEqual([]);
  });

  test('the colours change with the background that the terminal tells, and with /theme, which keeps the choice', async () => {
    const kept: string[] = [];
    const theme = createTheme('auto', { TERM: 'xterm-256color' }, (name) => void kept.push(name));
    const { terminal } = await startRepl({ theme });
    await terminal.waitForRaw((raw) => raw.includes('\u001b]11;?\u001b\\'));
    terminal.send('/the\u001b]11;rgb:ffff/ffff/ffff\u001b\\');
    await terminal.waitForRaw((raw) => raw.includes('\u001b[38;5;24m'));
    terminal.send('me dark\r');
    await terminal.waitFor(/Theme: dark\.\s/);
    await terminal.waitForRaw((raw) => raw.includes('\u001b[38;5;247m'));
    terminal.send('/theme\r');
    await terminal.waitFor('Theme: dark. To change it: /theme NAME (auto, dark, light, high-contrast, ansi16)');
    terminal.send('/theme pink\r');
    await terminal.waitFor('There is no theme pink: write auto,');
    expect([kept, theme.name()]).toEqual([['dark'], 'dark']);
  });

  test('where there are no colours, none is asked for and /theme says so', async () => {
    const { terminal } = await startRepl();
    terminal.send('/theme light\r');
    await terminal.waitFor('There are no colours here.');
    expect(await terminal.waitForRaw(() => true)).not.toContain('\u001b]11');
  });

  test('each command that takes something has an example that names it', () => {
    const without = commandRows.filter(({ argumentHint, example }) => argumentHint !== undefined && example === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
    expect(commandRows.filter((row) => !exampleOf(row).startsWith(`/${row.name}`))).toEqual([]);
  });
});
