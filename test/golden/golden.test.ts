import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, createSandbox } from '../support/sanbot.ts';
import { root } from '../support/source.ts';
import { spawnInTerminal } from '../support/terminal.ts';

/**
 * NAME.md is a scenario: prose, files of the project as fenced blocks headed by their name (and how often the block is in it), and what is typed as lines that
 * begin with "> ". NAME.txt is all that a person then sees on a terminal without graphics, but for what differs from run to run. GOLDEN=write writes it anew.
 */
const folder = join(root, 'test', 'golden');
const scenarios = readdirSync(folder).filter((name) => name.endsWith('.md'));

test.each(scenarios)('%s looks as it did', async (name) => {
  const scenario = readFileSync(join(folder, name), 'utf8');
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '20000' });
  for (const [, file = '', times = '1', text = ''] of scenario.matchAll(/^`([^`\n]+)`(?:, (\d+) times)?:\n+```\n([\s\S]*?)```/gm)) {
    writeFileSync(join(world.cwd, file), text.repeat(Number(times)));
  }
  // So wide that no row is broken: where one is depends on the names of folders.
  const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: { ...world.env, TERM: 'dumb' }, columns: 400 });
  await terminal.waitFor('lists the commands');
  await terminal.waitFor('> ');
  for (const [, typed = ''] of scenario.matchAll(/^> (.+)$/gm)) {
    terminal.send(`${typed}\r`);
    // A turn ends with its figures, a command with the next prompt.
    await terminal.waitFor(typed.startsWith('/') ? /\n> $|\n$/ : / · \d+ steps?\s+> $/);
  }
  terminal.send('\x04');
  await terminal.exit;
  const seen = steady(terminal.text(), world.cwd);
  const golden = join(folder, name.replace(/\.md$/, '.txt'));
  if (process.env.GOLDEN === 'write') writeFileSync(golden, seen);
  expect(seen).toBe(readFileSync(golden, 'utf8'));
});

/** The screen without what differs from run to run: ids, moments, durations, this machine's folders. */
const steady = (text: string, cwd: string): string =>
  text
    .replace(/\r+\n?/g, '\n')
    .replaceAll(cwd.replace(/project$/, ''), '/tmp/here/')
    .replace(/\d{8}-\d{6}-[0-9a-f]{6}/g, 'SESSION')
    .replace(/\d{8}T\d{9}Z/g, 'TIME')
    .replace(/\d+(\.\d+)? m?s\b/g, 'N ms')
    // Tokens depend on the random parts of ids and folders.
    .replace(
      /[\d,]+(?= (?:->|of [\d,]+ tokens|tokens|freed))|(?<=-> )[\d,]+(?= tokens|$)|\d+(?= %)|(?<=tokens: [\d,]* ?-> )[\d,]+|(?<=tokens: )[\d,]+$/gm,
      'N',
    )
    .replace(/(?<=-> )[\d,]+|[\d,]+(?= +\d+ KB {2})/g, 'N')
    .replace(/(?<=N +)\d+(?= KB {2})/g, 'N')
    // A call that took long says so.
    .replace(/ {2,}N ms$/gm, '')
    .replace(/\n{2,}/g, '\n');
