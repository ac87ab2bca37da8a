import type { ContentBlock, TextBlock, WireMessage } from '../../domain/session/message.ts';
import { isText, isThinking, isToolUse } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { isObject, isString } from '../../domain/value/json.ts';

type ReplyListener = { readonly onText: (text: string) => void; readonly onThinking: (text: string) => void };

/**
 * Some models write what they think into the text, between tags at the beginning of the reply; where the template of a server opens the tag,
 * only the closing one comes. What is outside is the answer. A tag further on, in code or in quotes is what the model has to say.
 */
const NAME = '(?:seed:)?(?:think|thinking|thoughts?|reasoning)|antthinking';
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
/** Where nothing was opened, it ends its line, or nothing but a word that was not finished stands before it. */
const LONE_CLOSING = new RegExp(`(^|[^\\s\`"'])?(${CLOSING})(?![\`"'])(\\s*)`, 'i');
/** At the beginning there is nothing that it closes here. */
const CLOSED_ELSEWHERE = new RegExp(String.raw`^\s*(?:${CLOSING})`, 'i');

/** What closes a thought behind its opening. */
const closingOf = ({ groups = {} }: RegExpExecArray): string =>
  marks.get(groups.mark?.toLowerCase() ?? '') ?? String.raw`</${groups.name ?? ''}\s*>`;
/** No closing tag is longer. */
const MAX_CLOSING_CHARS = 64;
/** So many characters stand before no tag, or in none: what is held back is looked through again with each piece. */
const MAX_HELD_CHARS = 1_000;
const tagsAtStart: readonly string[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'antthinking', 'seed:'].flatMap((name) => [`<${name}`, `</${name}`]),
  ...marks.keys(),
  ...['[/think]', '◁/think▷'],
];
/** Whether a text is no more than the beginning of a tag. */
const mayOpen = (text: string): boolean => {
  const begun = text.trimStart().toLowerCase();
  const isOpen = /^<\/?[\w:]{1,20}(?:\s[^<>]*)?$/.test(begun);
  return text.length <= MAX_HELD_CHARS && tagsAtStart.some((tag) => tag.startsWith(begun) || (isOpen && begun.startsWith(tag)));
};

type Split = { readonly before: string; readonly thinking: string; readonly after: string; readonly answer: string };

/** The text of a reply in its parts, which together are the text: what is thought, and what is said. Undefined where nothing is tagged. */
export function splitThinking(text: string): Split | undefined {
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const [before] = opening;
    const { end, to } = thoughtFrom(text, opening, 0);
    const isClosed = to > end;
    return { before, thinking: text.slice(before.length, end), after: text.slice(end, to), answer: isClosed ? text.slice(to) : '' };
  }
  const closing = LONE_CLOSING.exec(text);
  const tag = closing?.[2];
  if (closing === null || tag === undefined) return undefined;
  const at = closing.index + (closing[1] ?? '').length;
  const thinking = text.slice(0, at);
  const after = `${tag}${closing[3] ?? ''}`;
  const isInCode =
    (thinking.match(/^\s*```/gm) ?? []).length % 2 === 1 || (thinking.split('\n').at(-1)?.match(/`/g) ?? []).length % 2 === 1;
  const isAlone = closing[1] !== undefined || thinking.endsWith('\n') || thinking.trim() === '' || /\n/.test(closing[3] ?? '');
  // One that was opened further on belongs to what is said.
  if (isInCode || !isAlone || /<(?:think|thinking|thought|reasoning)>/i.test(thinking)) return undefined;
  return { before: '', thinking, after, answer: text.slice(at + after.length) };
}

/** Where the thought behind an opening tag at a place ends, and where what closes it does; another thought may follow at once. */
function thoughtFrom(text: string, opening: RegExpExecArray, at: number): { readonly end: number; readonly to: number } {
  const start = at + opening[0].length;
  const closing = new RegExp(`(?:${closingOf(opening)})\\s*`, 'i').exec(text.slice(start));
  if (closing === null) return { end: text.length, to: text.length };
  const end = start + closing.index;
  const to = end + closing[0].length;
  const next = OPENING.exec(text.slice(to));
  const further = next === null ? undefined : thoughtFrom(text, next, to);
  return further === undefined || further.to === further.end ? { end, to } : further;
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
  if (first === undefined || !isText(first)) return content;
  const hasThought = content.slice(0, at).some(isThinking);
  // What was thought has come already: only tags at the beginning are no part of the answer.
  const split = hasThought && !OPENING.test(first.text) && !CLOSED_ELSEWHERE.test(first.text) ? undefined : splitThinking(first.text);
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
  let hasThought = false;
  const answer = (): void => {
    const text = hasThought ? held.trimStart() : held;
    [state, held] = ['answer', ''];
    if (text !== '') onText(text);
  };
  const think = (): void => {
    const found = new RegExp(closing, 'i').exec(held);
    // The tag may come in pieces.
    const begun = /[<[◁]\S{0,62}\s*$/u.exec(held.slice(-MAX_CLOSING_CHARS));
    const said = held.slice(0, found?.index ?? held.length - (begun?.[0].length ?? 0));
    if (said !== '') onThinking(said);
    held = held.slice(said.length + (found?.[0].length ?? 0));
    if (found === null) return;
    state = 'start';
    open();
  };
  /** Another thought may follow at once. */
  const open = (): void => {
    const closed = CLOSED_ELSEWHERE.exec(held);
    if (closed !== null) [held, hasThought] = [held.slice(closed[0].length), true];
    if (mayOpen(held)) return;
    const opening = OPENING.exec(held);
    if (opening === null) answer();
    else {
      [state, held, closing, hasThought] = ['thinking', held.slice(opening[0].length), closingOf(opening), true];
      think();
    }
  };
  return {
    /** Says what was held back, since a tag might have come. */
    end: () => {
      if (state === 'thinking' && held !== '') onThinking(held);
      else if (held !== '') answer();
      held = '';
    },
    onThinking: (text) => {
      if (state === 'start' && held !== '') answer();
      onThinking(text);
    },
    onText: (text) => {
      if (state === 'answer') return onText(text);
      held += text;
      return state === 'thinking' ? think() : open();
    },
  };
}
