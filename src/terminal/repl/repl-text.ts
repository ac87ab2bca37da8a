import { localize } from '../../domain/language.ts';
import { callTitle } from '../text/call-title.ts';
import { safeLine } from '../text/safe-text.ts';

/** Texts of the loop that reads the prompts. */
export const replText = {
  mode: (mode: string): string => localize({ en: `Permission mode from now on: ${mode}.`, zh: `权限模式改为：${mode}。` }),
  stillStopping: (): string =>
    localize({ en: 'Still stopping. Press Ctrl-C again to exit immediately.', zh: '正在停止。再按一次 Ctrl-C 立即退出。' }),
  longPaste: (): string =>
    localize({
      en: 'This paste is above a tenth of the window: the model gets its beginning and end, and reads the rest in a file.',
      zh: '粘贴的内容超过窗口的十分之一：模型会得到开头和结尾，其余部分在文件中读取。',
    }),
  pressAgain: (): string => localize({ en: 'Press Ctrl-C again to exit.', zh: '再按一次 Ctrl-C 退出。' }),
  typedEarlier: (text: string): string => localize({ en: `You typed earlier: ${safeLine(text)}`, zh: `之前输入的内容：${safeLine(text)}` }),
  allow: (): string => localize({ en: 'Allow?', zh: '允许吗？' }),
  nobodyToAsk: (title: string): string =>
    localize({
      en: `Not allowed, since there is nobody to ask: ${safeLine(callTitle(title))}`,
      zh: `未获准许，因为没有人可以询问：${safeLine(callTitle(title))}`,
    }),
  answerLine: (): string => localize({ en: 'Number, letter or words:', zh: '编号、字母或文字：' }),
} as const;
