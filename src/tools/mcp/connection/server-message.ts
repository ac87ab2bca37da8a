import { type Fields, isObject, isString, parseJson } from '../../../domain/value/json.ts';

/**
 * What a server sent, as messages in the form of the specification; none where it is no message. What servers do beyond that form is
 * mended where it says what is meant: several messages in a list, an `error` of null beside a result, fields that nobody knows, an error
 * that is a text or has no code, a response without `jsonrpc`, and in the greeting a capability that is no object or a name that is none.
 * A response whose result says nothing is an error, so that the request ends.
 */
export function serverMessages(value: unknown): readonly Fields[] {
  const messages: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_BATCH) : [value];
  return messages.flatMap((message) => {
    const mended = isObject(message) ? messageOf(message) : undefined;
    return mended === undefined ? [] : [mended];
  });
}

const MAX_BATCH = 1_000;
const INTERNAL_ERROR = -32_603;

function messageOf(message: Fields): Fields | undefined {
  const { id, method, params, result, error } = message;
  const isNumbered = isString(id) || Number.isSafeInteger(id);
  if (isString(method)) {
    const isRequest = isNumbered && result === undefined && error === undefined;
    return message.jsonrpc === '2.0'
      ? { jsonrpc: '2.0', ...(isRequest && { id }), method, ...(isObject(params) && { params }) }
      : undefined;
  }
  if (!isNumbered || !('result' in message || 'error' in message)) return undefined;
  if (error !== undefined && error !== null) return { jsonrpc: '2.0', id, error: errorOf(error) };
  if (isObject(result)) return { jsonrpc: '2.0', id, result: resultOf(result) };
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: 'it answered without a result' } };
}

function errorOf(error: unknown): Fields {
  const fields = isObject(error) ? error : { message: error };
  const { code, message, data } = fields;
  const text = [message, fields.error, fields.detail].find((each) => isString(each) && each !== '') ?? JSON.stringify(error);
  return { code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR, message: text, ...(data !== undefined && { data }) };
}

/** Nothing here reads `_meta`. What a result is that is no result yet is told in a field of its own: the library takes `resultType` away. */
function resultOf({ _meta, ...result }: Fields): Fields {
  const { resultType } = result;
  if (isString(resultType) && resultType !== 'complete') return { ...result, unfinished: resultType };
  if (!isString(result.protocolVersion)) return result;
  const { capabilities, serverInfo: info, instructions, protocolVersion } = result;
  const { name, version } = isObject(info) ? info : {};
  return {
    protocolVersion,
    capabilities: { tools: capabilitiesIn(capabilities) },
    serverInfo: { name: isString(name) ? name : '', version: isString(version) ? version : '' },
    ...(isString(instructions) && { instructions }),
  };
}

/** Of its capabilities only that of tools is used; one that is said in another way than by an object is there all the same. */
function capabilitiesIn(capabilities: unknown): Fields | undefined {
  const tools = isObject(capabilities) ? capabilities.tools : undefined;
  if (tools === undefined || tools === null || tools === false) return undefined;
  return isObject(tools) && tools.listChanged === true ? { listChanged: true } : {};
}

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
