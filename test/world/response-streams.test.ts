import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectResponse } from '../../src/model/openai-responses/reply.ts';
import { worldRuns } from '../support/runs.ts';
import { meantIn, saidIn } from './meant-reply.ts';
import { responseStreams } from './response-streams.ts';

const quiet = { onText: () => undefined, onThinking: () => undefined };

test('a reply of the Responses wire is whole and there once, however a server names its items and ends it [W1, W4]', () => {
  fc.assert(
    fc.property(responseStreams, ({ way, meant, events }) => {
      const collector = collectResponse('m', quiet);
      for (const event of events)
        collector.push({ data: event.type === 'mark' ? '[DONE]' : JSON.stringify(event), event: undefined, id: undefined });
      const answer = collector.finish();
      expect(saidIn(answer), way).toEqual(meantIn(meant));
      if (answer?.kind === 'reply') expect(answer.stopReason, way).not.toMatch(/max_tokens|refusal|length/);
    }),
    worldRuns(1_000),
  );
});

test('a text alone is the content of a message [W8]', () => {
  const collector = collectResponse('m', quiet);
  collector.whole({ status: 'completed', output: [{ type: 'message', role: 'assistant', content: 'Hello' }] });
  expect(collector.finish()).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] });
});
