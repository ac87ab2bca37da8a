import type { ContentBlock, TextBlock, WireMessage } from '../../domain/session/message.ts';
import { isText, isThinking, isToolUse } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { readThought, type Tags, type ThoughtRead, thoughtIn } from './read-thought.ts';

type ReplyListener = { readonly onText: (text: string) => void; readonly onThinking: (text: string) => void };

/**
 * Some models write what they think into the text, between tags at the beginning of the reply; where the template of a server opens the tag,
 * only the closing one comes. What is outside is the answer. A tag further on, in code or in quotes is what the model has to say.
 */
const NAME = String.raw`(?:\w{1,12}:)?(?:think|thinking|thoughts?|reasoning)|antthinking`;
/** Those of some models are no tags: what opens a thought, and the pattern of what closes it. */
const marks: ReadonlyMap<string, string> = new Map([
  ['[think]', String.raw`\[/THINK\]`],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', String.raw`<\|end_of_thought\|>`],
  ['<|channel>thought\n', String.raw`<channel\|>`],
  ['<|channel|>analysis<|message|>', String.raw`(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>`],
]);
const openingMarks = [...marks.keys()].map((mark) => mark.replace(/[[\]|]/g, String.raw`\$&`)).join('|');
const OPENING = new RegExp(String.raw`^\s*(?:<(?<name>${NAME})(?:\s[^<>]{0,80})?>|(?<mark>${openingMarks}))`, 'i');
const CLOSING = String.raw`</(?:${NAME})\s*>|\[/THINK\]|◁/think▷`;
/** At the beginning there is nothing that it closes here. */
const CLOSED_ELSEWHERE = new RegExp(String.raw`^\s*(?:${CLOSING})`, 'i');

const openingTag = (name: string): string => String.raw`<(?:${name})(?:\s[^<>]{0,80})?>`;

function tagsOf({ groups = {} }: RegExpExecArray): Tags {
  const closing = marks.get(groups.mark?.toLowerCase() ?? '');
  if (closing !== undefined) return { closing, opening: '(?!)' };
  return { closing: String.raw`</${groups.name}\s*>`, opening: openingTag(groups.name ?? '') };
}

/** So many characters stand before no tag, or in none: what is held back is looked through again with each piece. */
const MAX_HELD_CHARS = 1_000;
const tagsAtStart: readonly string[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'antthinking'].flatMap((name) => [`<${name}`, `</${name}`]),
  ...marks.keys(),
  ...['[/think]', '◁/think▷'],
];
/** Whether a text is no more than the beginning of a tag. */
const mayOpen = (text: string): boolean => {
  const said = text.trimStart().toLowerCase();
  // Models of some makers have their name before it.
  if (/^<\/?\w{1,12}:?$/.test(said)) return true;
  const begun = said.replace(/^(<\/?)\w{1,12}:/, '$1');
  const isOpen = /^<\/?[\w:]{1,20}(?:\s[^<>]*)?$/.test(begun);
  return text.length <= MAX_HELD_CHARS && tagsAtStart.some((tag) => tag.startsWith(begun) || (isOpen && begun.startsWith(tag)));
};

type Split = { readonly before: string; readonly thinking: string; readonly after: string; readonly answer: string };

/** The text of a reply in its parts, which together are the text: what is thought, and what is said. Undefined where nothing is tagged. */
export function splitThinking(text: string): Split | undefined {
  const opening = OPENING.exec(text);
  const before = opening?.[0] ?? '';
  const found = opening === null ? loneClosing(text) : thoughtsFrom(text, opening);
  if (found === undefined) return undefined;
  const { end, to } = found;
  return { before, thinking: text.slice(before.length, end), after: text.slice(end, to), answer: text.slice(to) };
}

/** Where a thought ends, and where what closes it does. */
type End = { readonly end: number; readonly to: number };

/** Where nothing was opened, the tag ends its line, or nothing but a word that was not finished stands before it. */
function loneClosing(text: string): End | undefined {
  const { thinking, rest, isGuess } = thoughtIn(text, { closing: CLOSING, opening: openingTag(NAME) });
  if (rest === undefined || isGuess === true) return undefined;
  const isAlone = /^$|[^\s`"']$/.test(thinking) || thinking.endsWith('\n') || thinking.trim() === '' || /^\s*\n/.test(rest);
  return isAlone ? { end: thinking.length, to: text.length - rest.trimStart().length } : undefined;
}

/** Of the thought that is opened at the beginning; another may follow at once. */
function thoughtsFrom(text: string, opening: RegExpExecArray): End {
  let found: End | undefined;
  for (let next: RegExpExecArray | null = opening; next !== null; next = OPENING.exec(text.slice(found.to))) {
    const start: number = (found?.to ?? 0) + next[0].length;
    const { thinking, rest, isGuess } = thoughtIn(text.slice(start), tagsOf(next));
    if (rest === undefined) break;
    found = { end: start + thinking.length, to: text.length - afterClosing(rest).length };
    if (isGuess === true) break;
  }
  return found ?? { end: text.length, to: text.length };
}

/** What follows a tag that closes a thought; one that was opened twice is closed twice. */
const afterClosing = (rest: string): string => rest.slice(CLOSED_ELSEWHERE.exec(rest)?.[0].length ?? 0).trimStart();

/**
 * A reply with what was thought in its first text as a block of its own, which keeps the tags. The same reply where nothing was, or where
 * nothing is outside of the tags although the reply has ended: then a tag is missing.
 */
export function withoutTags(reply: ModelReply): ModelReply {
  const content = splitBlocks(reply);
  return content === reply.content ? reply : { ...reply, content };
}

function splitBlocks({ content, stopReason }: ModelReply): readonly ContentBlock[] {
  const at = content.findIndex((block) => isText(block));
  const first = content[at];
  if (first === undefined || !isText(first)) return content;
  const hasThought = content.slice(0, at).some(isThinking);
  // What was thought has come already: only tags at the beginning are no part of the answer.
  const isTold = hasThought && !OPENING.test(first.text) && !CLOSED_ELSEWHERE.test(first.text);
  const alone = isTold ? undefined : splitThinking(first.text);
  // What was opened may end in the next text.
  const others = content.slice(at + 1);
  const next = others.findIndex((block) => !isText(block));
  const joined = alone?.after !== '' ? 0 : next === -1 ? others.length : next;
  const text =
    first.text +
    others
      .slice(0, joined)
      .filter(isText)
      .map((block) => block.text)
      .join('');
  const split = joined === 0 ? alone : splitThinking(text);
  const rest = others.slice(joined);
  const hasAnswer = split?.answer.trim() !== '' || rest.some((block) => isText(block) && block.text.trim() !== '');
  if (split === undefined || !(hasAnswer || stopReason === 'max_tokens' || rest.some(isToolUse))) return content;
  const { before, thinking, after, answer } = split;
  const thought: ContentBlock = { type: 'thinking', thinking, tags: { before, after } };
  return [...content.slice(0, at), thought, ...(answer.trim() === '' ? [] : [{ ...first, text: answer }]), ...rest];
}

/** The messages with what was thought in the text where it came, for the endpoint that it came from; the same message where nothing was. */
export function inTags(message: WireMessage): WireMessage {
  const at = message.content.findIndex(isTagged);
  const thought = message.content[at];
  if (thought === undefined || !isObject(thought.tags)) return message;
  const { before, after } = thought.tags;
  const text = [before, thought.thinking, after].filter(isString).join('');
  const next = message.content[at + 1];
  const joined: TextBlock = next !== undefined && isText(next) ? { ...next, text: text + next.text } : { type: 'text', text };
  const rest = message.content.slice(at + (next !== undefined && isText(next) ? 2 : 1));
  return { ...message, content: [...message.content.slice(0, at), joined, ...rest] };
}

export const isTagged = (block: ContentBlock): boolean => block.type === 'thinking' && isObject(block.tags);

/** Tells a listener what is thought between tags at the beginning of a text as thinking. A tag that closes alone comes too late for that. */
export function listenWithoutTags({ onText, onThinking }: ReplyListener): ReplyListener & { readonly end: () => void } {
  let state: 'start' | 'answer' | ReturnType<typeof readThought> = 'start';
  let held = '';
  let hasThought = false;
  const answer = (): void => {
    const text = hasThought ? held.trimStart() : held;
    [state, held] = ['answer', ''];
    if (text !== '') onText(text);
  };
  /** Takes what was read of a thought; another one may follow. */
  const think = ({ thinking, rest }: ThoughtRead): void => {
    if (thinking !== '') onThinking(thinking);
    if (rest !== undefined) [state, held] = ['start', rest];
  };
  const open = (): void => {
    while (state === 'start') {
      const closed = CLOSED_ELSEWHERE.exec(held);
      if (closed !== null) [held, hasThought] = [held.slice(closed[0].length), true];
      if (mayOpen(held)) return;
      const opening = OPENING.exec(held);
      if (opening === null) {
        answer();
        return;
      }
      const thought = readThought(tagsOf(opening));
      const piece = held.slice(opening[0].length);
      [state, held, hasThought] = [thought, '', true];
      think(thought.take(piece));
    }
  };
  return {
    /** Says what was held back, since a tag might have come. */
    end: () => {
      if (typeof state === 'object') think(state.end());
      held = hasThought ? afterClosing(held) : held;
      if (held !== '') answer();
    },
    onThinking: (text) => {
      if (state === 'start' && held !== '') answer();
      onThinking(text);
    },
    onText: (text) => {
      if (state === 'answer') return onText(text);
      if (state === 'start') held += text;
      else think(state.take(text));
      open();
    },
  };
}
