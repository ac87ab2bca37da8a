import { describe, expect, test } from 'vitest';
import type { WireMessage } from '../../../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { collectReply } from '../../../../src/model/anthropic/reply.ts';
import { requestBody } from '../../../../src/model/anthropic/request.ts';
import { factsFor } from '../../../../src/model/catalog.ts';
import { convertHistory } from '../../../../src/model/convert-history.ts';
import { mergeFields, originOf } from '../../../../src/model/openai/opaque-fields.ts';
import { chatMessages } from '../../../../src/model/openai-chat/chat-messages.ts';
import { collectChatReply } from '../../../../src/model/openai-chat/reply.ts';
import type { ChatTraits } from '../../../../src/model/openai-chat/traits.ts';
import { collectResponse } from '../../../../src/model/openai-responses/reply.ts';
import { inputItems } from '../../../../src/model/openai-responses/request.ts';
import { modelConfig, requestOf } from '../../../support/model-rig.ts';

const here = originOf('chat', 'https://one.example/v1');
const there = originOf('chat', 'https://two.example/v1');
const quiet = { onText: () => undefined, onThinking: () => undefined };

const replyOf = (...deltas: readonly object[]): WireMessage => {
  const collector = collectChatReply(requestOf([]), quiet, here);
  for (const delta of deltas) collector.push({ data: JSON.stringify({ choices: [{ index: 0, delta }] }), id: undefined, event: undefined });
  collector.push({ data: '[DONE]', id: undefined, event: undefined });
  return messageOf(collector.finish());
};
const messageOf = (answer: ModelAnswer | undefined): WireMessage => ({
  role: 'assistant',
  content: answer?.kind === 'reply' ? answer.content : [],
  endpoint: 'one',
});

const traits: ChatTraits = {
  ...{ tools: true, images: true, reasoning: true, opaque: 'all', shortIds: false, systemRole: 'system', streams: true, streamUsage: true },
  ...{ limitField: 'max_tokens', cacheKey: false, effort: 'all' },
};
const sentTo = (origin: string, message: WireMessage, opaque: 'all' | 'calls' | 'none' = 'all') =>
  chatMessages({ system: [], messages: convertHistory([message], 'one') }, { ...traits, origin, opaque });

const signed = { google: { thought_signature: 'c2lnbmVk' } };
const details = [{ type: 'reasoning.text', text: 'Hm. Yes.', signature: 'sig', index: 0, format: 'x' }];
const call = { index: 0, id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } };

describe('what a server adds to a reply', () => {
  const reply = replyOf(
    { role: 'assistant', reasoning_details: [{ type: 'reasoning.text', text: 'Hm. ', index: 0, format: 'x' }], annotations: [] },
    { reasoning_details: [{ type: 'reasoning.text', text: 'Yes.', signature: 'sig', index: 0, format: 'x' }] },
    { content: 'I look.', provider_specific_fields: { session: 7 } },
    { tool_calls: [{ ...call, extra_content: signed, function: { ...call.function, provider_specific_fields: { seal: 's' } } }] },
  );

  test('goes back to it as it came', () => {
    expect(sentTo(here, reply)).toEqual([
      {
        ...{ role: 'assistant', content: 'I look.', reasoning_details: details, provider_specific_fields: { session: 7 } },
        tool_calls: [
          {
            ...{ id: 'a', type: 'function', extra_content: signed },
            function: { name: 'read_file', arguments: '{}', provider_specific_fields: { seal: 's' } },
          },
        ],
      },
    ]);
  });

  test('goes to no other address, to no other endpoint and over no other wire', () => {
    const plain = [
      {
        ...{ role: 'assistant', content: 'I look.' },
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
      },
    ];
    expect(sentTo(there, reply)).toEqual(plain);
    expect(chatMessages({ system: [], messages: convertHistory([reply], 'two') }, { ...traits, origin: here })).toEqual(plain);
    const body = requestBody(requestOf([reply]), { facts: factsFor('m', modelConfig, 'anthropic'), thinking: 'none' });
    expect(JSON.stringify(body)).not.toMatch(/opaque|openai_fields|sig|seal|session/);
    expect(JSON.stringify(inputItems([reply], here))).not.toMatch(/reasoning_details|openai_fields/);
  });

  test('is left out where the endpoint has refused it', () => {
    expect(JSON.stringify(sentTo(here, reply, 'calls'))).not.toContain('reasoning_details');
    expect(JSON.stringify(sentTo(here, reply, 'calls'))).toContain('thought_signature');
    expect(JSON.stringify(sentTo(here, reply, 'none'))).not.toContain('thought_signature');
  });

  test('leaves a reply without such fields as it was', () => {
    expect(replyOf({ role: 'assistant', content: 'Hi', refusal: null, annotations: [] }).content).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  test('takes the place of nothing that a call says itself, whatever a file holds [W2]', () => {
    const fields = { id: 'b', type: 'other', function: { name: 'run_command' }, seal: 's' };
    const forged: WireMessage = {
      ...{ role: 'assistant', endpoint: 'one' },
      content: [
        { type: 'tool_use', id: 'a', name: 'read_file', input: {}, opaque: { from: here, fields, called: { name: 'run_command' } } },
      ],
    };
    expect(sentTo(here, forged)).toMatchObject([
      { tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' }, seal: 's' }] },
    ]);
  });

  test('of the Messages API goes back with its block; at the provider itself a block stays as it came [W2]', () => {
    const block = { type: 'tool_use', id: 'a', name: 'read_file', input: {}, provider_specific_fields: { seal: 's' } };
    const origin = originOf('messages', 'https://one.example');
    const replyAt = (from: string): WireMessage => {
      const collector = collectReply({ model: 'm', origin: from }, quiet);
      collector.whole({ type: 'message', content: [block], stop_reason: 'tool_use' });
      return messageOf(collector.finish());
    };
    expect(replyAt('').content).toEqual([block]);
    const sentFrom = (to: string): unknown =>
      requestBody(requestOf([replyAt(origin)]), { facts: factsFor('m', modelConfig, 'anthropic'), thinking: 'none', origin: to }).messages;
    expect(sentFrom(origin)).toMatchObject([{ content: [block] }]);
    for (const elsewhere of ['', originOf('messages', 'https://one.example/other'), originOf('chat', 'https://one.example')])
      expect(JSON.stringify(sentFrom(elsewhere))).not.toMatch(/seal|opaque/);
  });

  test('of the Responses API goes back with its item', () => {
    const origin = originOf('responses', 'https://one.example/v1');
    const collector = collectResponse('m', quiet, origin);
    collector.whole({
      status: 'completed',
      output: [
        { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hi' }], seal: 'x' },
        { type: 'function_call', id: 'f1', call_id: 'c1', name: 'read_file', arguments: { path: 'a' }, extra_content: signed },
      ],
    });
    const message = messageOf(collector.finish());
    expect(inputItems([message], origin)).toMatchObject([
      { type: 'message', seal: 'x' },
      { type: 'function_call', arguments: '{"path":"a"}', extra_content: signed },
    ]);
    expect(JSON.stringify(inputItems([message], originOf('responses', 'https://two.example/v1')))).not.toMatch(/seal|extra_content/);
  });
});

test('fields that come in pieces are put together, and a repetition adds nothing', () => {
  const pieces = [
    { list: [{ index: 0, type: 't', text: 'a' }] },
    {
      list: [
        { index: 0, type: 't', text: 'b' },
        { index: 1, type: 'e', data: 'sealed' },
      ],
      seal: 'one',
    },
    { list: [{ index: 1, type: 'e', data: 'sealed' }], seal: 'one', deep: { seal: 'x' } },
    { deep: { more: true } },
  ];
  expect(pieces.reduce(mergeFields, {})).toEqual({
    list: [
      { index: 0, type: 't', text: 'ab' },
      { index: 1, type: 'e', data: 'sealed' },
    ],
    seal: 'one',
    deep: { seal: 'x', more: true },
  });
});
