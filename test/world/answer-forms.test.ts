import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SanbotError } from '../../src/domain/errors.ts';
import { asks, listen, requestOf } from '../support/model-rig.ts';
import { worldRuns } from '../support/runs.ts';
import { answerOf, bytesOf, collectorOf, type WireName, wireInProcess, wireNames } from '../support/wire-in-process.ts';
import { type Events, errorsIn, forms } from './answer-forms.ts';
import { chatStreams, chunksOf } from './chat-streams.ts';
import { messageStreams } from './message-streams.ts';
import { tooLongRefusals } from './overflow-words.ts';
import { responseStreams } from './response-streams.ts';

const eventsOn: Readonly<Record<WireName, fc.Arbitrary<Events>>> = {
  messages: messageStreams.map(({ events }) => events),
  chat: chatStreams.map((stream): Events => [...chunksOf(stream, 'tool_calls').map((chunk) => ({ ...chunk })), '[DONE]']),
  responses: responseStreams.map(({ events }) => events.map((event) => (event.type === 'mark' ? '[DONE]' : event))),
};
const request = requestOf([asks('hi')], {
  tools: ['run_command', 'read_file', 'mcp__notes__add', 'list_files'].map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
  })),
});
const quiet = { onText: () => undefined, onThinking: () => undefined };

describe.each(wireNames)('on the wire %s', (wire) => {
  test('the same events are the same answer, in whatever form they come [W8]', async () => {
    await fc.assert(
      fc.asyncProperty(eventsOn[wire], forms, async (events, form) => {
        // Without a mark of the end there is no end.
        fc.pre(!/each line|a list/.test(form.name) || !events.includes('[DONE]') || wire === 'chat');
        const collector = collectorOf(wire, request, quiet);
        for (const event of events)
          collector.push({ data: event === '[DONE]' ? event : JSON.stringify(event), event: undefined, id: undefined });
        const answer = await wireInProcess(wire, () => answerOf(form.piecesOf(events), form.type))(request, listen());
        expect(answer, form.name).toEqual(collector.finish());
      }),
      worldRuns(1_000),
    );
  });

  test('an error is told in the words of the server, wherever it stands, and never taken for a reply [W9]', async () => {
    const words = fc.string({ minLength: 3 }).map((text) => `No: ${text.replaceAll(/[^a-z ]/g, '')} said so`);
    await fc.assert(
      fc.asyncProperty(errorsIn(words, wire), async ({ said, text, type }) => {
        const outcome = await wireInProcess(wire, () => answerOf([bytesOf(text)], type))(request, listen()).catch(
          (error: unknown) => error,
        );
        expect(outcome, text).toBeInstanceOf(SanbotError);
        if (!text.includes('Provider returned error'))
          expect(String(outcome).replace(/\s+/g, ' '), text).toContain(said.replace(/\s+/g, ' '));
      }),
      worldRuns(1_000),
    );
  });

  test('a request that is too long is one inside a stream too, by any words [C34, W6]', async () => {
    const refusals = tooLongRefusals.chain((refusal) =>
      errorsIn(fc.constant(refusal.text), wire).map((error) => ({ ...error, ...refusal, text: error.text })),
    );
    await fc.assert(
      fc.asyncProperty(refusals, async ({ text, type, limit }) => {
        const answer = await wireInProcess(wire, () => answerOf([bytesOf(text)], type))(request, listen());
        expect(answer, text).toMatchObject({ kind: 'overflow', limitTokens: limit });
      }),
      worldRuns(1_000),
    );
  });
});
