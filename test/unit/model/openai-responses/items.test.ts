import { describe, expect, test } from 'vitest';
import type { ContentBlock, WireMessage } from '../../../../src/domain/session/message.ts';
import { inputItems } from '../../../../src/model/openai-responses/request.ts';

const user = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'user', content });
const reply = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'assistant', content });
const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'read_file', input: { path: 'a' } });
const result = (id: string, content: unknown): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content });
const thought: ContentBlock = {
  type: 'thinking',
  thinking: 'Hm.',
  signature: 'seal',
  reasoning: { type: 'reasoning', id: 'rs_1', summary: [] },
};
const sent = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'seal' };

test('a turn with parallel calls: the reply in its order, then the outputs, then what the user says', () => {
  const items = inputItems([
    user(text('Read both.')),
    reply(thought, text('Reading.'), call('call_1'), call('call_2')),
    user(result('call_1', 'one'), result('call_2', [text('two'), text('lines')]), text('Go on.')),
  ]);
  expect(items).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read both.' }] },
    sent,
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
    { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' },
    { type: 'function_call', call_id: 'call_2', name: 'read_file', arguments: '{"path":"a"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    { type: 'function_call_output', call_id: 'call_2', output: 'two\nlines' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
  ]);
});

test('images and documents, from the user and from tools', () => {
  const png: ContentBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBOR' } };
  const pdf: ContentBlock = { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBER' } };
  const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBOR', detail: 'auto' };
  const file = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBER' };
  expect(inputItems([user(png, pdf)])).toEqual([{ type: 'message', role: 'user', content: [image, file] }]);
  expect(inputItems([reply(call('c')), user(result('c', [text('seen'), png]))])[1]).toEqual({
    type: 'function_call_output',
    call_id: 'c',
    output: [{ type: 'input_text', text: 'seen' }, image],
  });
});

describe('reasoning', () => {
  test('goes back as it came while something of its reply follows it', () => {
    expect(inputItems([reply(thought, call('c'))])[0]).toEqual(sent);
    expect(inputItems([reply(text('Said.'), thought)])).toHaveLength(1);
    expect(inputItems([reply(thought)])).toEqual([]);
  });

  test('without its seal is left out, unless it is open', () => {
    const open = { type: 'reasoning', id: 'rs_2', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] };
    expect(inputItems([reply({ ...thought, signature: '' }, call('c'))])).toHaveLength(1);
    expect(inputItems([reply({ ...thought, signature: '', reasoning: open }, call('c'))])[0]).toEqual(open);
  });

  test('of another provider is left out, and so are its own blocks', () => {
    const signed: ContentBlock = { type: 'thinking', thinking: 'Hm.', signature: 'sig' };
    const sealed: ContentBlock = { type: 'redacted_thinking', data: 'x' };
    expect(inputItems([reply(signed, sealed, { type: 'block_of_2031' }, call('c'))])).toHaveLength(1);
  });
});

test('an id that is too long is shortened alike in call and output, and two such ids differ', () => {
  const long = (end: string): string => `${'x'.repeat(100)}${end}`;
  const [first, second, output] = inputItems([
    reply(call(long('1')), call(long('2'))),
    user(result(long('1'), 'r'), result(long('2'), 'r')),
  ]);
  expect(String(first?.call_id)).toHaveLength(64);
  expect(first?.call_id).not.toBe(second?.call_id);
  expect(output?.call_id).toBe(first?.call_id);
});

test('a longer conversation only appends', () => {
  const start = [user(text('One.')), reply(thought, call('c'))];
  const longer = [...start, user(result('c', 'r')), reply(text('Done.')), user(text('Two.'))];
  expect(inputItems(longer).slice(0, inputItems(start).length)).toEqual(inputItems(start));
});
