import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runTurn } from '../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../src/context/history/pairing.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import { messageSchema } from '../../src/domain/session/message.ts';
import { createAgentWorld, tool } from '../support/agent-world.ts';
import { listen } from '../support/model-rig.ts';
import { worldRuns } from '../support/runs.ts';
import { answerOf, bytesOf, type WireName, wireInProcess, wireNames } from '../support/wire-in-process.ts';
import type { Events } from './answer-forms.ts';
import { chatStreams, chunksOf } from './chat-streams.ts';
import { damaged } from './damaged-streams.ts';
import type { MeantBlock } from './meant-reply.ts';
import { messageStreams } from './message-streams.ts';
import { responseStreams } from './response-streams.ts';

type Sent = { readonly events: Events; readonly calls: readonly string[] };
const callsIn = (meant: readonly MeantBlock[]): readonly string[] =>
  meant.flatMap((one) => (one.kind === 'call' ? [JSON.stringify([one.name, one.input])] : []));

const sentOn: Readonly<Record<WireName, fc.Arbitrary<Sent>>> = {
  messages: messageStreams.map(({ events, meant }) => ({ events, calls: callsIn(meant) })),
  chat: chatStreams.map((stream) => ({
    events: [...chunksOf(stream, 'tool_calls').map((chunk) => ({ ...chunk })), '[DONE]'],
    calls: stream.calls.map(({ name, input }) => JSON.stringify([name, input])),
  })),
  responses: responseStreams.map(({ events, meant }) => ({
    events: events.map((event) => (event.type === 'mark' ? '[DONE]' : event)),
    calls: callsIn(meant),
  })),
};

const well: Readonly<Record<WireName, object>> = {
  messages: { type: 'message', model: 'm', content: [{ type: 'text', text: 'All is well.' }], stop_reason: 'end_turn' },
  chat: { choices: [{ message: { content: 'All is well.' }, finish_reason: 'stop' }] },
  responses: { status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 'All is well.' }] }] },
};

describe.each(wireNames)('an answer that is damaged on its way over the wire %s', (wire) => {
  test('ends the turn or says why, runs no call twice, and never the session [W10]', async () => {
    const answers = sentOn[wire].chain(({ events, calls }) => damaged(fc.constant(events)).map((answer) => ({ ...answer, calls })));
    await fc.assert(
      fc.asyncProperty(answers, async ({ pieces, type, name, calls, changesFields }) => {
        const good = () => answerOf([bytesOf(JSON.stringify(well[wire]))], 'application/json');
        let asked = 0;
        const ran: string[] = [];
        const tools = ['run_command', 'read_file', 'mcp__notes__add', 'list_files'].map((each) =>
          tool(each, (input) => `ran ${ran.push(JSON.stringify([each, input]))}`),
        );
        const world = createAgentWorld({
          tools,
          ask: (request) => {
            const isFirst = asked++ === 0;
            return wireInProcess(wire, () => (isFirst ? answerOf(pieces, type) : good()))(request, listen());
          },
        });
        const turn = { maxSteps: 10, signal: new AbortController().signal, tools: world.tools };
        const outcome = await runTurn('the first', world.session, world.deps, turn).catch((error: unknown) => error);
        const mostOf = (call: string): number => Math.max(1, calls.filter((each) => each === call).length);
        // With a changed id it is another call.
        if (!changesFields)
          for (const call of ran) expect(ran.filter((each) => each === call).length, name).toBeLessThanOrEqual(mostOf(call));
        if (outcome instanceof Error) {
          expect(outcome, name).toBeInstanceOf(SanbotError);
          expect(outcome, name).toMatchObject({
            code: expect.stringMatching(/^model_/),
            message: expect.stringMatching(/^[^\p{Cc}]{1,700}$/u),
          });
        }
        for (const again of [world.session, world.reopened()]) {
          expect(await runTurn('go on', again, world.deps, turn), name).toMatchObject({ text: 'All is well.' });
          const next = again.message({ role: 'user', origin: 'user', content: [{ type: 'text', text: 'x' }] });
          expect(pairingProblems(toWire([...again.context.messages, next])), name).toEqual([]);
        }
        const messages = world.store.records.flatMap((record) => (record.type === 'message' ? [record.message] : []));
        for (const message of messages) expect(messageSchema.safeParse(message).success, name).toBe(true);
        for (const said of ['the first', 'go on'])
          expect(
            messages.some(({ origin, content }) => origin === 'user' && JSON.stringify(content).includes(said)),
            name,
          ).toBe(true);
      }),
      worldRuns(1_000),
    );
  });
});
