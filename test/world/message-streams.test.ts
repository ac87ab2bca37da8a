import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectReply } from '../../src/model/anthropic/reply.ts';
import { worldRuns } from '../support/runs.ts';
import { meantIn, saidIn } from './meant-reply.ts';
import { messageStreams } from './message-streams.ts';

const quiet = { onText: () => undefined, onThinking: () => undefined };

test('a reply of the Messages wire is whole and there once, however a server numbers its blocks and ends it [W1, W4]', () => {
  fc.assert(
    fc.property(messageStreams, ({ way, meant, events }) => {
      const collector = collectReply({ model: 'm' }, quiet);
      for (const event of events) collector.push({ data: JSON.stringify(event), event: undefined, id: undefined });
      const answer = collector.finish();
      expect(saidIn(answer), way).toEqual(meantIn(meant));
      if (answer?.kind === 'reply') expect(answer.stopReason, way).not.toMatch(/max_tokens|refusal|length/);
    }),
    worldRuns(1_000),
  );
});

test('what signs a call itself stays with it, and a text alone is the content of a message [W2, W8]', () => {
  const signed = collectReply({ model: 'm', origin: 'here' }, quiet);
  for (const event of [
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'look', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sealed' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  ])
    signed.push({ data: JSON.stringify(event), event: undefined, id: undefined });
  expect(signed.finish()).toMatchObject({ content: [{ type: 'tool_use', opaque: { from: 'here', fields: { signature: 'sealed' } } }] });
  const whole = collectReply({ model: 'm' }, quiet);
  whole.whole({ type: 'message', content: 'Hello', stop_reason: 'stop' });
  expect(whole.finish()).toMatchObject({ content: [{ type: 'text', text: 'Hello' }], stopReason: 'end_turn' });
});
