import { expect, test } from 'vitest';
import { textOf } from '../../../src/domain/session/message.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { talkToBinary } from '../../support/talk.ts';

const WORDS = Array.from({ length: 15 }, (_, n) => `word${n}`).join(' ');
const LONG_ANSWER = Array.from({ length: 60 }, (_, n) => `line ${n} of the answer`).join('\n\n');

test('a window that changes while one types, an answer streams and a question waits loses and doubles nothing', async () => {
  const { terminal, fake } = await talkToBinary({
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
    await terminal.waitForScreen((shown) => /word14!+(?:\s|$)/.test(shown.join(' ')));
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
  await terminal.waitFor('Run it?');
  terminal.resize(120, 40);
  await terminal.waitForScreen(/^Run it\?$[\s\S]*4 No, because/m);
  terminal.send('n');
  await terminal.waitForScreen('well then');
  expect(terminal.rows().filter((row) => row.includes('✗ $ '))).toHaveLength(1);
});

test.each([
  [20, 10],
  [30, 24],
  [40, 15],
])(
  'a window that shrinks to %i by %i with the cursor in a row that becomes too long takes nothing of what is finished',
  async (columns, rows) => {
    const { terminal } = await talkToBinary({ size: { columns: 80, rows: 24 }, steps: [replies('first\n\nsecond')] });
    terminal.send('begin\r');
    await terminal.waitFor(/second[\s\S]*\n> $/);
    terminal.send(WORDS.replaceAll('word', 'a word that is longer '));
    await terminal.waitForScreen('longer 14');
    const finished = (): string => {
      const all = terminal.rows().map((row) => row.trimEnd());
      return all
        .slice(
          0,
          all.findIndex((row) => row.startsWith('> a word')),
        )
        .join('');
    };
    const before = finished();
    expect(before).toContain('1 step');
    terminal.resize(columns, rows);
    // The short form of the status says that it is drawn for this width.
    await terminal.waitForScreen(/^(?:\S+ · )?(?:\d % (?:of \d+k )?· \$\S+ · )?ask$/m);
    terminal.send('!');
    await terminal.waitForScreen((shown) => /longer\s*14!/.test(shown.join('')));
    terminal.resize(80, 24);
    await terminal.waitForScreen(/context \d % of \d+k/);
    terminal.send('?');
    await terminal.waitForScreen((shown) => /longer 14!\?/.test(shown.join('')));
    await terminal.waitForScreen((shown) => shown.some((row) => row.startsWith('> a word')));
    expect(finished()).toBe(before);
    // What a terminal has moved into its scroll-back, because it had no rows for it, no program can take back.
    if (columns > 30) expect(terminal.rows().join('').split('longer 0').length).toBe(2);
  },
);

test('a question that waits in a window that shrinks stands there once', async () => {
  const { terminal } = await talkToBinary({
    size: { columns: 80, rows: 24 },
    steps: [callsTool('run_command', { command: 'touch made' })],
  });
  terminal.send('go\r');
  await terminal.waitFor('kept for later');
  terminal.resize(20, 10);
  await terminal.waitForScreen((rows) => rows.length === 10 && rows.some((row) => row.startsWith('y / n')));
  expect(terminal.rows().join('').split('❯ 3 No')).toHaveLength(2);
});
