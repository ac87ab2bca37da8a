import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { anthropicAt, asks, listen, openAiChatAt, requestOf, responsesAt } from '../support/model-rig.ts';

const wires = {
  messages: { at: anthropicAt, event: { type: 'message', model: 'm', content: [{ type: 'text', text: 'So.' }], stop_reason: 'end_turn' } },
  chat: { at: openAiChatAt, event: { choices: [{ delta: { content: 'So.' }, finish_reason: 'stop' }] } },
  responses: {
    at: (url: string) => responsesAt(`${url}/v1`),
    event: { type: 'response.completed', response: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'So.' }] }] } },
  },
};

test.each(Object.entries(wires))(
  'an answer that nobody asked to compress is read on the wire %s, as a stream and as a body [W8]',
  async (_, { at, event }) => {
    let sent: { readonly encoding: string; readonly body: Buffer } = { encoding: 'identity', body: Buffer.alloc(0) };
    const server = createServer((incoming, response) => {
      incoming.resume();
      incoming.on(
        'end',
        () => void response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': sent.encoding }).end(sent.body),
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const ask = at(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const [encoding, pack] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }))
      for (const body of [`data: ${JSON.stringify(event)}\n\n`, JSON.stringify(event)]) {
        sent = { encoding, body: pack(body) };
        expect(await ask(requestOf([asks('hi')]), listen()), encoding).toMatchObject({ content: [{ type: 'text', text: 'So.' }] });
      }
    server.close();
  },
);
