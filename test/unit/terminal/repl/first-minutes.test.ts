import { describe, expect, test } from 'vitest';
import { droppedImage } from '../../../../src/terminal/prompt/prompt-model.ts';
import { learnedText } from '../../../../src/terminal/views/memory-text.ts';
import { aMemory, aSnapshot, startRepl } from '../../../support/repl-world.ts';

const filled = {
  memory: { view: () => ({ on: true, files: [{ kind: 'facts' as const, path: '/f', entries: [aMemory('m1'), aMemory('m2')] }] }) },
};

test('the start says how much is remembered, and nothing where nothing is', async () => {
  const { terminal } = await startRepl({ chat: () => filled });
  expect(terminal.text()).toContain('memory: 2 (/memory)');
  expect((await startRepl()).terminal.text()).not.toContain('memory:');
});

test('/forget takes an id, or lets one choose, and Esc forgets nothing', async () => {
  const { terminal, said } = await startRepl({
    chat: ({ hear }) => ({
      memory: {
        ...filled.memory,
        forget: async (id) => {
          hear(`forget:${id}`);
          return aMemory(id);
        },
      },
    }),
  });
  terminal.send('/forget m2\r');
  await terminal.waitFor('Forgotten, of facts: the port is');
  expect(said).toEqual(['forget:m2']);
  terminal.send('/forget\r');
  await terminal.waitForScreen(/Forget what\?/);
  terminal.send('\x1b');
  await terminal.waitForScreen((rows) => !rows.join('\n').includes('Forget what?'));
  terminal.send('/forget\r');
  await terminal.waitForScreen(/Forget what\?/);
  terminal.send('\r');
  await terminal.waitForScreen((rows) => rows.join('\n').split('Forgotten').length === 3);
  expect(said).toEqual(['forget:m2', 'forget:m1']);
});

test('leaving says what was remembered, the newest of much', () => {
  expect(learnedText([], 80)).toBe('');
  const text = learnedText(['m1', 'm2', 'm3', 'm4'].map(aMemory), 400);
  expect(text).toMatch(/^Remembered 4 things: "the port is .*", ".*", ".*" and 1 more\. Wrong\? sanbot memory review/);
  expect(text).not.toContain('\u001b');
});

test('without a model the start says what to set, and not what an offline one understands', async () => {
  const missing = { name: 'offline', offline: true, missing: true, windowTokens: 8_000, windowAssumed: false };
  const { terminal } = await startRepl({ chat: () => ({ model: { current: () => missing } }) }).catch((error: unknown) =>
    Promise.reject(error),
  );
  expect(terminal.text()).toContain('There is no model yet: leave and run sanbot setup');
  expect(terminal.text()).not.toContain('It understands');
});

describe('keys at the prompt', () => {
  test('? on an empty prompt shows them, and is a letter elsewhere', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('?');
    await terminal.waitFor(/Ctrl-R +search earlier messages/);
    terminal.send('why?\r');
    await terminal.waitFor('you said "why?"');
    expect(said).toEqual(['why?']);
  });

  test('Ctrl-C keeps a draft one Up away, and not for later runs', async () => {
    const { terminal, said, saved } = await startRepl();
    terminal.send('half a thought\x03');
    await terminal.waitFor('Press Ctrl-C again to exit.');
    terminal.send('\x1b[A\r');
    await terminal.waitFor('you said "half a thought"');
    expect([said, saved]).toEqual([['half a thought'], ['half a thought']]);
  });

  test('Ctrl-V attaches the image in the clipboard, or says why there is none', async () => {
    const { terminal, said } = await startRepl({ clipboard: { path: '/tmp/my shots/a.png' } });
    terminal.send('look: \x16');
    await terminal.waitFor('@"/tmp/my shots/a.png"');
    terminal.send('\r');
    await terminal.waitFor('you said');
    expect(said).toEqual(['look: @"/tmp/my shots/a.png" ']);
    const none = await startRepl();
    none.terminal.send('\x16');
    await none.terminal.waitFor('There is no image in the clipboard.');
  });

  test.each([
    ["'/home/me/截图 1.png'", '@"/home/me/截图 1.png" '],
    ['/home/me/shot\\ 2.jpeg ', '@"/home/me/shot 2.jpeg" '],
    ['file:///home/me/shot%203.webp', '@"/home/me/shot 3.webp" '],
    ['/home/me/shot.gif', '@/home/me/shot.gif '],
    ['see /home/me/shot.gif', undefined],
    ['/home/me/notes.txt', undefined],
  ])('of what is pasted, %j is an image that was dropped: %j', (pasted, text) => expect(droppedImage(pasted)).toBe(text));
});

test('/help has five groups and the keys, at any width and in both languages', async () => {
  const { terminal } = await startRepl({ columns: 40 });
  terminal.send('/help\r');
  await terminal.waitFor('Keys');
  const titles = ['Conversation', 'Going back', 'Context and model', 'Memory', 'Tools and settings', 'Keys'];
  const text = terminal.text();
  expect(titles.map((title) => text.indexOf(`\n${title}`)).every((at, i, all) => at > (all[i - 1] ?? 0))).toBe(true);
});

test('/history has one row an entry, whose number /rollback takes', async () => {
  const compacted = {
    ...aSnapshot,
    outcome: { at: aSnapshot.at, messages: 4, tokensAfter: 9_000, line: 'summarised by rules, 4 of 310 messages kept' },
  };
  const { terminal, said } = await startRepl({
    chat: ({ hear }) => ({
      rollback: {
        snapshots: () => [compacted, { ...aSnapshot, id: 's1-later' }],
        preview: async (id) => {
          hear(`preview:${id}`);
          throw new Error('seen');
        },
      },
    }),
  });
  terminal.send('/history\r');
  await terminal.waitFor('/rollback 2');
  expect(terminal.text().match(/^ *\d +1 h ago/gm)).toHaveLength(2);
  terminal.send('/rollback 2\r');
  await terminal.waitFor('seen');
  expect(said).toEqual(['preview:s1-later']);
  terminal.send('/rollback 9\r');
  await terminal.waitFor('There is no snapshot 9. /history lists them.');
});

test('what is remembered is forgotten where it was said, not in a shell', async () => {
  const { terminal } = await startRepl();
  terminal.send('# tests need the port 8080\r');
  await terminal.waitFor(/To undo: \/forget m\d+/);
});
