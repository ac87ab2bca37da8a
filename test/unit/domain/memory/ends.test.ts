import { describe, expect, test } from 'vitest';
import { ends, statementOf } from '../../../../src/domain/memory/ends.ts';

const endsIt = (later: string, earlier: string): boolean => ends(statementOf(later), statementOf(earlier));

describe('a change of mind', () => {
  test.each([
    ['数据库端口是 3306', '数据库端口改成 3308 了'],
    ['我们决定缓存用 Redis', '不用 Redis 了'],
    ['I prefer tabs.', 'use spaces from now on'],
    ['Use tabs for indentation.', 'no tabs, I changed my mind'],
    ['The deadline is Friday.', 'The deadline moved to Monday.'],
    ['截止日期是 12 月 1 日', '截止日期推迟到 12 月 15 日了'],
    ['We use Jest for tests.', "We don't use Jest any more."],
    ['We use Jest for tests.', 'We dropped Jest.'],
    ['我们用 Jest 写测试', 'Jest 我们不用了，换成 Vitest'],
    ['我喜欢用制表符缩进', '以后用空格缩进'],
    ['我住在上海', '我搬到北京了'],
    ['I live in Berlin.', 'I moved to Munich.'],
    ['My editor is vim.', 'I switched from vim to helix.'],
    ['Commit messages are in English.', 'Commit messages in German from now on.'],
    ['I prefer short answers.', "I'd rather have long answers now."],
    ['我喜欢简短的回答', '现在回答可以详细一点'],
    ['用 Mocha 跑测试', '以后用 Vitest 跑测试'],
  ])('ends what was said before: %s / %s', (earlier, later) => {
    expect(endsIt(later, earlier)).toBe(true);
  });

  test.each([
    ['I prefer tabs.', 'use names in English from now on'],
    ['缓存用 Redis', '不用等我确认了'],
    ['数据库端口是 3306', '缓存端口改成 6380 了'],
    ['Use English for comments.', 'Answer me in German from now on.'],
    ['以后都用中文回答', '以后都用英文写注释'],
    ['The deadline is Friday.', 'The meeting moved to Monday.'],
    ['We use Postgres for orders.', 'We dropped the second cache.'],
    ['We use Jest for tests.', 'We use Playwright for browser tests.'],
    ['Keep answers short.', 'Write long tests from now on.'],
    ['我住在上海', '我们搬到新的仓库了'],
  ])('leaves what is about something else: %s / %s', (earlier, later) => {
    expect(endsIt(later, earlier)).toBe(false);
  });
});
