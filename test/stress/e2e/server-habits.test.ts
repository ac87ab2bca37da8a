import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RawAnswer, startRawServer } from '../../support/raw-server.ts';
import { sampleOf } from '../../support/runs.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { isDrawn } from '../../support/share.ts';
import { type WireName, wireNames } from '../../support/wire-in-process.ts';
import { noReplies, oddCalls } from '../../world/odd-answers.ts';
import { emptyReplies, overflowsInStreams } from '../../world/proxy-errors.ts';
import { oneCall, twoCalls } from '../../world/proxy-replies.ts';
import { calling, chat, closing, sameHabits, text, WORDS } from '../../world/server-habits.ts';

const good: Readonly<Record<WireName, RawAnswer>> = {
  chat: closing(text([chat({ content: 'All is well.' }, 'stop'), '[DONE]'])),
  messages: closing(
    text([
      ...calling.messages.slice(0, 2),
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'All is well.' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]),
  ),
  responses: closing(
    text([
      {
        type: 'response.completed',
        response: { status: 'completed', output: [{ type: 'message', role: 'assistant', content: 'All is well.' }] },
      },
    ]),
  ),
};

/** One turn with such an answer first, and another turn: with how often the command ran and what both said. */
async function turnsWith(wire: WireName, first: RawAnswer) {
  let asked = 0;
  const server = await startRawServer(() => (asked++ === 0 ? first : good[wire]));
  const base = `http://127.0.0.1:${server.port}`;
  const env =
    wire === 'messages'
      ? { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: base }
      : { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${base}/v1`, SANBOT_PROVIDER: wire === 'chat' ? 'openai-chat' : 'openai-responses' };
  const world = createSandbox({ ...env, SANBOT_MODEL: 'm' });
  const args = ['--allow', 'run_command', '-p'];
  const one = await world.run([...args, 'the first words of me']);
  const two = await world.run(['--continue', ...args, 'and my second words']);
  const path = join(world.cwd, 'ran.txt');
  const ran = existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
  const last = JSON.stringify(server.bodies.at(-1)) ?? '';
  return {
    one,
    two,
    ran,
    faults: server.faults,
    isKept: last.includes('the first words of me') && last.includes('and my second words'),
    last,
  };
}

/** Each of these on one wire, and on the others as drawn: on all in `npm run test:acceptance`. */
const onWires = (names: readonly string[]) =>
  names.flatMap((name, number) =>
    wireNames.flatMap((wire, at) =>
      at === number % wireNames.length || isDrawn(number * wireNames.length + at) ? [[name, wire] as const] : [],
    ),
  );

test.each(onWires(Object.keys(sameHabits)))('%s: the reply is the same on the wire %s [W8, W12]', async (name, wire) => {
  const given = sameHabits[name]?.(wire) ?? expect.fail('no answer');
  const { one, two, ran, faults, isKept, last } = await turnsWith(wire, given);
  expect({ ran, code: one.code, out: one.out, next: two.out, isKept, faults }, one.err).toMatchObject({
    ...{ ran: 1, code: 0, isKept: true, faults: [] },
    ...{ out: expect.stringContaining('All is well.'), next: expect.stringContaining('All is well.') },
  });
  expect(last).toContain(WORDS);
});

test.each(Object.keys(oddCalls))('%s: the call runs, once [W1, W4, W7]', async (name) => {
  const [wire, given] = oddCalls[name] ?? expect.fail('no answer');
  const { one, two, ran, faults, isKept } = await turnsWith(wire, given);
  expect({ ran, code: one.code, out: one.out, next: two.out, isKept, faults }, one.err).toMatchObject({
    ...{ ran: 1, code: 0, isKept: true, faults: [] },
    ...{ out: expect.stringContaining('All is well.'), next: expect.stringContaining('All is well.') },
  });
});

test.each(onWires(Object.keys(noReplies)))(
  '%s: the turn ends or says why on the wire %s, and the next one works [W9, W10]',
  async (name, wire) => {
    const { one, two, ran, faults, isKept } = await turnsWith(wire, noReplies[name] ?? expect.fail('no answer'));
    expect({ ran, next: two.out, isKept, faults }, one.err).toMatchObject({
      ...{ ran: 0, isKept: true, faults: [] },
      next: expect.stringContaining('All is well.'),
    });
    if (one.code === 0) expect(one.out).toContain('All is well.');
    else expect(one.err).toMatch(/\S.{20,}/);
  },
);

const proxyCalls = { ...oneCall, ...twoCalls };
test.each(sampleOf(Object.keys(proxyCalls)))('%s: the conversation runs each call, once [W1, W4]', async (name) => {
  const [wire, body] = proxyCalls[name] ?? expect.fail('no answer');
  const { one, two, ran, faults, isKept } = await turnsWith(wire, closing(body));
  expect({ ran, code: one.code, out: one.out, next: two.out, isKept, faults }, one.err).toMatchObject({
    ...{ ran: name in twoCalls ? 2 : 1, code: 0, isKept: true, faults: [] },
    ...{ out: expect.stringContaining('All is well.'), next: expect.stringContaining('All is well.') },
  });
});

test.each(sampleOf(Object.entries(overflowsInStreams)))(
  '%s: the turn goes on or says why, and the next one works [W6, W9]',
  async (_, given) => {
    const { one, two, ran, isKept } = await turnsWith(given[0], closing(given[1]));
    expect({ ran, next: two.out, isKept }, one.err).toMatchObject({ ran: 0, next: expect.stringContaining('All is well.'), isKept: true });
    if (one.code === 0) expect(one.out).toContain('All is well.');
    else expect(one.err).toMatch(/\S.{20,}/);
  },
);

test.each(Object.entries(emptyReplies))('%s: that nothing was said is told, and the next turn works [W13]', async (_, [wire, body]) => {
  const { one, two, isKept, faults } = await turnsWith(wire, closing(body));
  expect({ out: one.out.trim(), err: one.err, next: two.out, isKept, faults }).toMatchObject({
    ...{ out: '', err: expect.stringContaining('without saying anything'), isKept: true, faults: [] },
    next: expect.stringContaining('All is well.'),
  });
});
