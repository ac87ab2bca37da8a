import { localize } from '../../domain/language.ts';

export const yesText = (): string => localize({ en: 'Yes', zh: '是' });
export const noText = (): string => localize({ en: 'No', zh: '否' });
export const yesNoTip = (): string => localize({ en: '(y/N)', zh: '[y 是 / N 否]' });
export const yesOrNoText = (): string => localize({ en: 'Type y or n.', zh: '请输入 y（是）或 n（否）。' });
export const noMatchText = (): string => localize({ en: 'Nothing matches.', zh: '没有匹配。' });

/** What a typed line says: nothing typed is a no; undefined for neither yes nor no. */
export function answerOf(typed: string): 'yes' | 'no' | undefined {
  const word = typed.trim().toLowerCase();
  if (['y', 'yes', '是', '1'].includes(word)) return 'yes';
  return ['', 'n', 'no', '否', '不', '3'].includes(word) ? 'no' : undefined;
}

export const backText = (): string => localize({ en: 'Back', zh: '返回' });
export const nothingChangedText = (): string => localize({ en: 'Nothing was changed.', zh: '没有做任何更改。' });

export const tips = {
  pick: (keys: string): string =>
    localize({
      en: `${keys === '' ? '' : `${keys}, or `}arrow keys and Enter; Esc to cancel`,
      zh: `${keys === '' ? '' : `${keys}，或`}方向键和 Enter 选择，Esc 取消`,
    }),
  findInCommand: (): string =>
    localize({
      en: 'type to narrow the list; arrow keys and Enter; Esc cancels',
      zh: '输入文字缩小列表，方向键和 Enter 选择，Esc 取消',
    }),
  find: (): string =>
    localize({
      en: 'type to narrow the list; arrow keys and Enter to choose; Esc to cancel',
      zh: '输入文字缩小列表，方向键和 Enter 选择，Esc 取消',
    }),
  line: (): string => localize({ en: 'Enter answers; Esc leaves it unanswered', zh: 'Enter 回答，Esc 不回答' }),
  decideBesideText: (): string =>
    localize({
      en: 'an arrow key, then Enter; letters go on with your text below, which is kept',
      zh: '先按方向键，再按 Enter；字母会接到下方已输入的文字后面',
    }),
  decide: (keys: string): string =>
    localize({
      en: `${keys === '' ? '' : `${keys}, or `}arrow keys and Enter; other keys are kept for later`,
      zh: `${keys === '' ? '' : `${keys}，或`}方向键和 Enter；其他按键留到回答之后`,
    }),
} as const;

export const placeInList = (at: number, of: number): string => localize({ en: `${at} of ${of}`, zh: `${at} / ${of}` });
