import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../../src/tools/tool.ts';

const schema = z.strictObject({
  path: z.string().min(1).max(5),
  lines: z.int().min(1).max(9).optional(),
  deep: z.boolean().optional(),
  names: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(['a', 'b']).optional(),
});
const TAKES = '. It takes path, lines (optional), deep (optional), names (optional), kind (optional)';

test.each([
  ['text', 'expected an object, got the text "text"', '参数应为对象，实际为文字 "text"'],
  [[], 'expected an object, got a list', '参数应为对象，实际为列表'],
  [{}, '"path" is missing', '缺少 "path"'],
  [{ path: 'a', way: 1, x: 2 }, 'there is no argument "way", "x"', '没有参数 "way"、"x"'],
  [{ path: 5 }, '"path" must be a string, got 5', '"path" 应为文字，实际为 5'],
  [{ path: '' }, '"path" is empty', '"path" 为空'],
  [{ path: 'longer' }, '"path" must be at most 5 characters long, got the text "longer"', '"path" 应最多有 5 个字符，实际为文字 "longer"'],
  [{ path: 'a', lines: 'x' }, '"lines" must be a number, got the text "x"', '"lines" 应为数字，实际为文字 "x"'],
  [{ path: 'a', lines: 0 }, '"lines" must be at least 1, got 0', '"lines" 应至少为 1，实际为 0'],
  [{ path: 'a', lines: 10 }, '"lines" must be at most 9, got 10', '"lines" 应最多为 9，实际为 10'],
  [{ path: 'a', deep: {} }, '"deep" must be a boolean, got an object', '"deep" 应为 true 或 false，实际为对象'],
  [{ path: 'a', names: [] }, '"names" must be at least 1 item long, got a list', '"names" 应至少有 1 项，实际为列表'],
  [{ path: 'a', names: [null] }, '"names.0" must be a string, got null', '"names.0" 应为文字，实际为 null'],
  [{ path: 'a', kind: 'c' }, '"kind": Invalid option: expected one of "a"|"b"', '"kind" 应为 a、b 之一，实际为文字 "c"'],
  [{ path: '', way: 1 }, '"path" is empty; there is no argument "way"', '"path" 为空；没有参数 "way"'],
])('%j is refused with the argument and what is wrong with it, in both languages', (input, en, zh) => {
  expect(parseInput(schema, input)).toEqual({ kind: 'wrong', message: { en: `${en}${TAKES}`, zh } });
});
