import type { SessionContext } from '../../domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import { stringsIn } from './terms.ts';

const known = new WeakMap<Message, string>();

/** All that the next request says, a text for each message; messages never change, so each is put together once. */
export const textsOf = ({ system, shortTermSummary, messages }: SessionContext): readonly string[] => [
  system,
  shortTermSummary,
  ...messages.map((message) => {
    const found = known.get(message);
    if (found !== undefined) return found;
    const made = message.content
      .flatMap((block): readonly string[] => {
        if (isText(block)) return [block.text];
        if (isToolResult(block)) return [resultText(block)];
        return isToolUse(block) ? [block.name, ...stringsIn(block.input)] : [];
      })
      .join('\n');
    known.set(message, made);
    return made;
  }),
];

export const stands = (name: string, texts: readonly string[]): boolean => texts.some((text) => text.includes(name));
