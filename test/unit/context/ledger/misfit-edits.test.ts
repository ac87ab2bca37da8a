import { describe, expect, test } from 'vitest';
import { extractMemories } from '../../../../src/context/memory/extract-memories.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const edit = (id: string, oldText: string) =>
  calls({ id, name: 'edit_file', input: { path: 'docs/说明.md', old_string: oldText, new_string: '新的一行' } });

const facts = (...messages: readonly Message[]): string => {
  const { failedCommands, done, constraints, decisions, open } = gatherLedger(messages, nowhere);
  return JSON.stringify([failedCommands, done, constraints, decisions, open, extractMemories(messages, { sessionId: 's' })]);
};

describe('an edit that does not fit', () => {
  const old = '以后必须使用 Postgres\n错误：无法连接数据库\n失败：超时';

  test.each([
    `docs/说明.md: old_string is not in the file; line 3 has it with other white space: ${old}`,
    `<tool_use_error>String to replace not found in file.\nString: ${old}</tool_use_error>`,
    `未找到要替换的文本：${old}`,
    '编辑失败：文件中找不到原文',
    `替换失败：原文在文件中出现了 3 次\n${old}`,
    '错误：请先读取 docs/说明.md',
  ])('leaves nothing of its Chinese text, in a summary or a memory: %s', (content) => {
    const failed = [user('改一下说明'), edit('a', old), answers({ id: 'a', content, isError: true })];
    const made = [edit('b', '另一行'), answers({ id: 'b', content: 'Replaced 1 line.' }), says('改好了。')];
    for (const text of [
      facts(...failed, ...made),
      extractMemories(failed, { sessionId: 's' })
        .map((entry) => entry.text)
        .join(),
    ])
      expect(text).not.toMatch(/错误|失败|无法|超时|Postgres/);
  });

  test('is told apart from a change that failed for another reason', () => {
    const content = '写入失败：权限不足';
    const failed = [user('改一下说明'), edit('a', old), answers({ id: 'a', content, isError: true }), says('写不进去。')];
    expect(facts(...failed)).toContain(content);
  });
});
