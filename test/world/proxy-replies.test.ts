import { expect, test } from 'vitest';
import { SanbotError } from '../../src/domain/errors.ts';
import { admitReply } from '../../src/domain/session/admit-reply.ts';
import { isText, isToolUse } from '../../src/domain/session/message.ts';
import { asks, listen, requestOf } from '../support/model-rig.ts';
import { answerOf, bytesOf, type WireName, wireInProcess } from '../support/wire-in-process.ts';
import { errorsInStreams, overflowsInStreams } from './proxy-errors.ts';
import { OTHER, oneCall, twoCalls, wordsAlone } from './proxy-replies.ts';
import { COMMAND, WORDS } from './server-habits.ts';

const request = requestOf([asks('hi')], { tools: [{ name: 'run_command', description: 'd', inputSchema: { type: 'object' } }] });
/** In pieces that break inside of characters and lines, as well as in one. */
const inPieces = (body: string): readonly Uint8Array[] => {
  const bytes = bytesOf(body);
  return Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) => bytes.subarray(at * 7, at * 7 + 7));
};
const ask = (wire: WireName, pieces: readonly Uint8Array[], stream = listen()) =>
  wireInProcess(wire, () => answerOf(pieces))(request, stream);

async function said(wire: WireName, body: string) {
  const shown = listen();
  const answer = await ask(wire, [bytesOf(body)], shown);
  expect(await ask(wire, inPieces(body))).toEqual(answer);
  if (answer.kind !== 'reply') return expect.fail(answer.kind);
  const calls = admitReply(answer.content, new Set(['c1'])).content.filter(isToolUse);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  return {
    shown: shown.texts.join(''),
    words: answer.content
      .filter(isText)
      .map(({ text }) => text)
      .join(''),
    calls,
    answer,
  };
}

test.each(Object.entries(oneCall))(
  '%s: one call with its arguments, and what was said once [W1, W4, W8]',
  async (_, [wire, body, words]) => {
    const { calls, ...texts } = await said(wire, body);
    expect(calls).toMatchObject([{ name: expect.stringMatching(/run_command/), input: { command: COMMAND } }]);
    if (words !== undefined) for (const all of [texts.words, texts.shown]) expect(all.split(words)).toHaveLength(2);
  },
);

test.each(Object.entries(twoCalls))('%s: both calls, each once [W1]', async (_, [wire, body]) => {
  const { calls } = await said(wire, body);
  expect(calls).toMatchObject([COMMAND, OTHER].map((command) => ({ name: 'run_command', input: { command } })));
});

test.each(Object.entries(wordsAlone))('%s: the words are the answer [W3, W4]', async (_, [wire, body]) => {
  const { answer, words, shown, calls } = await said(wire, body);
  expect([words, calls]).toEqual([WORDS, []]);
  // What closes alone is known too late to show nothing of the thought.
  expect(shown.endsWith(WORDS)).toBe(true);
  expect(['end_turn', 'FINISH_REASON_UNSPECIFIED']).toContain(answer.stopReason);
});

test.each(Object.entries(errorsInStreams))('%s: the error is told in the words of the server [W9]', async (_, [wire, body, words]) => {
  const failure: unknown = await ask(wire, [bytesOf(body)]).catch((error: unknown) => error);
  if (!(failure instanceof SanbotError)) return expect.fail(JSON.stringify(failure));
  expect(failure.message).toMatch(words);
});

test.each(Object.entries(overflowsInStreams))('%s: the request was too long [W6, W9]', async (_, [wire, body, limitTokens, sentTokens]) => {
  expect(await ask(wire, [bytesOf(body)])).toMatchObject({
    kind: 'overflow',
    ...(limitTokens && { limitTokens }),
    ...(sentTokens && { sentTokens }),
  });
});
