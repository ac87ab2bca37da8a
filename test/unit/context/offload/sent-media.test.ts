import { expect, test } from 'vitest';
import { sentMedia } from '../../../../src/context/offload/sent-media.ts';
import type { ContentBlock, WireMessage } from '../../../../src/domain/session/message.ts';
import { carefulMediaLimits } from '../../../../src/domain/value/media-tokens.ts';

const image = (data = 'aGk='): ContentBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const result = (...content: readonly ContentBlock[]): WireMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a.png: PNG image' }, ...content] }],
});
const count = (messages: readonly WireMessage[]): number => JSON.stringify(messages).split('"image"').length - 1;

test('without an image the messages are the same objects, whoever answers', () => {
  const messages: readonly WireMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
  expect(sentMedia(messages, { seesImages: false })).toBe(messages);
  expect(sentMedia([result(image())], { seesImages: true })).toHaveLength(1);
});

test('a model that does not see gets text in the place of each, in results too', () => {
  const sent = sentMedia(
    [result(image(), { type: 'document', source: { type: 'base64', data: 'aGk=' } }), { role: 'user', content: [image()] }],
    { seesImages: false },
  );
  expect(JSON.stringify(sent)).not.toMatch(/"image"|"document"/);
  expect(JSON.stringify(sent).match(/does not see/g)).toHaveLength(3);
  expect(JSON.stringify(sent)).toContain('a.png: PNG image');
});

test('the newest are sent, at most twenty, and no more than a request may weigh [C46]', () => {
  const many = Array.from({ length: 25 }, (_, i) => result(image(`${i}`)));
  expect(count(sentMedia(many.slice(0, 20), { seesImages: true }))).toBe(20);
  const sent = sentMedia(many, { seesImages: true });
  expect(count(sent)).toBe(19);
  expect(JSON.stringify(sent[5])).toContain('[Not shown, since there are newer ones: PNG image');
  expect(sent[6]).toBe(many[6]);
  const heavy = Array.from({ length: 6 }, () => result(image('a'.repeat(5_000_000))));
  expect(count(sentMedia(heavy.slice(0, 4), { seesImages: true }))).toBe(4);
  expect(count(sentMedia(heavy, { seesImages: true }))).toBe(4);
});

test('one that is above a limit by itself takes no other one along', () => {
  const sent = sentMedia([result(image()), result(image('a'.repeat(24_000_001)))], { seesImages: true });
  expect(sent.map((message) => count([message]))).toEqual([1, 0]);
});

test('old ones go several at a time: a conversation of sixty changes what it sent seven times, and its thinking goes with that', () => {
  const thinks = (i: number): WireMessage => ({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: '', signature: `${i}` },
      { type: 'text', text: `${i}` },
    ],
  });
  const all = Array.from({ length: 60 }, (_, i) => [result(image(`${i}`)), thinks(i)]).flat();
  const at = (length: number) => sentMedia(all.slice(0, length), { seesImages: true });
  const changes = all.flatMap((_, length) => {
    const [before, after] = [at(length), at(length + 1)];
    return before.every((message, i) => message === after[i]) ? [] : [{ length, after }];
  });
  expect(changes.map(({ length }) => length)).toEqual([40, 52, 64, 76, 88, 100, 112]);
  for (const { after } of changes) expect(JSON.stringify(after)).not.toContain('"thinking"');
  expect(JSON.stringify(at(120)).match(/"thinking":/g)).toHaveLength(4);
});

test('the pages of all PDFs are added up: the newest that fit are sent, with every image [C46]', () => {
  const pdf = (pages: number): ContentBlock => ({
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: Buffer.from(`${pages}`).toString('base64') },
  });
  const pagesOf = (base64: string): number => Number(Buffer.from(base64, 'base64').toString());
  const messages = [result(image()), result(pdf(5)), result(pdf(60)), result(pdf(50)), result(pdf(50))];
  const shown = (pages: number, more = messages): readonly boolean[] => {
    const sent = sentMedia(more, { seesImages: true, pagesOf, mediaLimits: { ...carefulMediaLimits, pages } });
    return sent.map((message, at) => message === more[at]);
  };
  expect(shown(100)).toEqual([true, false, false, true, true]);
  expect(shown(99)).toEqual([true, false, false, false, true]);
  expect(shown(600)).toEqual([true, true, true, true, true]);
  expect(JSON.stringify(sentMedia(messages, { seesImages: true, pagesOf })[2])).toContain('[Not shown, since there are newer ones: PDF');
  const uncounted: ContentBlock = {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: 'a'.repeat(4_000_000) },
  };
  const guessed = [result(uncounted), result({ ...uncounted }), result(image())];
  expect(sentMedia(guessed, { seesImages: true }).map((message, at) => message === guessed[at])).toEqual([false, true, true]);
});
