import type { ContentBlock, TextBlock, WireMessage } from '../../domain/session/message.ts';
import { isText, isThinking, isToolUse } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { isObject, isString } from '../../domain/value/json.ts';

type ReplyListener = { readonly onText: (text: string) => void; readonly onThinking: (text: string) => void };

/**
 * Some models write what they think into the text, between tags at the beginning of the reply; where the template of a server opens the tag,
 * only the closing one comes. What is outside is the answer. A tag further on, in code or in quotes is what the model has to say.
 */
const OPENING = /^\s*<(think|thinking|thought|reasoning)>/i;
/** So many blanks stand before no tag: what is held back is looked through again with each piece. */
const MAX_HELD_CHARS = 1_000;
/** Whether a text is no more than the beginning of an opening tag. */
const mayOpen = (text: string): boolean => {
  if (text.length > MAX_HELD_CHARS) return false;
  const begun = text.trimStart().toLowerCase();
  return ['<think>', '<thinking>', '<thought>', '<reasoning>'].some((tag) => tag.startsWith(begun) && tag !== begun);
};
/** Alone, it ends its line, or nothing but a word that was not finished stands before it. */
const LONE_CLOSING = /(^|[^\s`"'])?(<\/(?:think|thinking|thought|reasoning)>)(?![`"'])(\s*)/i;

type Split = { readonly before: string; readonly thinking: string; readonly after: string; readonly answer: string };

/** The text of a reply in its parts, which together are the text: what is thought, and what is said. Undefined where nothing is tagged. */
export function splitThinking(text: string): Split | undefined {
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const [before, name = ''] = opening;
    const closing = new RegExp(`</${name}>\\s*`, 'i').exec(text.slice(before.length));
    if (closing === null) return { before, thinking: text.slice(before.length), after: '', answer: '' };
    const end = before.length + closing.index;
    return { before, thinking: text.slice(before.length, end), after: closing[0], answer: text.slice(end + closing[0].length) };
  }
  const closing = LONE_CLOSING.exec(text);
  const tag = closing?.[2];
  if (closing === null || tag === undefined) return undefined;
  const at = closing.index + (closing[1] ?? '').length;
  const thinking = text.slice(0, at);
  const after = `${tag}${closing[3] ?? ''}`;
  const isInCode =
    (thinking.match(/^\s*```/gm) ?? []).length % 2 === 1 || (thinking.split('\n').at(-1)?.match(/`/g) ?? []).length % 2 === 1;
  const isAlone = closing[1] !== undefined || thinking.endsWith('\n') || thinking === '' || /\n/.test(closing[3] ?? '');
  // One that was opened further on belongs to what is said.
  if (isInCode || !isAlone || thinking.trim() === '' || /<(?:think|thinking|thought|reasoning)>/i.test(thinking)) return undefined;
  return { before: '', thinking, after, answer: text.slice(at + after.length) };
}

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
  if (first === undefined || !isText(first) || content.slice(0, at).some(isThinking)) return content;
  const split = splitThinking(first.text);
  if (split === undefined || (split.answer.trim() === '' && stopReason !== 'max_tokens' && !content.some(isToolUse))) return content;
  const { before, thinking, after, answer } = split;
  const thought: ContentBlock = { type: 'thinking', thinking, tags: { before, after } };
  return [...content.slice(0, at), thought, ...(answer.trim() === '' ? [] : [{ ...first, text: answer }]), ...content.slice(at + 1)];
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
  let state: 'start' | 'thinking' | 'answer' = 'start';
  let held = '';
  let closing = '';
  const think = (): void => {
    const end = held.search(new RegExp(closing, 'i'));
    // The tag may come in pieces.
    const said = end < 0 ? held.slice(0, Math.max(0, held.length - closing.length)) : held.slice(0, end);
    if (said !== '') onThinking(said);
    held = held.slice(said.length);
    if (end < 0) return;
    state = 'answer';
    held = held.slice(closing.length).trimStart();
    if (held !== '') onText(held);
  };
  return {
    /** Says what was held back, since a tag might have come. */
    end: () => {
      if (held !== '' && state !== 'answer') (state === 'thinking' ? onThinking : onText)(held);
      held = '';
    },
    onThinking: (text) => {
      if (state === 'start') {
        state = 'answer';
        if (held !== '') onText(held);
      }
      onThinking(text);
    },
    onText: (text) => {
      if (state === 'answer') return onText(text);
      held += text;
      if (state === 'thinking') return think();
      if (mayOpen(held)) return;
      const opening = OPENING.exec(held);
      if (opening === null) {
        state = 'answer';
        return onText(held);
      }
      [state, held, closing] = ['thinking', held.slice(opening[0].length), `</${(opening[1] ?? '').toLowerCase()}>`];
      think();
    },
  };
}
