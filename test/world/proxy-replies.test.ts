import { expect, test, vi } from 'vitest';
import { SanbotError } from '../../src/domain/errors.ts';
import { admitReply } from '../../src/domain/session/admit-reply.ts';
import { isText, isToolUse } from '../../src/domain/session/message.ts';
import { readArguments } from '../../src/model/http/answer-fields.ts';
import { asks, listen, requestOf } from '../support/model-rig.ts';
import { answerOf, bytesOf, type WireName, wireInProcess } from '../support/wire-in-process.ts';
import { errorsInStreams, overflowsInStreams } from './proxy-errors.ts';
import { listedInputs, OTHER, oneCall, twoCalls, wordsAlone } from './proxy-replies.ts';
import { COMMAND, calling, text, WORDS } from './server-habits.ts';

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

test.each(Object.entries(listedInputs))('a list as arguments %s is kept, and never run as none [W5]', async (_, [wire, body]) => {
  const { calls } = await said(wire, body);
  expect(calls).toMatchObject([{ name: 'run_command', input: { INVALID_JSON: '[{"command":"echo one"}]' } }]);
});

test.each([
  ['{"pattern": "\\d+ \\. \\"x\\" \\n"}', '\\d+ \\. "x" \n'],
  ["{'pattern': 'it\\'s \"so\"', 'deep': {'all': True, 'none': None}}", 'it\'s "so"'],
])('a slip in arguments changes no value: %s [W5]', (text, pattern) => {
  expect(readArguments(text, { mends: true })).toMatchObject({ pattern });
  expect(readArguments(text)).toEqual({ INVALID_JSON: text });
});

test.each(["{'pattern': '\\x41'}", '{pattern: "a"}', '{"pattern": a}', '{“pattern”: “a”}'])(
  'what nobody can tell is left as it is: %s [W5]',
  (text) => expect(readArguments(text, { mends: true })).toEqual({ INVALID_JSON: text }),
);

test.each([
  ['chat', calling.chat.slice(0, -1)],
  ['messages', calling.messages.slice(0, -1)],
] as const)(
  'a stream on the wire %s that has said how it ended, and then only keeps the connection open, is over [W4]',
  async (wire, all) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const pings = async function* (): AsyncGenerator<Uint8Array> {
      yield bytesOf(text(all));
      for (let at = 0; at < 40; at++) {
        await vi.advanceTimersByTimeAsync(1_000);
        yield bytesOf('event: ping\ndata: {"type": "ping"}\n\n: keep-alive\n\n');
      }
      throw new Error('nobody should wait so long');
    };
    const answer = wireInProcess(wire, () => ({ ...answerOf([]), body: pings() }))(request, listen());
    await expect(answer).resolves.toMatchObject({ kind: 'reply', stopReason: 'tool_use' });
    vi.useRealTimers();
  },
);

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
