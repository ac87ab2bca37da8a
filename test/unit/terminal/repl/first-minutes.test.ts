import { expect, test } from 'vitest';
import { learnedText } from '../../../../src/terminal/views/memory-text.ts';
import { aMemory, startRepl } from '../../../support/repl-world.ts';

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
