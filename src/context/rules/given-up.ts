import { unique } from '../../domain/lists.ts';
import type { Message } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import { sentencesOf } from '../text/sentences.ts';
import { thinksBetter } from './supersede.ts';

/** What the model took of its own options without being asked, and the code names by which they are told apart. */
export type OwnChoice = { readonly decision: string; readonly own: readonly string[]; readonly others: readonly string[] };

export function ownChoice(decision: string, { option, reply }: { readonly option: string; readonly reply: string }): OwnChoice {
  const options = reply.split('\n').filter((line) => LISTED.test(line));
  const plainOption = option.slice(0, OPTION_START);
  const isOwn = (line: string): boolean => line.replace(/\*\*|__/g, '').includes(plainOption);
  const own = unique(options.filter(isOwn).flatMap(codeNames));
  return { decision, own, others: unique(options.filter((line) => !isOwn(line)).flatMap(codeNames)).filter((name) => !own.includes(name)) };
}

const OPTION_START = 30;
const LISTED = /^\s*(?:[-*•]|\(?(?:[a-h]|\d{1,2})[.)、:：])\s/i;

/** `theme.borderOf(level)` is known by its last name. */
const codeNames = (line: string): readonly string[] =>
  [...line.slice(0, 2_000).matchAll(/`[^`\n]{0,60}?(\w{6,60})(?:\([^`\n)]{0,60}\))?`/g)].map(([, name = '']) => name);

/** True when the model says that another way is better after all, or writes what only another of its options had. */
export function isGivenUp({ decision, own, others }: OwnChoice, message: Message, text: string): boolean {
  if (
    sentencesOf(text)
      .slice(0, MAX_COMPARED)
      .some((sentence) => thinksBetter(sentence, decision))
  )
    return true;
  const written = toolCalls([message], () => undefined).flatMap(({ kind, input }) => (kind === 'write' ? [newTextOf(input)] : []));
  const isWritten = (name: string): boolean => written.some(({ added, before }) => added.includes(name) && !before.includes(name));
  return others.some(isWritten) && !own.some(isWritten);
}

const MAX_COMPARED = 60;

function newTextOf(input: unknown): { readonly added: string; readonly before: string } {
  const fields = isObject(input) ? Object.entries(input).flatMap(([key, value]) => (isString(value) ? [[key, value] as const] : [])) : [];
  const textOf = (isBefore: boolean): string =>
    fields.flatMap(([key, value]) => (/old|search|find/i.test(key) === isBefore ? [value] : [])).join('\n');
  return { added: textOf(false), before: textOf(true) };
}
