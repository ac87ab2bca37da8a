import { expect, test } from 'vitest';
import { isText } from '../../src/domain/session/message.ts';
import { listen, requestOf } from '../support/model-rig.ts';
import { collectorOf, type WireName } from '../support/wire-in-process.ts';

const words = ['The answer to that is', 'The answer to that is forty', 'The answer to that is forty-two.'];
const thoughts = ['I have to count the mice', 'I have to count the mice first', 'I have to count the mice first, all.'];

const item = { id: 'm', type: 'message', role: 'assistant' };
const eventsOf: Readonly<Record<WireName, readonly object[]>> = {
  chat: [
    ...thoughts.map((reasoning_content) => ({ choices: [{ index: 0, delta: { reasoning_content } }] })),
    ...words.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  responses: [
    { type: 'response.output_item.added', output_index: 0, item: { id: 'r', type: 'reasoning', summary: [] } },
    ...thoughts.map((delta) => ({ type: 'response.reasoning_text.delta', output_index: 0, item_id: 'r', delta })),
    { type: 'response.output_item.done', output_index: 0, item: { id: 'r', type: 'reasoning', summary: [{ text: thoughts[2] }] } },
    { type: 'response.output_item.added', output_index: 1, item: { ...item, content: [] } },
    ...words.map((delta) => ({ type: 'response.output_text.delta', output_index: 1, item_id: 'm', delta })),
    { type: 'response.completed', response: { status: 'completed' } },
  ],
  messages: [
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    ...thoughts.map((thinking) => ({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } })),
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    ...words.map((text) => ({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } })),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  ],
};

test.each(['chat', 'responses', 'messages'] as const)(
  'words and thoughts of which each piece has all that came before are said once on the wire %s [W1]',
  (wire) => {
    const heard = listen();
    const collector = collectorOf(wire, requestOf([]), heard);
    for (const event of eventsOf[wire]) collector.push({ data: JSON.stringify(event), event: undefined, id: undefined });
    const answer = collector.finish();
    const content = answer?.kind === 'reply' ? answer.content : [];
    expect(content.filter(isText).map(({ text }) => text)).toEqual([words[2]]);
    expect(content.find(({ type }) => type === 'thinking')).toMatchObject({ thinking: thoughts[2] });
    expect([heard.texts.join(''), heard.thoughts.join('')]).toEqual([words[2], thoughts[2]]);
  },
);
