import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isToolResult, resultText } from '../../src/domain/session/message.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { callsTool, replies } from '../support/scenario.ts';
import { SIZES, talk } from '../support/talk.ts';
import { ASKED } from '../support/terminal.ts';

const SHIFT_TAB = '\x1b[Z';
const resultIn = (fake: FakeApi, n: number): string =>
  (fake.requests[n]?.request.messages.at(-1)?.content ?? []).filter(isToolResult).map(resultText).join('\n');

describe.each(SIZES)('in a window of $columns by $rows', (size) => {
  test('Shift-Tab goes through the permission modes, bypass left out, and the status line says which', async () => {
    const { terminal } = await talk({ size });
    for (const mode of ['accept-edits', 'plan', 'read-only']) {
      terminal.send(SHIFT_TAB);
      await terminal.waitForScreen((rows) => rows.some((row) => row.includes(mode)));
    }
    terminal.send(SHIFT_TAB);
    await terminal.waitForScreen((rows) => !rows.some((row) => /accept-edits|· plan|read-only|bypass/.test(row)));
    terminal.send(`${SHIFT_TAB}${SHIFT_TAB}${SHIFT_TAB}/permissions\r`);
    await terminal.waitFor('Permission mode: read-only.');
    await terminal.waitFor(/> $/);
    terminal.send('/permissions acc\t\r');
    await terminal.waitForScreen((rows) => rows.some((row) => /· accept-edits/.test(row)));
    terminal.send('/permissions bypass\r');
    await terminal.waitFor(/--permission-mode\s+bypass/);
    await terminal.waitForScreen((rows) => rows.some((row) => /· accept-edits/.test(row)));
  });

  test('what can stand behind a command is in the menu, Tab takes it, and Enter alone sends what was typed', async () => {
    const { terminal } = await talk({ size });
    terminal.send('a first message\r');
    await terminal.waitFor('reply 0');
    await terminal.waitFor(/> $/);
    terminal.send('/pin ');
    await terminal.waitForScreen(/last\s+the newest message/);
    terminal.send('fir');
    await terminal.waitForScreen((rows) => rows.some((row) => /1\s+you: a fir/.test(row)) && !rows.some((row) => row.includes('last')));
    terminal.send('\t\r');
    await terminal.waitFor(/Pinned message 1, you: "a\s+first/);
    await terminal.waitFor(/> $/);
    terminal.send('/model ');
    await terminal.waitForScreen(/claude-sonnet-5-5\s+1,000,000/);
    terminal.send('\r');
    await terminal.waitFor(/Model: claude-sonnet-5-5/);
  });

  test('Esc twice at an empty prompt, in one read, opens the list of messages to go back to, with a preview before anything changes', async () => {
    const { terminal, fake } = await talk({ size });
    for (const text of ['first', 'second']) {
      terminal.send(`${text}\r`);
      await terminal.waitFor(`reply ${fake.requests.length}`);
      await terminal.waitFor(/> $/);
    }
    terminal.send('\x1b\x1b');
    await terminal.waitForScreen('Rewind to just before which message?');
    terminal.send('\r');
    await terminal.waitFor('Go back?');
    expect(terminal.text()).toMatch(/second[\s\S]*reply 1/);
    // The fourth key: Esc, Esc, Enter, and a number.
    terminal.send('1');
    await terminal.waitForScreen(/^> second$/m);
  });
});

describe('Esc twice', () => {
  test('with something typed takes that away, and Undo brings it back', async () => {
    const { terminal } = await talk();
    terminal.send('half a thought\x1b\x1b');
    await terminal.waitForScreen(/^> ?$/m);
    terminal.send('\x1f');
    await terminal.waitForScreen('> half a thought');
  });

  test('where nothing was said yet says so, and the prompt is there again', async () => {
    const { terminal } = await talk();
    terminal.send('\x1b\x1b');
    await terminal.waitFor('You have not written anything in this session yet.');
    await terminal.waitFor(/> $/);
  });
});

test('Shift-Tab during a turn holds from the next call on', async () => {
  const write = (path: string) => callsTool('write_file', { path, content: 'x' });
  const { terminal, world } = await talk({ steps: [write('a.txt'), write('b.txt'), write('c.txt')] });
  terminal.send('go\r');
  await terminal.waitFor(ASKED);
  terminal.send(`${SHIFT_TAB}`);
  await terminal.waitForScreen(/· accept-edits\s*$/);
  terminal.send('y');
  await terminal.waitFor('reply 3');
  // The row below the prompt says it; nothing of it stays above.
  expect(terminal.rows().filter((row) => row.includes('accept-edits'))).toHaveLength(1);
  expect(['a.txt', 'b.txt', 'c.txt'].map((name) => existsSync(join(world.cwd, name)))).toEqual([true, true, true]);
});

test('a no with words tells the model what to do instead, and the command was shown once', async () => {
  const { terminal, fake } = await talk({ steps: [callsTool('run_command', { command: 'npm run build' })] });
  terminal.send('go\r');
  const asked = await terminal.waitFor(ASKED);
  expect(asked.match(/npm run build/g)).toHaveLength(1);
  terminal.send('w');
  await terminal.waitFor('What should it do instead?');
  terminal.send('use make\r');
  await terminal.waitFor('reply 1');
  expect(resultIn(fake, 1)).toContain('the user said no, and says: use make');
});

test('a, and the number of a choice, allows for this session or for always', async () => {
  const run = callsTool('run_command', { command: 'echo hi' });
  const { terminal, world } = await talk({ steps: [run, replies('once'), run, replies('twice')] });
  terminal.send('go\r');
  await terminal.waitFor(ASKED);
  terminal.send('a');
  await terminal.waitForScreen(/1 Exactly this, for this session[\s\S]*2 Always in this folder: exactly this command/);
  terminal.send('2');
  await terminal.waitFor('once');
  await terminal.waitFor(/> $/);
  terminal.send('again\r');
  await terminal.waitFor('twice');
  const { permissions } = JSON.parse(readFileSync(join(world.home, 'config.json'), 'utf8'));
  expect(permissions.allow).toEqual([{ tool: 'run_command', command: 'echo hi', folder: world.cwd, repository: null }]);
});
