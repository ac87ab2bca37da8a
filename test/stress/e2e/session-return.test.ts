import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { SIZES, startTalk, talk } from '../../support/talk.ts';

describe.each(SIZES)('in a window of $columns by $rows', (size) => {
  test('leaving says how to come back and what can be undone, and coming back shows where it stood', async () => {
    const world = createSandbox();
    writeFileSync(join(world.cwd, 'a.txt'), 'x\n');
    const todo = callsTool('todo', {
      items: [
        { text: 'mend the gate', status: 'in_progress' },
        { text: 'paint it', status: 'done' },
      ],
    });
    const first = await talk({ world, size, steps: [todo, replies('The gate is bent.\n\nIt needs a hinge.')] });
    first.terminal.send('look at the gate\r');
    await first.terminal.waitFor('It needs a hinge.');
    await first.terminal.waitFor(/> $/);
    first.terminal.send('/quit\r');
    const left = await first.terminal.waitFor(/Resume this session:\s+sanbot --resume (\S+)/);
    const [, id = ''] = /--resume (\S+)/.exec(left) ?? [];
    await first.terminal.waitFor(/\/rewind goes\s+back\s+to\s+before\s+your\s+message/);
    await first.terminal.exit;

    const { terminal } = await talk({ world, size, args: ['--resume', id] });
    const shown = terminal.text();
    expect(shown).toContain('> look at the gate');
    expect(shown).toContain('It needs a hinge.');
    expect(shown).toMatch(/1 task open: mend the gate/);
    expect(shown).not.toContain('The last turn was not finished');
  });
});

describe('a session', () => {
  test('that was stopped in the middle of a turn says so when it is continued', async () => {
    const world = createSandbox();
    const { terminal } = await talk({ world, steps: [{ answer: { kind: 'mischief', mischief: { how: 'stall' } } }] });
    terminal.send('begin\r');
    await terminal.waitFor('Esc stops');
    terminal.send('\x1b');
    await terminal.waitFor(/interrupted[\s\S]*> $/);
    terminal.send('/quit\r');
    await terminal.exit;
    const again = await talk({ world, args: ['--continue'] });
    expect(again.terminal.text()).toMatch(/> begin[\s\S]*The last turn was not finished/);
  });

  test('in which nothing was said has nothing to copy, says so, and leaves nothing behind', async () => {
    const world = createSandbox();
    const { terminal } = await startTalk({ world });
    for (const command of ['/fork', '/export']) {
      await terminal.waitFor(/> $/);
      terminal.send(`${command}\r`);
      await terminal.waitFor('Nothing has been said in this session yet, so there is nothing to copy');
    }
    await terminal.waitFor(/> $/);
    terminal.send('/quit\r');
    await terminal.exit;
    expect(terminal.text()).not.toContain('Come back');
    expect(world.names('sessions')).toEqual([]);
  });
});

test('a window without focus gets a notification, and one that is looked at does not', async () => {
  const { terminal } = await talk();
  terminal.send('one\r');
  await terminal.waitFor('reply 0');
  await terminal.waitFor(/> $/);
  expect(await terminal.waitForRaw(() => true)).not.toContain('\x1b]9;');
  terminal.send('\x1b[O');
  terminal.send('two\r');
  await terminal.waitForRaw((raw) => raw.includes('\x07\x1b]9;SanBot is waiting for you\x1b\\'));
});

test('what a session has used goes on when it is continued, and the part before is told', async () => {
  const world = createSandbox();
  const usage = { inputTokens: 1_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
  const step = replies('Yes.', { usage });
  const open = async (...args: string[]) => {
    const { terminal } = await talk({ world, args, size: { columns: 100, rows: 40 }, steps: [step] });
    const costs = async () => {
      terminal.send('/cost\r');
      await terminal.waitForScreen('in all.');
      return terminal.rows().flatMap((row) => /^ *(session|of which earlier) +([\d,]+) .*\$/.exec(row)?.slice(1).join(' ') ?? []);
    };
    return { terminal, costs };
  };
  const leave = async ({ terminal }: Awaited<ReturnType<typeof open>>) => {
    terminal.send('hello\r');
    await terminal.waitFor(/Yes\.[\s\S]*> $/);
    terminal.send('/quit\r');
    await terminal.exit;
  };
  const first = await open();
  expect(await first.costs()).toEqual(['session 0']);
  await leave(first);
  const second = await open('--continue');
  expect(await second.costs()).toEqual(['session 1,000', 'of which earlier 1,000']);
  await leave(second);
  const third = await open('--continue');
  expect(await third.costs()).toEqual(['session 2,000', 'of which earlier 2,000']);
  expect(third.terminal.text()).toContain('2 requests with reported usage');
});
