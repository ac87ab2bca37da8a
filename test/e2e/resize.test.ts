import { expect, test } from 'vitest';
import { textOf } from '../../src/domain/session/message.ts';
import { callsTool, replies } from '../support/scenario.ts';
import { talk } from '../support/talk.ts';

const WORDS = Array.from({ length: 15 }, (_, n) => `word${n}`).join(' ');
const LONG_ANSWER = Array.from({ length: 60 }, (_, n) => `line ${n} of the answer`).join('\n\n');

test('a window that changes while one types, an answer streams and a question waits loses and doubles nothing', async () => {
  const { terminal, fake } = await talk({
    size: { columns: 80, rows: 24 },
    steps: [replies(LONG_ANSWER), callsTool('run_command', { command: 'touch made' }), replies('well then')],
  });
  terminal.send(WORDS);
  await terminal.waitForScreen('word14');
  for (const [columns, rows] of [
    [60, 20],
    [30, 24],
    [140, 50],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    // The end of the message alone says that it is drawn for this width.
    terminal.send('!');
    await terminal.waitForScreen((shown) => /word14!+$/.test(shown.join(' ').trimEnd()));
    terminal.send('\x7f');
  }
  await terminal.waitForScreen((shown) => shown.join('\n').split('word0 ').length === 2);
  terminal.send('\r');
  await terminal.waitFor('line 3 of');
  terminal.resize(50, 20);
  await terminal.waitFor('line 59 of the answer');
  await terminal.waitForScreen('line 59 of the answer');
  await terminal.waitFor(/> $/);
  expect(textOf(fake.requests[0]?.request.messages.at(-1)?.content ?? [])).toContain(WORDS);
  expect(terminal.rows().filter((row) => /^line \d+ of the answer$/.test(row))).toHaveLength(60);
  terminal.send('go\r');
  await terminal.waitFor('Allow run_command?');
  terminal.resize(120, 40);
  await terminal.waitForScreen(/^Allow run_command\?$[\s\S]*No, and say why/m);
  terminal.send('n');
  await terminal.waitForScreen('well then');
  expect(terminal.rows().filter((row) => row.includes('✗ run_command'))).toHaveLength(1);
});
