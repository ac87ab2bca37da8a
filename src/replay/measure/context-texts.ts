import type { SessionContext } from '../../domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { stringsIn } from './terms.ts';

/** Returns everything that the next request says, one text per message. Messages never change, so each text is built once. */
export const contextTexts = ({ system, shortTermSummary, messages }: SessionContext): readonly string[] => [
  system,
  shortTermSummary,
  ...messages.map(messageTexts),
];

const messageTexts = memoizeByObject(({ content }: Message): string =>
  content
    .flatMap((block): readonly string[] => {
      if (isText(block)) return [block.text];
      if (isToolResult(block)) return [resultText(block)];
      return isToolUse(block) ? [block.name, ...stringsIn(block.input)] : [];
    })
    .join('\n'),
);

export const includesName = (name: string, texts: readonly string[]): boolean => texts.some((text) => text.includes(name));
