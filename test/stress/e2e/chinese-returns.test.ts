import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../../../src/terminal/text/text-width.ts';
import { englishProse } from '../../support/english-prose.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';
import { SIZES, talk } from '../../support/talk.ts';
import type { Terminal } from '../../support/terminal.ts';

/** The English on the screen, with what stands in brackets. A message of ours that the model reads is English, and stays so where it is shown. */
const englishOn = (rows: readonly string[]): string =>
  englishProse(
    rows
      .filter((row) => !/^ +[-+] 摘要：/.test(row))
      .join('\n')
      .replaceAll(/[[\]]/g, ' '),
  ).join('\n');
const wideRows = (terminal: Terminal, columns: number): readonly string[] => terminal.rows().filter((row) => textWidth(row) > columns);

/** Types a line, and waits until its answer stands on the screen, also where it is broken over rows. */
const typist =
  (terminal: Terminal) =>
  async (keys: string, wanted: string): Promise<void> => {
    terminal.send(keys);
    await terminal.waitForScreen((rows) =>
      rows
        .map((row) => row.trim())
        .join('')
        .includes(wanted),
    );
  };

/** A world in which three turns of `answer` are enough to be compacted. */
function smallWorld(): Sandbox {
  const world = createSandbox({ SANBOT_LANGUAGE: 'zh' });
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const compaction = { keepRecentMessages: 2, targetTokens: 1_000 };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction }), { mode: 0o600 });
  return world;
}
const answer = (n: number) => replies(`${'这一部分以后还会用到，请记住其中的每个事实。'.repeat(30)}答案${n}完毕。`);

describe.each(SIZES)('in Chinese, in a window of $columns by $rows', (size) => {
  test('a compaction, its undoing, a rollback, leaving and coming back show no English sentence', async () => {
    const world = smallWorld();
    const steps = [answer(1), answer(2), answer(3), replies(goodSummary)];
    const { terminal } = await talk({ world, size, steps });
    const typed = typist(terminal);
    for (const n of [1, 2, 3]) {
      await typed(`请看第 ${n} 部分\r`, `答案${n}完毕。`);
      await terminal.waitFor(/> $/);
    }
    await typed('/compact\r', '撤销：/undo');
    expect(terminal.rows().join('')).toMatch(/已压缩 .*释放 [\d,]+，保留 2 条消息/);
    await terminal.waitFor(/> $/);
    await typed('/undo\r', '已撤销：');
    expect(englishOn(terminal.rows())).toBe('');
    await terminal.waitFor(/> $/);
    await typed('/rollback\r', '选择哪个快照？');
    await typed('\r', '回滚吗？');
    expect(englishOn(terminal.rows())).toBe('');
    await typed('y', '已回滚');
    await terminal.waitFor(/> $/);
    await typed('/quit\r', '要继续此会话，请运行');
    await terminal.exit;
    expect(englishOn(terminal.rows())).toBe('');
    expect(wideRows(terminal, size.columns)).toEqual([]);

    const [id = ''] = world.names('sessions');
    const { terminal: again } = await talk({ world, size, args: ['--resume', id] });
    await again.waitForScreen('答案3完毕。');
    await typist(again)('/history\r', '回到其中一个之前：/rollback 3');
    expect(again.rows().join('')).toContain('由模型生成摘要');
    expect(again.rows().filter((row) => /\p{Script=Han}: /u.test(row))).toEqual([]);
    expect(englishOn(again.rows())).toBe('');
    expect(wideRows(again, size.columns)).toEqual([]);
  });

  test('a message that waits for the turn, and a first AGENTS.md, show none either', async () => {
    const world = createSandbox({ SANBOT_LANGUAGE: 'zh' });
    const wait = callsTool('run_command', { command: 'until [ -e go ]; do sleep 0.05; done' });
    const { terminal } = await talk({
      world,
      size,
      steps: [wait, replies('答案1完毕。')],
      args: ['--permission-mode', 'bypass', '--trust'],
    });
    const typed = typist(terminal);
    await typed('开始\r', '● $ until');
    await typed('用制表符缩进\r', '（排队中）用制表符缩进');
    expect(englishOn(terminal.rows().filter((row) => !row.includes('until')))).toBe('');
    writeFileSync(join(world.cwd, 'go'), '');
    await typed('', '答案1完毕。');
    await terminal.waitFor(/> $/);
    const before = terminal.rows();
    expect(englishOn(before.filter((row) => !row.includes('until')))).toBe('');
    await typed('/init\r', '把它写入 AGENTS.md 吗？');
    await typed('y', '已写入 AGENTS.md');
    await terminal.waitForScreen(/> $/m);
    // What is written into the file is for the model, and in English.
    const shown = terminal.rows();
    expect(englishOn(shown.slice(shown.findLastIndex((row) => row.includes('AGENTS.md 吗？'))))).toBe('');
    expect(wideRows(terminal, size.columns)).toEqual([]);
  });
});
