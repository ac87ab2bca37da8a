import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect } from 'vitest';
import { compact } from '../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../src/agent/deps.ts';
import type { AskModel } from '../../src/agent/ports/model.ts';
import { runTurn } from '../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../src/context/history/pairing.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import { messageSchema } from '../../src/domain/session/message.ts';
import { createAgentWorld, tool } from './agent-world.ts';
import { listen } from './model-rig.ts';

export type Answer = (response: ServerResponse) => void;
export type NamedAnswer = readonly [name: string, answer: Answer];
export const nameOf = ([name]: NamedAnswer): string => name;

export const send =
  (status: number, type: string, body: string | Buffer): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };

/** Events as they come from a server; a text stands in one as it is. */
export const streamed = (...events: readonly unknown[]): Answer =>
  send(
    200,
    'text/event-stream',
    events.map((event) => `event: x\ndata: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
  );

export const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** What a server may put where another kind of value belongs. */
export const odd: readonly (readonly [name: string, value: unknown])[] = [
  ['a number', 7],
  ['null', null],
  ['missing', undefined],
  ['true', true],
  ['a list', []],
  ['an object', {}],
  ['empty', ''],
  ['blank', '  '],
  ['200 characters', 'x'.repeat(200)],
  ['Chinese', '读文件'],
  ['with a control sequence', 'a\u001b[2J\u0000b'],
  ['a lone surrogate', '\ud800'],
];

/** What is no answer of any API. */
export const notAnswers: readonly NamedAnswer[] = [
  ...odd.map(
    ([name, value]): NamedAnswer => [
      `an error's body is ${name}`,
      send(400, 'application/json', JSON.stringify({ type: 'error', error: value }) ?? ''),
    ],
  ),
  ['bytes that are no text', send(200, 'text/event-stream', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a, 0x0a]))],
  ['a page of HTML', send(200, 'text/html', '<html>hello</html>')],
  ['JSON instead of a stream', send(200, 'application/json', '{"type":"message","content":[]}')],
  ['an empty body', send(200, 'text/event-stream', '')],
  ['204', send(204, 'text/plain', '')],
  ...[300, 301, 307, 400, 401, 402, 403, 404, 405, 408, 409, 413, 418, 422, 429, 451, 500, 502, 503, 504, 529, 599].map(
    (status): NamedAnswer => [`${status} with a page of HTML`, send(status, 'text/html', '<html>no</html>')],
  ),
  [
    'an error of a megabyte',
    send(400, 'application/json', JSON.stringify({ type: 'error', error: { type: 'x', message: 'y'.repeat(1_000_000) } })),
  ],
  ['a connection that is reset', (response) => void response.socket?.resetAndDestroy()],
];

/**
 * A server that gives the answer it is told, with the check that whatever it gives, a turn ends with a reply or with one clear error, and the
 * session goes on: the next turn, a compaction and another process all work on what was stored. `good` says "All is well.".
 */
export function badServer(open: (url: string) => AskModel, good: Answer): (bad: Answer) => Promise<void> {
  let answerNow: Answer = good;
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => answerNow(response));
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterAll(() => void server.close());
  return async (bad) => {
    const ask = open(url);
    let asked = 0;
    const world = createAgentWorld({
      tools: [tool('look', () => 'seen')],
      ask: (request) => {
        // The first request has the bad answer at every try of it; what follows from it has good ones.
        answerNow = asked++ === 0 ? bad : good;
        return ask(request, listen());
      },
    });
    const { session, deps, tools } = world;
    const turn = { maxSteps: 10, signal: new AbortController().signal, tools };
    const outcome = await runTurn('the first', session, deps, turn).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(SanbotError);
      expect(outcome).toMatchObject({
        code: expect.stringMatching(/^(?:model_|context_cannot_fit)/),
        message: expect.stringMatching(/^[^\p{Cc}]{1,700}$/u),
      });
    }
    asked = 1;
    for (const again of [session, world.reopened()]) {
      expect(await runTurn('go on', again, deps, turn)).toMatchObject({ stopReason: 'end_turn', text: 'All is well.' });
      expect(
        pairingProblems(
          toWire([...again.context.messages, again.message({ role: 'user', origin: 'user', content: [{ type: 'text', text: 'x' }] })]),
        ),
      ).toEqual([]);
    }
    for (const record of world.store.records)
      if (record.type === 'message') {
        expect(messageSchema.safeParse(record.message).success).toBe(true);
        expect(record.message.content.length).toBeLessThanOrEqual(4_096);
        for (const block of record.message.content) expect(JSON.stringify(block).length).toBeLessThan(17 * 1024 * 1024);
      }
    const outcomes = await compact(
      { trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal: turn.signal },
      session,
      deps,
    );
    expect(outcomes.kind).not.toBe('failed');
  };
}
