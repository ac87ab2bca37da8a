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
