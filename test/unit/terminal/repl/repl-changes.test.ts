import { describe, expect, test } from 'vitest';
import type { ActChoice, ActRow, ChangesPort } from '../../../../src/terminal/chat/history-port.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';
import { type ReplOptions, startRepl } from '../../../support/repl-world.ts';

const UNDO = '\u001b[B\r';

const row = (n: number, title: string | undefined, ...names: readonly string[]): ActRow => ({
  ...{ n, at: '2026-02-01T11:00:00.000Z', title, also: [], isUnwatched: false },
  note: { en: `${names.length} files changed`, zh: `更改 ${names.length} 个文件` },
  files: names.map((name) => ({ path: `/p/${name}`, name, change: 'changed' })),
});
const rows = [row(1, 'run_command 重写 脚本', 'a.ts', '文 件.txt'), row(2, undefined, 'a.ts'), row(3, 'edit_file a\u001b[31m.ts', 'a.ts')];

/** What was asked for to be undone is noted; each file differs. */
async function startWith(port: Partial<ChangesPort> = {}, options: ReplOptions = {}) {
  const chosen: ActChoice[] = [];
  const changes: ChangesPort = {
    acts: async () => rows,
    differences: async (number) =>
      (rows[number - 1]?.files ?? []).map(({ path, name }) => ({ path, name, preview: async () => `Change of ${name}\n-old\n+new` })),
    total: async () => [],
    restorable: async (choice) => {
      chosen.push(choice);
      return { files: [], unrestorable: [], restore: async () => [] };
    },
    ...port,
  };
  return { ...(await startRepl({ ...options, chat: () => ({ changes }) })), chosen };
}

describe('/changes', () => {
  test.each([[40], [80]])('in %i columns lists who changed what, the newest first, and nothing in a name acts', async (columns) => {
    const { terminal } = await startWith({}, { columns });
    terminal.send('/changes\r');
    const shown = await terminal.waitForScreen(columns === 40 ? /❯ 3 {2}1 files chang… {2}Edit/ : /❯ 3 {2}1 h ago {2}1 files changed/);
    expect(shown.filter((line) => textWidth(line) > columns)).toEqual([]);
    expect(shown.find((line) => line.includes('❯ 3'))?.trimEnd()).toMatch(/Edit a␛\[31m\.ts$/);
    expect(shown.findIndex((line) => /^ *❯ 3 {2}1/.test(line))).toBeLessThan(shown.findIndex((line) => /^ *1 {2}\S/.test(line)));
    terminal.send('\u001b');
    await terminal.waitFor(/> $/);
  });

  test('shows the difference of the one that is chosen and undoes all of it, one file of it, or all since then', async () => {
    const { terminal, chosen } = await startWith();
    for (const [keys, choice] of [
      ['\r', undefined],
      ['3', undefined],
      ['1', { number: 1, andLater: false }],
      ['2', { number: 1, andLater: true }],
      [UNDO, { number: 1, andLater: false }],
      [`\u001b[B\u001b[B\u001b[B\r`, { number: 1, andLater: true }],
    ] as const) {
      terminal.send('/changes 1\r');
      await terminal.waitFor('Change of 文 件.txt');
      await terminal.waitFor('Undo this and everything since');
      terminal.send(keys);
      await terminal.waitFor(/> $/);
      expect(chosen.splice(0)).toEqual(choice === undefined ? [] : [choice]);
    }
    terminal.send('/changes\r');
    await terminal.waitFor('Which change?');
    terminal.send('脚本');
    await terminal.waitForScreen(/❯ 1 /);
    terminal.send('\r');
    await terminal.waitFor('Undo it in one file');
    terminal.send('\u001b[B\u001b[B\r');
    await terminal.waitFor('Which file?');
    terminal.send(UNDO);
    await terminal.waitFor(/> $/);
    expect(chosen).toEqual([{ number: 1, andLater: false, path: '/p/文 件.txt' }]);
  });

  test('asks nothing more of a change that was seen, but of all since then, and of what may be the own work of the person', async () => {
    let isUnwatched = false;
    const file = () => ({
      ...{ path: '/p/a.ts', name: 'a.ts', does: 'write' as const, changedSince: false, isUnwatched, items: [], seen: [] },
      preview: async () => 'Change of a.ts',
    });
    const { terminal } = await startWith({ restorable: async () => ({ files: [file()], unrestorable: [], restore: async () => [] }) });
    const choose = async (key: string, told: string | RegExp): Promise<void> => {
      terminal.send('/changes 1\r');
      await terminal.waitFor('Undo this and everything since');
      terminal.send(key);
      await terminal.waitFor(told);
    };
    await choose('1', 'removed   a.ts');
    await choose('2', 'Restore a.ts?');
    terminal.send('1');
    await terminal.waitFor('removed   a.ts');
    isUnwatched = true;
    await choose('1', /may be your own\s+work\. Restore a\.ts\?/);
    terminal.send('3');
    await terminal.waitFor('left      a.ts');
  });

  test('only shows what others changed, says so of a number that is none, and where nothing was changed', async () => {
    const { terminal, chosen } = await startWith();
    terminal.send('/changes 2\r');
    await terminal.waitFor('2  not SanBot  (1 h ago, 1 files changed)');
    await terminal.waitFor(/> $/);
    terminal.send('/changes 9\r');
    await terminal.waitFor('There is no change 9.');
    expect(chosen).toEqual([]);
    const { terminal: other } = await startWith({ acts: async () => [] });
    other.send('/changes\r');
    await other.waitFor('No files were changed in this session.');
  });
});

describe('/diff', () => {
  test('shows what differs from the start of the session, the first twenty whole and the others by name', async () => {
    const all = Array.from({ length: 23 }, (_, i) => ({ path: `/p/${i}`, name: `f${i}`, preview: async () => `Change of f${i}\n+${i}` }));
    const { terminal } = await startWith({ total: async () => all });
    terminal.send('/diff\r');
    await terminal.waitFor('Change of f19');
    const shown = await terminal.waitFor('Also changed, not shown: 3 paths');
    expect(shown).not.toContain('Change of f20');
    await terminal.waitFor(/f20\s+f21\s+f22/);
  });

  test('says so where nothing does', async () => {
    const { terminal } = await startWith();
    terminal.send('/diff\r');
    await terminal.waitFor('No file that SanBot changed differs from what it was at the start of this session.');
  });
});
