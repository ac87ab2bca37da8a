import { describe, expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import type { PermissionRequest } from '../../../../src/domain/permission.ts';
import { startRepl } from '../../../support/repl-world.ts';
import { ASKED } from '../../../support/terminal.ts';

describe('a question about permission', () => {
  const run = {
    tool: 'run_command',
    access: 'run',
    title: 'run_command',
    preview: 'npm test \u202e; rm -rf /',
    outside: false,
    session: 'exactly this',
    offers: [],
  } as const;

  async function asking(request: PermissionRequest = run) {
    const answers: string[] = [];
    const world = await startRepl({
      chat: ({ emit, repl, hear }) => ({
        turn: {
          say: async (text, signal) => {
            if (text !== 'go') return hear(text);
            emit({ type: 'text', text: 'asking' });
            const answer = await repl
              .askPermission(request, signal)
              .catch((error) => (error instanceof AbortedError ? 'aborted' : String(error)));
            answers.push(typeof answer === 'string' ? answer : JSON.stringify(answer));
            emit({ type: 'text', text: `answer: ${answers.at(-1)}` });
          },
        },
      }),
    });
    return { ...world, answers };
  }

  test('is answered no by Enter, and shows what is hidden in the command [S-14, S-15]', async () => {
    const { terminal, answers } = await asking();
    terminal.send('go\r');
    const shown = await terminal.waitFor('Run it?');
    expect(shown).toContain('npm test \\u202e; rm -rf /');
    await terminal.waitFor('Yes, and do not ask');
    terminal.send('\r');
    await terminal.waitFor('answer: no');
    expect(answers).toEqual(['no']);
  });

  test.each([
    ['once', '\x1b[A\x1b[A\r'],
    ['once', '\x1b[D\x1b[D\r'],
    ['no', '\x1b[A\x1b[B\r'],
    ['no', '\x1b'],
  ])('is answered %s by %j', async (answer, keys) => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor('Yes, and do not ask');
    terminal.send(keys);
    await terminal.waitFor(`answer: ${answer}`);
    await terminal.waitFor('> ');
  });

  test.each([
    ['once', ['y\r']],
    ['once', ['y', '\r']],
    ['once', ['y']],
    ['once', ['1']],
    ['no', ['3']],
    ['no', ['N']],
    ['once', ['是\r']],
    ['once', ['yes\r']],
    ['once', ['\x1b[B', 'y']],
    ['no', ['n\r']],
    ['no', ['\x1b[B', 'no\r']],
    ['no', ['否\n']],
    ['no', ['yes', '\x7f\x7f\x7f', '\r']],
  ])('is answered %s by %j, which is no message then', async (answer, keys) => {
    const { terminal, answers, said } = await asking();
    terminal.send('go\r');
    await terminal.waitFor(ASKED);
    for (const key of keys) terminal.send(key);
    await terminal.waitFor(`answer: ${answer}`);
    await terminal.waitFor(/> $/);
    terminal.send('then\r');
    await expect.poll(() => said).toEqual(['then']);
    expect(answers).toEqual([answer]);
  });

  test.each([
    ['session', ['a', '1']],
    ['session', ['2', 'a']],
    ['session', ['always\r', '\x1b[A\r']],
    ['session', ['\x1b[A\r', '\x1b[A\r']],
    ['no', ['a', '\r', '\r']],
    ['no', ['a', '\x1b']],
    ['no', ['a', 'n']],
    ['once', ['a', '\r', 'y']],
    ['once', ['a', 'y']],
  ])('is answered %s by %j, a list within the list, whose last choice leads back', async (answer, [first = '', ...keys]) => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor(ASKED);
    terminal.send(first);
    await terminal.waitForScreen(/1 Exactly this, for this session[\s\S]*❯ Back\s+1(?: \/ \d)*, or arrow keys/);
    for (const [at, key] of keys.entries()) {
      if (at === 1) await terminal.waitForScreen('❯ 3 No');
      terminal.send(key);
    }
    await terminal.waitFor(`answer: ${answer}`);
  });

  test.each([
    ['no, and why', 'use yarn\r', '{"kind":"refusal","why":"use yarn"}'],
    ['no without words', '\r', 'no'],
    ['no, left with Esc', '\x1b', 'no'],
  ])('is answered %s', async (_, keys, answer) => {
    const { terminal, answers } = await asking();
    terminal.send('go\r');
    await terminal.waitFor(ASKED);
    terminal.send('w');
    await terminal.waitFor('What should it do instead?');
    terminal.send(keys);
    await terminal.waitFor(`answer: ${answer}`);
    expect(answers).toEqual([answer]);
  });

  describe('about an edit that is longer than the window', () => {
    const edit = {
      tool: 'write_file',
      access: 'write',
      title: 'write_file many.js',
      outside: false,
      offers: [],
      preview: `New file, 60 lines\n${Array.from({ length: 60 }, (_, n) => `+line ${n + 1}`).join('\n')}\n`,
      session: 'all edits in the working folder',
    } as const;

    test('shows its beginning, and Ctrl-O all of it; Enter is a no, after which nothing of it stays', async () => {
      const { terminal } = await asking(edit);
      terminal.send('go\r');
      await terminal.waitForScreen(
        /● Write many\.js {2}\+60[\s\S]*\+ line 15\n {4}… 45 more \(Ctrl-O\)\n\nMake this change\?\n[\s\S]*❯ 3 No/,
      );
      terminal.send('\x0f');
      const viewed = await terminal.waitForScreen(/^Write many\.js · 1-\d+ of 61\nNew file[\s\S]*Esc closes/m);
      expect(viewed.join('\n')).not.toContain('Working');
      terminal.send('\x1b[F');
      await terminal.waitForScreen(/^Write many\.js · \d+-61 of 61[\s\S]*\+line 60\n/m);
      terminal.send('\x1b');
      await terminal.waitForScreen(/Make this change\?\n[\s\S]*❯ 3 No/);
      terminal.send('\r');
      await terminal.waitForScreen((rows) => rows.some((row) => row.includes('answer: no')) && !rows.join().includes('line 1'));
      expect(terminal.rows().join()).not.toContain('line 1');
    });

    test.each([
      ['leaves the folder', { outside: true }],
      ['runs later', { caution: sameInBoth('it runs at the next commit') }],
    ])('prints it whole where it %s', async (_, more) => {
      const { terminal } = await asking({ ...edit, ...more });
      terminal.send('go\r');
      await terminal.waitForScreen(/❯ 3 No/);
      expect(terminal.rows().filter((row) => /\+ line \d+$/.test(row.trimEnd()))).toHaveLength(60);
    });
  });

  test('shows the command once', async () => {
    const { terminal } = await asking({ ...run, preview: 'npm run build' });
    terminal.send('go\r');
    expect((await terminal.waitFor(ASKED)).match(/npm run build/g)).toHaveLength(1);
  });

  test('is answered by its word after other lines too, which are kept', async () => {
    const { terminal, answers, said } = await asking();
    terminal.send('go\r');
    await terminal.waitFor(ASKED);
    terminal.send('why?\r\x1b[B');
    await terminal.waitFor('❯ 4 No, because');
    terminal.send('n');
    await terminal.waitFor('answer: no');
    await expect.poll(() => said).toEqual(['why?']);
    expect(answers).toEqual(['no']);
  });

  test('is never answered by what is typed ahead or pasted: it is kept as messages [S-15]', async () => {
    const { terminal, answers, said } = await asking();
    terminal.send('go\ry\ryes\r');
    await terminal.waitFor('Yes, and do not ask');
    terminal.paste('y\n');
    terminal.send('\r');
    terminal.send('yes, do\r');
    terminal.send('y\rmore\r');
    terminal.send('more\ry\r');
    terminal.send('s');
    terminal.send('\x1b[A\x1b[B\r');
    await terminal.waitFor('answer: no');
    await terminal.waitFor('> s');
    expect(answers).toEqual(['no']);
    expect(said).toEqual(['y', 'yes', 'y\n', 'yes, do', 'y', 'more', 'more', 'y']);
  });

  test('is not answered by a word that was begun before it: it goes on as a message [S-15]', async () => {
    const { terminal, answers, said } = await asking();
    terminal.send('go\ry');
    await terminal.waitFor('Yes, and do not ask');
    terminal.send('\r');
    terminal.send('\x1b[A\x1b[B\r');
    await terminal.waitFor('answer: no');
    await expect.poll(() => said).toEqual(['y']);
    expect(answers).toEqual(['no']);
  });

  test('names its keys only while they answer it', async () => {
    const { terminal } = await asking();
    terminal.send('go\ry');
    await terminal.waitForScreen(/Run it\?\n {2}1 Yes .*❯ 3 No .*\n[\s\S]*an arrow key, then Enter; letters go on/);
    terminal.send('\x7f');
    await terminal.waitForScreen(/ {2}1 Yes .*❯ 3 No/);
    await terminal.waitForScreen(ASKED);
    terminal.send('y');
    await terminal.waitFor('answer: once');
  });

  test('that only a rule can answer offers no yes for once', async () => {
    const offer = { kind: 'rule', rule: { tool: 'fetch_url', host: 'localhost:3000' } } as const;
    const { session: _, ...page } = run;
    const { terminal, answers } = await asking({ ...page, byRuleAlone: true, offers: [offer] });
    terminal.send('go\r');
    await terminal.waitForScreen(/ {2}2 Always: pages of localhost:3000 +❯ 3 No +4 No, because/);
    await terminal.waitForScreen(/n \/ a \/ w, or arrow keys/);
    terminal.send('a');
    await terminal.waitFor('answer: ');
    expect(answers).toEqual([JSON.stringify(offer)]);
  });

  test('that is left with a word half typed leaves it at the next prompt', async () => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor(ASKED);
    terminal.send('ye');
    await terminal.waitForScreen(/^> ye$/m);
    terminal.send('\x1b[A\x1b[B\r');
    await terminal.waitFor('answer: no');
    await terminal.waitForScreen(/^> ye$/m);
  });

  test('stays whole while something else is typed, which waits above it [S-15]', async () => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor('kept for later');
    terminal.send('later\r');
    await terminal.waitForScreen(/\(queued\) later\n[\s\S]*Run it\?\n.*❯ 3 No/);
    terminal.send('\x1b[A\x1b[B\r');
    await terminal.waitFor('answer: no');
    await terminal.waitForScreen(/^> later$[\s\S]*^> ?$/m);
  });

  test('is taken back by Ctrl-C', async () => {
    const { terminal } = await asking();
    terminal.send('go\r');
    await terminal.waitFor('Yes, and do not ask');
    terminal.send('\x03');
    await terminal.waitFor('answer: aborted');
    await terminal.waitFor('> ');
  });
});

test.each([
  ['false', '\r'],
  ['true', '\x1b[A\r'],
  ['true', 'y\r'],
  ['true', '1'],
  ['false', '3'],
  ['false', '\x1b'],
])('a question of yes or no is answered %s by %j', async (answer, keys) => {
  const { terminal } = await startRepl({
    chat: ({ emit, repl }) => ({
      turn: {
        say: async (_, signal) => {
          emit({ type: 'text', text: `answer: ${await repl.confirm('Compact now?', signal)}` });
        },
      },
    }),
  });
  terminal.send('go\r');
  await terminal.waitFor('Compact now?');
  await terminal.waitFor('Yes');
  terminal.send(keys);
  await terminal.waitFor(`answer: ${answer}`);
});
