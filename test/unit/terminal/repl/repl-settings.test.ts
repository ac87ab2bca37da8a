import { describe, expect, test } from 'vitest';
import { exampleOf } from '../../../../src/terminal/slash/help-text.ts';
import { commandRows } from '../../../../src/terminal/slash/slash-commands.ts';
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

  test('each command that takes something has an example that names it', () => {
    const without = commandRows.filter(({ argumentHint, example }) => argumentHint !== undefined && example === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
    expect(commandRows.filter((row) => !exampleOf(row).startsWith(`/${row.name}`))).toEqual([]);
  });
});
