import { localize } from '../../domain/language.ts';
import { groupDigits } from '../../domain/value/group-digits.ts';
import { pluralize } from '../../terminal/text/format.ts';

export const NO_EMBEDDINGS = {
  message: { en: 'No endpoint for embeddings is set', zh: '未设置生成向量的端点' },
  hint: {
    en: 'Set recall.embeddings in your settings (sanbot config path names the file).',
    zh: '在设置中填写 recall.embeddings（sanbot config path 显示文件位置）。',
  },
};

/** `isDone`: nothing is left without a vector. */
export const embeddedText = (made: number, isDone: boolean): string =>
  localize({
    en: `${pluralize(made, 'vector')} made${isDone ? '; none is missing' : '; the rest is still missing'}.\n`,
    zh: `已生成 ${groupDigits(made)} 个向量${isDone ? '，没有缺失' : '，其余仍缺失'}。\n`,
  });
