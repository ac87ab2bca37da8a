import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ContentBlock } from '../../src/domain/session/message.ts';
import { type Fields, isObject } from '../../src/domain/value/json.ts';
import { afterThisTest } from './clean-up.ts';
import { answer } from './fake-answers.ts';
import { chatWire } from './fake-chat.ts';
import { responseEvents } from './responses-events.ts';
import { callsTool, replies, type Step } from './scenario.ts';

const usage = { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };

/**
 * A model on a loopback port for agents that others wrote, over the four APIs that they speak. Where `recall` of an MCP server is offered it
 * asks once for each of the queries, and ends with a word; `bodies` is all that it was sent.
 */
export async function startRecallingModel(queries: readonly string[]) {
  const bodies: string[] = [];
  const asked = new Set<string>();
  const stepFor = (body: Fields): Step => {
    const tool = recallOf(body.tools);
    const query = tool && queries.find((each) => !asked.has(each));
    if (tool === undefined || query === undefined) return replies('That is all.');
    asked.add(query);
    return callsTool(tool, { query });
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url?.split('?')[0] ?? '';
    const text = await textOf(incoming);
    const body: unknown = incoming.method === 'POST' && text !== '' ? JSON.parse(text) : undefined;
    const isGemini = path.endsWith(':streamGenerateContent');
    if (!isObject(body) || !(isGemini || ['/v1/messages', '/v1/responses', '/v1/chat/completions'].includes(path))) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    bodies.push(text);
    const { answer: given } = stepFor(body);
    if (given.kind !== 'reply') throw new Error('A step of this model is a reply');
    const request = { model: String(body.model), system: [], tools: [], messages: [], maxOutputTokens: 1_000, purpose: 'turn' as const };
    const how = { ...{ request, usage, streamed: body.stream === true, chunkBytes: undefined }, stalled: () => undefined };
    if (path === '/v1/messages') return answer(given, response, how);
    if (path === '/v1/chat/completions') return chatWire().answer(given, response, how);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (isGemini) return void response.end(geminiEvent(given.content));
    const events = responseEvents({ model: request.model, content: given.content, stopReason: given.stopReason, usage }, new Map());
    response.end(withNamespace(events, body.tools));
  };
  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => {
    server.close();
    server.closeAllConnections();
  });
  const place = server.address();
  return { url: `http://127.0.0.1:${typeof place === 'object' && place !== null ? place.port : 0}`, bodies };
}

/** The name under which an agent offers the tool; most put that of the server before it, each in a way of its own. */
const recallOf = (tools: unknown): string | undefined =>
  named(tools)
    .flatMap((tool) => [tool, ...named(tool.tools), ...named(tool.functionDeclarations)].map(({ name }) => String(name)))
    .find((name) => /recall$/.test(name));

const named = (tools: unknown): readonly Fields[] =>
  (Array.isArray(tools) ? tools : []).flatMap((tool) => (isObject(tool) ? [isObject(tool.function) ? tool.function : tool] : []));

/** A reply of Gemini's own API, as one event. */
function geminiEvent(content: readonly ContentBlock[]): string {
  const parts = content.map((block) =>
    block.type === 'tool_use' ? { functionCall: { name: block.name, args: block.input } } : { text: block.text },
  );
  const usageMetadata = { promptTokenCount: usage.inputTokens, candidatesTokenCount: usage.outputTokens };
  return `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata })}\n\n`;
}

/** A tool that is offered in a namespace is called with both names. */
function withNamespace(events: string, tools: unknown): string {
  const space = named(tools).find((tool) => named(tool.tools).some(({ name }) => name === 'recall'));
  return space === undefined ? events : events.replaceAll('"name":"recall"', `"namespace":${JSON.stringify(space.name)},"name":"recall"`);
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
