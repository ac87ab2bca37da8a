import fc from 'fast-check';
import { type ContentBlock, isText, isThinking, isToolUse } from '../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../src/domain/session/model-answer.ts';

/** What the model meant to say, whatever its server makes of it. */
export type MeantBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

const toolNames = ['run_command', 'read_file', 'mcp__notes__add'] as const;

const words = fc.oneof(
  fc.string(),
  fc.constantFrom('echo one', '{"a":1}', '}{', '"', '\\', 'data: x', 'event: error', '读文件', '\n\n', '[DONE]', 'a'.repeat(300)),
);
const input = fc.dictionary(fc.constantFrom('command', 'path', 'text', 'n'), fc.oneof(words, fc.nat(), fc.constant({ a: { b: '}' } })), {
  maxKeys: 3,
});

/** Text that is blank is no part of a reply. */
const block: fc.Arbitrary<MeantBlock> = fc.oneof(
  words.map((text): MeantBlock => ({ kind: 'text', text: `T${text}.` })),
  words.map((text): MeantBlock => ({ kind: 'thinking', text: `H${text}.` })),
  fc.record({ name: fc.constantFrom(...toolNames), input }).map((call): MeantBlock => ({ kind: 'call', id: '', ...call })),
);

/** The blocks of a reply, no two alike; each call has an id of its own. */
export const meantReplies = fc
  .array(block, { minLength: 1, maxLength: 4 })
  .map((blocks) =>
    blocks.map((one, at): MeantBlock => (one.kind === 'call' ? { ...one, id: `x${at}` } : { ...one, text: `${at}${one.text}` })),
  );

export type Said = { readonly text: string; readonly thinking: string; readonly calls: readonly unknown[] };

export const meantIn = (blocks: readonly MeantBlock[]): Said => ({
  text: blocks.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join(''),
  thinking: blocks.flatMap((one) => (one.kind === 'thinking' ? [one.text] : [])).join(''),
  calls: blocks.flatMap((one) => (one.kind === 'call' ? [{ id: one.id, name: one.name, input: one.input }] : [])),
});

/** What of a reply reaches the conversation, in its order. */
export function saidIn(answer: ModelAnswer | undefined): Said | undefined {
  if (answer?.kind !== 'reply') return undefined;
  const textsOf = (is: (one: ContentBlock) => boolean, field: string): string =>
    answer.content.flatMap((one) => (is(one) ? [String(one[field])] : [])).join('');
  return {
    text: textsOf(isText, 'text'),
    thinking: textsOf(isThinking, 'thinking'),
    calls: answer.content.filter(isToolUse).map(({ id, name, input: given }) => ({ id, name, input: given })),
  };
}

/** Cuts a text at some places; no piece is empty. */
export const cut = (whole: string, places: readonly number[]): readonly string[] => {
  const ends = [...new Set([...places.map((place) => 1 + (place % Math.max(1, whole.length))), whole.length])].toSorted((a, b) => a - b);
  return ends.map((end, at) => whole.slice(at === 0 ? 0 : ends[at - 1], end)).filter((piece) => piece !== '');
};

/** Where the texts of up to four blocks are cut. */
export const places = fc.array(fc.array(fc.nat({ max: 400 }), { maxLength: 5 }), { minLength: 4, maxLength: 4 });

/** Takes one item after another from the lists, in an order. The first of each stay in theirs. */
export function mixed<Item>(lists: readonly (readonly Item[])[], order: readonly number[]): readonly Item[] {
  const left = lists.map((list) => [...list]);
  const taken = left.flatMap((list) => list.splice(0, 1));
  for (const at of order) taken.push(...(left[at % left.length]?.splice(0, 1) ?? []));
  return [...taken, ...left.flat()];
}
