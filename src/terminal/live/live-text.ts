import { localize } from '../../domain/language.ts';
import { formatCount } from '../text/format.ts';

/** Texts of the live area. */

export const thinkingText = (): string => localize({ en: 'Thinking', zh: '思考' });

export const searchText = (query: string): string => localize({ en: `search: ${query}`, zh: `搜索：${query}` });

/** The notification of the desktop. */
export const waitingText = (): string => localize({ en: 'SanBot waits for you', zh: 'SanBot 在等你' });

export const viewerText = {
  keys: (): string => localize({ en: 'arrow keys scroll, left and right: others, Esc closes', zh: '上下键滚动，左右键切换，Esc 关闭' }),
  shortKeys: (): string => localize({ en: 'Esc closes', zh: 'Esc 关闭' }),
  place: (from: number, to: number, of: number): string => {
    const range = `${formatCount(from)}-${formatCount(to)}`;
    return localize({ en: `${range} of ${formatCount(of)}`, zh: `${range} / ${formatCount(of)}` });
  },
  number: (n: number, of: number): string => `${n}/${of}`,
  empty: (): string => localize({ en: '(no output)', zh: '（无输出）' }),
  gone: (): string =>
    localize({
      en: 'This result has left the context. /recall finds what was in it.',
      zh: '此结果已离开上下文。/recall 可找回其中的内容。',
    }),
  omitted: (chars: number): string =>
    localize({ en: `… ${formatCount(chars)} characters are left out here …`, zh: `… 此处省去 ${formatCount(chars)} 个字符 …` }),
  nothing: (): string => localize({ en: 'There is no output to show yet.', zh: '还没有可显示的输出。' }),
} as const;
