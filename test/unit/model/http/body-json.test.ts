import { expect, test } from 'vitest';
import { bodyJson } from '../../../../src/model/http/ask-over-http.ts';
import { bytesIn } from '../../../../src/net/send.ts';

const message = (i: number) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: `消息 ${i}` });

test('what was in the body before goes out as the same bytes, uncopied', () => {
  const messages = Array.from({ length: 100 }, (_, i) => message(i));
  const before = new Set(bodyJson({ model: 'm', messages }, 'messages'));
  const body = { model: 'm', messages: [...messages, message(100)] };
  const after = bodyJson(body, 'messages');
  const shared = after.filter((part) => before.has(part));
  expect(bytesIn(shared)).toBeGreaterThan(0.9 * bytesIn(after));
  expect(Buffer.concat(after).toString()).toBe(JSON.stringify(body));
  expect(bytesIn(after)).toBe(Buffer.byteLength(JSON.stringify(body)));
});
