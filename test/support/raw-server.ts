import { createServer, type Socket } from 'node:net';
import { parseJson } from '../../src/domain/value/json.ts';
import { afterThisFile } from './clean-up.ts';

/** What goes over the connection, byte for byte; `reset` ends it with an error and not in order, `staysOpen` not at all. */
export type RawAnswer = { readonly chunks: readonly (string | Uint8Array)[]; readonly reset?: boolean; readonly staysOpen?: boolean };

type Body = Readonly<Record<string, unknown>>;

/**
 * A server that sends each byte as it is told and reads each request strictly: one that no API would take is counted as a fault. Every answer
 * ends its connection. `next` says what the next request is answered with.
 */
export async function startRawServer(next: (body: Body) => RawAnswer) {
  const faults: string[] = [];
  const bodies: Body[] = [];
  const onRequest = (head: string, text: string): RawAnswer | undefined => {
    if (!head.startsWith('POST ')) return { chunks: ['HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'] };
    const body = parseJson(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      faults.push(`no JSON object: ${text.slice(0, 200)}`);
      return undefined;
    }
    const fields = Object.fromEntries(Object.entries(body));
    bodies.push(fields);
    faults.push(...faultsIn(fields));
    return next(fields);
  };
  const server = createServer((socket) => {
    let read = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      read = Buffer.concat([read, bytes]);
      const end = read.indexOf('\r\n\r\n');
      const head = read.subarray(0, Math.max(end, 0)).toString();
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (end === -1 || read.length < end + 4 + length) return;
      const answer = onRequest(head, read.subarray(end + 4, end + 4 + length).toString());
      read = Buffer.alloc(0);
      if (answer === undefined) socket.destroy();
      else void send(socket, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisFile(() => void server.close());
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, faults, bodies };
}

async function send(socket: Socket, { chunks, reset = false, staysOpen = false }: RawAnswer): Promise<void> {
  socket.setNoDelay(true);
  for (const chunk of chunks) {
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => void socket.write(chunk, () => setImmediate(resolve)));
  }
  if (reset) socket.resetAndDestroy();
  else if (!staysOpen) socket.end();
}

const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? value : []);

/** Calls that nobody answers, answers that nobody asked for, and messages that say nothing. */
function faultsIn(body: Body): readonly string[] {
  const open = new Map<string, number>();
  const faults: string[] = [];
  const called = (id: unknown): void => void open.set(String(id), (open.get(String(id)) ?? 0) + 1);
  const answered = (id: unknown): void => {
    const left = (open.get(String(id)) ?? 0) - 1;
    if (left < 0) faults.push(`an answer to ${id}, which was not called`);
    else open.set(String(id), left);
  };
  for (const item of [...listOf(body.messages), ...listOf(body.input)]) {
    const blocks = listOf(item.content);
    if (item.role === 'user' && item.content === '') faults.push('an empty message');
    for (const { id } of listOf(item.tool_calls)) called(id);
    if (item.role === 'tool') answered(item.tool_call_id);
    if (item.type === 'function_call') called(item.call_id);
    if (item.type === 'function_call_output') answered(item.call_id);
    for (const block of blocks) {
      if (block.type === 'tool_use') called(block.id);
      if (block.type === 'tool_result') answered(block.tool_use_id);
      if (block.type === 'text' && block.text === '') faults.push('an empty text');
    }
  }
  for (const [id, left] of open) if (left > 0) faults.push(`no answer to ${id}`);
  return faults;
}
