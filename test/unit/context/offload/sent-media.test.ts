import { expect, test } from 'vitest';
import { sentMedia } from '../../../../src/context/offload/sent-media.ts';
import type { ContentBlock, WireMessage } from '../../../../src/domain/session/message.ts';

const image = (data = 'aGk='): ContentBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const result = (...content: readonly ContentBlock[]): WireMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a.png: PNG image' }, ...content] }],
});
const count = (messages: readonly WireMessage[]): number => JSON.stringify(messages).split('"image"').length - 1;

test('without an image the messages are the same objects, whoever answers', () => {
  const messages: readonly WireMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
  expect(sentMedia(messages, false)).toBe(messages);
  expect(sentMedia([result(image())], true)).toHaveLength(1);
});

test('a model that does not see gets text in the place of each, in results too', () => {
  const sent = sentMedia(
    [result(image(), { type: 'document', source: { type: 'base64', data: 'aGk=' } }), { role: 'user', content: [image()] }],
    false,
  );
  expect(JSON.stringify(sent)).not.toMatch(/"image"|"document"/);
  expect(JSON.stringify(sent).match(/does not see/g)).toHaveLength(3);
  expect(JSON.stringify(sent)).toContain('a.png: PNG image');
});

test('the newest twenty are sent, and no more than a request may weigh [C46]', () => {
  const many = Array.from({ length: 25 }, (_, i) => result(image(`${i}`)));
  const sent = sentMedia(many, true);
  expect(count(sent)).toBe(20);
  expect(JSON.stringify(sent[4])).toContain('[Not shown, since there are newer ones: PNG image');
  expect(sent[5]).toBe(many[5]);
  const heavy = Array.from({ length: 7 }, () => result(image('a'.repeat(5_000_000))));
  expect(count(sentMedia(heavy, true))).toBe(4);
});
