import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';
import { SIZES, talk } from '../support/talk.ts';

/** Colours and weights, cursor left and up, wiping, frames, and the modes of the keyboard: all that the program itself sends. */
const OURS = /\u001b\[(?:[\d;]*m|\d*[AGJK]|\?(?:2026|2004|1004|25)[hl]|>1u|<u)/g;
/** What a terminal obeys, and what hides or turns the text beside it. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

const HOSTILE = [
  '\u001b]52;c;aGVsbG8=\u0007',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://127.0.0.1/\u001b\\link\u001b]8;;\u001b\\',
  '\u001b[2J\u001b[H\u001b[1A\u001b[6n\u001bc\u001bP+q\u001b\\',
  '\u009b2J\u009d0;title\u009c',
  '\u202etxt.exe\u202c \u200bhidden\ufeff \b\b\b \u000e',
].join(' ');

test.each(SIZES)('no text of a model, a command or a file name is obeyed, $columns by $rows', async ({ columns, rows }) => {
  const world = createSandbox();
  mkdirSync(join(world.cwd, 'names'));
  writeFileSync(join(world.cwd, 'names', 'a\u001b]0;t\u0007\u009b2J\u202eb'), '');
  writeFileSync(join(world.cwd, 'out.txt'), `${HOSTILE}\n`);
  const markdown = `${HOSTILE}\n\n# ${HOSTILE}\n\n| a | ${HOSTILE} |\n|---|---|\n| b | [x](http://127.0.0.1/${HOSTILE}) |\n\n\`\`\`js\nlet a = "${HOSTILE}";\n\`\`\`\n`;
  const { terminal } = await talk({
    world,
    size: { columns, rows },
    args: ['--permission-mode', 'bypass'],
    steps: [
      replies(markdown),
      callsTool('run_command', { command: `cat out.txt # ${HOSTILE}` }),
      callsTool('list_files', { path: 'names' }),
      callsTool(`no such ${HOSTILE}`, {}),
      replies('that is all'),
    ],
  });
  terminal.send('one\r');
  await terminal.waitFor('let a =');
  await terminal.waitFor(/> $/);
  terminal.send('!cat out.txt\r');
  await terminal.waitFor('exit 0');
  await terminal.waitFor(/> $/);
  terminal.send('two\r');
  await terminal.waitFor('that is all');
  await terminal.waitFor(/> $/);
  const raw = await terminal.waitForRaw((printed) => printed.includes('that is all'));
  expect(OBEYED.exec(raw.replace(OURS, ''))?.[0]).toBeUndefined();
});
