import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../../../src/terminal/text/text-width.ts';
import { englishProse } from '../../support/english-prose.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { SIZES, talk } from '../../support/talk.ts';
import type { Terminal } from '../../support/terminal.ts';

const SHIFT_TAB = '\x1b[Z';
const ESC = '\x1b';

/** Everything that was on the screen, what stands in brackets too, without the replies of the model, which are not ours. */
const proseOf = (terminal: Terminal): string =>
  englishProse(
    terminal
      .rows()
      .filter((row) => !/reply \d/.test(row))
      .join('\n')
      .replaceAll(/[[\]]/g, ' '),
  ).join('\n');

const chinese = (): Sandbox => createSandbox({ SANBOT_LANGUAGE: 'zh' });
const atPrompt = /> $/;

describe.each(SIZES)('in Chinese, in a window of $columns by $rows', (size) => {
  test('modes, an approval, the picker of messages, the model, an export, a compaction and leaving show no English sentence', async () => {
    const world = chinese();
    const run = callsTool('run_command', { command: 'echo hi' });
    const { terminal, fake } = await talk({ world, size, steps: [run, replies('reply 1。'), replies('reply 2。')] });
    const typed = async (line: string, wanted: string | RegExp): Promise<void> => {
      terminal.send(line);
      await terminal.waitForScreen((rows) => (typeof wanted === 'string' ? rows.join('').includes(wanted) : wanted.test(rows.join('\n'))));
    };
    await typed(SHIFT_TAB, 'accept-edits');
    await typed(SHIFT_TAB, 'plan');
    await typed(SHIFT_TAB, 'read-only');
    terminal.send(SHIFT_TAB);
    await terminal.waitForScreen((rows) => !/accept-edits|plan|read-only/.test(rows.join('')));
    await typed('请运行\r', '运行吗？');
    await typed('a', '始终');
    expect(proseOf(terminal)).toBe('');
    terminal.send('1');
    await terminal.waitFor('reply 1');
    await terminal.waitFor(atPrompt);
    await typed('再说一次\r', 'reply 2');
    await terminal.waitFor(atPrompt);
    await typed(`${ESC}${ESC}`, '消息之前');
    expect(proseOf(terminal)).toBe('');
    terminal.send(ESC);
    await terminal.waitFor(atPrompt);
    await typed('/rewind\r', '消息之前');
    terminal.send(ESC);
    await terminal.waitFor(atPrompt);
    await typed('/model\r', '更换：/model NAME');
    await typed('/export s.md\r', '已导出到 s.md');
    expect(existsSync(join(world.cwd, 's.md'))).toBe(true);
    await typed('/compact\r', /压缩|摘要/);
    await terminal.waitFor(atPrompt);
    await typed('/quit\r', '--resume');
    expect(proseOf(terminal)).toBe('');
    expect(terminal.rows().filter((row) => textWidth(row) > size.columns)).toEqual([]);
    expect(fake.requests.length).toBeGreaterThan(2);
  });
});
