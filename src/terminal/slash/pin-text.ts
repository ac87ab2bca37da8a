import type { Bilingual } from '../../domain/language.ts';
import type { PinLine } from '../chat/context-port.ts';
import { pluralize } from '../text/format.ts';

/** Texts of the commands that pin messages. */
type PinTexts = {
  readonly none: string;
  readonly which: string;
  readonly unknown: (number: number) => string;
  readonly pinned: (number: number, excerpt: string | undefined, cost: string) => string;
  readonly mark: string;
  readonly nothing: string;
  readonly nothingYet: (tokens: string) => string;
  readonly removed: (pins: number) => string;
  readonly whichPin: string;
  readonly unpinned: (excerpt: string) => string;
  readonly older: (messages: number) => string;
  readonly usage: string;
  readonly said: (who: string, text: string) => string;
};

export const pinTexts: Bilingual<PinTexts> = {
  en: {
    none: 'There is no message to pin yet.',
    which: 'Which message? /pin NUMBER or /pin last; /pin alone lists them.',
    unknown: (number) => `The context has no message ${number} with text. /pin lists the messages.`,
    pinned: (number, excerpt, cost) => `Pinned message ${number}${excerpt === undefined ? '' : `, ${excerpt}`}. ${cost} /unpin removes it.`,
    mark: '[pinned] ',
    nothing: 'Nothing is pinned.',
    nothingYet: (tokens) => `Nothing is pinned. /pin NUMBER keeps a message word for word; pins may take ${tokens} tokens here.`,
    removed: (pins) => `${pluralize(pins, 'pin')} removed.`,
    whichPin: 'Which pin? /unpin NUMBER or /unpin all; /pins lists them.',
    unpinned: (excerpt) => `Unpinned: ${excerpt}. Its text leaves the context at the next compaction.`,
    older: (messages) => `${pluralize(messages, 'older message')} not shown. `,
    usage: '/pin NUMBER or /pin last keeps one word for word. ',
    said: (who, text) => `${who}: "${text}"`,
  },
  zh: {
    none: '还没有可以固定的消息。',
    which: '固定哪条消息？/pin NUMBER 或 /pin last；只输入 /pin 会列出消息。',
    unknown: (number) => `上下文中没有带文字的第 ${number} 条消息。/pin 列出消息。`,
    pinned: (number, excerpt, cost) => `已固定第 ${number} 条消息${excerpt === undefined ? '' : `，${excerpt}`}。${cost}/unpin 取消固定。`,
    mark: '［已固定］',
    nothing: '没有固定任何消息。',
    nothingYet: (tokens) => `没有固定任何消息。/pin NUMBER 逐字保留一条消息；此处固定的消息最多可占 ${tokens} token。`,
    removed: (pins) => `已取消固定 ${pins} 条。`,
    whichPin: '取消哪一条？/unpin NUMBER 或 /unpin all；/pins 列出固定的消息。',
    unpinned: (excerpt) => `已取消固定：${excerpt}。它的文字会在下次压缩时离开上下文。`,
    older: (messages) => `另有 ${messages} 条较早的消息未显示。`,
    usage: '/pin NUMBER 或 /pin last 逐字保留一条。',
    said: (who, text) => `${who}：“${text}”`,
  },
};

export const speakers: Bilingual<Readonly<Record<PinLine['who'], string>>> = {
  en: { you: 'you', assistant: 'assistant', tool: 'tool' },
  zh: { you: '你', assistant: '助手', tool: '工具' },
};
