import { parseJson } from '../../../domain/value/json.ts';
import { serverMessages } from './server-message.ts';

/** The same answer with the messages in it as the library takes them: one JSON text, or a stream of events. Any other is left alone. */
export async function mendedResponse(response: Response): Promise<Response> {
  const type = /^\s*([\w/+-]*)/.exec(response.headers.get('content-type') ?? '')?.[1]?.toLowerCase();
  const { status, headers, body } = response;
  if (body === null || !response.ok) return response;
  if (type === 'text/event-stream') return new Response(mendedEvents(body), { status, headers });
  if (type !== 'application/json') return response;
  const text = await response.text();
  const messages = serverMessages(parseJson(text));
  return new Response(messages.length === 0 ? text : JSON.stringify(messages), { status, headers });
}

/** An event ends with an empty line, the last one at the latest where the stream does. */
function mendedEvents(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let open: string[] = [];
  const takeLine = (line: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (line !== '') lines.push(line);
    else if (lines.length > 0) controller.enqueue(encoder.encode(mendedEvent(lines.splice(0))));
  };
  const take = (text: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (!/[\r\n]/.test(text)) {
      open.push(text);
      return;
    }
    // A carriage return at the end may be half of a line's end.
    const whole = [...open, text].join('').split(/\r\n|\n|\r(?!$)/);
    open = [whole.pop() ?? ''];
    for (const line of whole) takeLine(line, controller);
  };
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => take(decoder.decode(chunk, { stream: true }), controller),
    flush: (controller) => take(`${decoder.decode()}\n\n`, controller),
  });
  return body.pipeThrough(transform);
}

function mendedEvent(lines: readonly string[]): string {
  const isData = (line: string): boolean => line.startsWith('data:');
  const data = lines.filter(isData).map((line) => line.slice('data:'.length).replace(/^ /, ''));
  const messages = data.length === 0 ? [] : serverMessages(parseJson(data.join('\n')));
  if (messages.length === 0) return `${lines.join('\n')}\n\n`;
  const others = lines.filter((line) => !isData(line));
  return messages.map((message) => `${[...others, `data: ${JSON.stringify(message)}`].join('\n')}\n\n`).join('');
}
