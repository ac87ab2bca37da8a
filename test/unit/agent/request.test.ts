import { expect, test } from 'vitest';
import type { ModelFacts } from '../../../src/agent/ports/model.ts';
import { buildRequest, type RequestParts } from '../../../src/agent/request.ts';
import { createMeasure } from '../../../src/context/measure/measure.ts';
import { configSchema } from '../../../src/domain/config/config.ts';
import type { SessionContext } from '../../../src/domain/session/context.ts';
import { roughCount } from '../../support/agent-world.ts';
import { calls, contextOf, says, user } from '../../support/build.ts';

const facts: ModelFacts = { windowTokens: 20_000, assumed: false, maxOutputTokens: 3_000, costUsd: () => undefined };
const ofConversation = (context: SessionContext): readonly RequestParts[] => [
  {
    ...{ purpose: 'turn', model: 'm', facts, context, config: configSchema.parse({}).model },
    estimate: { count: () => createMeasure(roughCount).context(context, 1), most: () => createMeasure(roughCount).most(context, 1) },
  },
  { purpose: 'prefix_summary', model: 'm', facts, context, roomTokens: 50_000, retryCount: 2 },
];
const prompt = { system: 'Summarise.', user: 'this' };
const ofPrompt: readonly RequestParts[] = [
  { purpose: 'summary', model: 'm', facts, prompt, roomTokens: 50_000, retryCount: 2 },
  { purpose: 'memory', model: 'm', facts, prompt },
];

test('no request with a broken pair is made, whatever it is for', () => {
  for (const parts of ofConversation(contextOf([user(), calls({ id: 'c1' }), user('and now?')])))
    expect(() => buildRequest(parts)).toThrow(/not in a state to be sent: message 1 calls c1, which the next message does not answer/);
  for (const parts of ofPrompt)
    expect(() => buildRequest({ ...parts, ...('prompt' in parts ? { prompt: { ...prompt, user: ' ' } } : {}) })).toThrow(
      'empty text block',
    );
});

test('every request asks for no more than its model can write, and those without a person never stream to one', () => {
  const requests = [...ofConversation(contextOf([user(), says(), user('and now?')])), ...ofPrompt].map(buildRequest);
  expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([3_000, 3_000, 3_000, 3_000]);
  expect(requests.map(({ purpose }) => purpose)).toEqual(['turn', 'summary', 'summary', 'summary']);
  expect(requests.map(({ retryCount }) => retryCount)).toEqual([undefined, 2, 2, 1]);
});
