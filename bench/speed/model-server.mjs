/** A server that speaks the Messages API and answers from a script, without looking at more than it has to: what it takes is not measured. */
import { createServer } from 'node:http';

const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The stream of a reply: one text, or one call. */
export function streamOf(n, block, inputTokens) {
  const usage = { input_tokens: inputTokens, output_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const base = {
    id: `m${n}`,
    type: 'message',
    role: 'assistant',
    model: 'bench',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const isCall = block.type === 'tool_use';
  const delta = isCall ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } : { type: 'text_delta', text: block.text };
  return [
    { type: 'message_start', message: base },
    { type: 'content_block_start', index: 0, content_block: isCall ? { ...block, input: {} } : { ...block, text: '' } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
    .map(event)
    .join('');
}

/** `answer` gets the body of a request as bytes, and its number; what it returns is sent, a generator's pieces as they come. */
export async function startServer(answer) {
  let n = 0;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.method !== 'POST') return void response.writeHead(404).end('{}');
      n += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const sent = answer(Buffer.concat(chunks), n);
      if (typeof sent === 'string') return void response.end(sent);
      for await (const piece of sent) response.write(piece);
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, requests: () => n, close };
}
