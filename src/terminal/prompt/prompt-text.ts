import { localize } from '../../domain/language.ts';
import { formatCount, pluralize } from '../text/format.ts';

/** What the menu says of the arguments of commands. */
export const argumentTexts = {
  preview: (): string => localize({ en: 'look at it first', zh: '先预览' }),
  last: (): string => localize({ en: 'the newest message', zh: '最新一条消息' }),
  pins: (count: number): string => localize({ en: pluralize(count, 'pin'), zh: `${formatCount(count)} 条固定` }),
  changed: (count: number): string => localize({ en: `${pluralize(count, 'tool')} changed`, zh: `${formatCount(count)} 个工具有变化` }),
  snapshot: (age: string, reason: string, tokens: number): string =>
    localize({ en: `${age}, ${reason}: ${formatCount(tokens)} tokens`, zh: `${age}，${reason}：${formatCount(tokens)} token` }),
  model: (windowTokens: number | undefined, isCurrent: boolean): string => {
    const window =
      windowTokens === undefined ? [] : [localize({ en: `${formatCount(windowTokens)} tokens`, zh: `${formatCount(windowTokens)} token` })];
    return [...window, ...(isCurrent ? [localize({ en: 'now', zh: '当前' })] : [])].join(localize({ en: ', ', zh: '，' }));
  },
  mode: {
    ask: (): string => localize({ en: 'mode: ask before changes and commands', zh: '模式：更改和命令前先询问' }),
    'accept-edits': (): string => localize({ en: 'mode: edits in this folder without asking', zh: '模式：此文件夹内的编辑不询问' }),
    'read-only': (): string => localize({ en: 'mode: change and run nothing', zh: '模式：不更改也不运行' }),
  },
  readOnly: {
    ask: (): string => localize({ en: 'ask before commands that only read', zh: '只读命令也询问' }),
    run: (): string => localize({ en: 'run commands that are proven to only read', zh: '直接运行经证明只读的命令' }),
  },
  rule: {
    allow: (tool: string): string => localize({ en: `never ask about ${tool}`, zh: `不再询问 ${tool}` }),
    ask: (tool: string): string => localize({ en: `ask about ${tool} each time`, zh: `每次都询问 ${tool}` }),
    deny: (tool: string): string => localize({ en: `never run ${tool}`, zh: `从不运行 ${tool}` }),
  },
} as const;
