import type { Random } from '../seeded-random.ts';
import type { Language } from './task.ts';

export const pick = <T>(random: Random, from: readonly [T, ...T[]]): T => from[Math.floor(random() * from.length)] ?? from[0];
export const between = (random: Random, least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
export const two = (n: number): string => String(n).padStart(2, '0');
export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

export function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  return values
    .map((value) => ({ value, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

const parts = {
  en: {
    who: ['The night shift', 'Our supplier', 'The warehouse', 'A customer from Porto', 'The second team', 'The auditor', 'Support'],
    does: ['asked again for', 'measured', 'moved', 'wrote down', 'could not explain', 'compared', 'postponed'],
    what: ['the slow import', 'three old labels', 'the report of March', 'a broken scanner', 'the list of returns', 'the new shelf'],
    when: ['before lunch', 'after the release', 'without a reason', 'while the line was down', 'for the fourth time', 'on the train'],
    join: ' ',
    end: '. ',
  },
  zh: {
    who: ['夜班同事', '我们的供应商', '仓库', '一位宁波的客户', '第二小组', '审计员', '客服'],
    does: ['再次询问了', '测量了', '搬走了', '记下了', '解释不清', '比较了', '推迟了'],
    what: ['缓慢的导入', '三张旧标签', '三月的报告', '一台坏掉的扫描枪', '退货清单', '新的货架'],
    when: ['，在午饭之前', '，在发布之后', '，没有说明原因', '，当时产线停着', '，这已是第四次', '，是在火车上'],
    join: '',
    end: '。',
  },
} as const;

/** For each size asked for, so that both languages fill the context alike. */
const BYTES = { en: 1.5, zh: 3.5 } as const;

/** Sentences about other things, in lines that begin alike: what makes the work long. */
export function filler(random: Random, language: Language, size: number, begin = ''): string {
  const { who, does, what, when, join, end } = parts[language];
  const lines: string[] = [];
  for (let written = 0; written < size * BYTES[language]; ) {
    const sentence = () => [pick(random, who), pick(random, does), pick(random, what), pick(random, when)].join(join) + end;
    const line = `${begin}${sentence()}${sentence()}`.trimEnd();
    lines.push(line);
    written += Buffer.byteLength(line) + 1;
  }
  return `${lines.join('\n')}\n`;
}
