import fc from 'fast-check';

/** What is in a list beside good entries, with the name that it is left out under where it has one. */
type BadEntry = { readonly entry: unknown; readonly name?: string };

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

const goodEntry = fc.record({
  name: fc.constantFrom('echo', 'say it', 'list/files', '读', 'ECHO', '__proto__', 'constructor'),
  form: fc.constantFrom<Readonly<Record<string, unknown>>>(
    { description: 'Says it.', inputSchema: schema },
    { inputSchema: { type: 'object' } },
    { description: null, inputSchema: { ...schema, required: null } },
    { description: 7, inputSchema: { type: 'object', properties: null } },
    { title: 5, annotations: 'none', icons: {}, outputSchema: 'text', inputSchema: schema },
    { inputSchema: { properties: {} } },
    { inputSchema: { type: ['object', 'null'], $defs: [], additionalProperties: 'no' } },
    { execution: { taskSupport: 'sometimes' }, _meta: null, inputSchema: { $schema: 4, type: 'object' }, later: [[]] },
  ),
});

const badEntry: fc.Arbitrary<BadEntry> = fc.oneof(
  fc.constantFrom<unknown>(null, 3, 'echo', [], true, {}, { name: '' }, { name: 5, inputSchema: schema }).map((entry) => ({ entry })),
  fc
    .constantFrom<unknown>(undefined, null, 'object', [], { type: 'string' }, { type: ['array'] }, { type: 5 })
    .map((inputSchema) => ({ name: 'bad', entry: { name: 'bad', inputSchema } })),
  fc
    .constantFrom<object>({ properties: [] }, { properties: { a: 'string' } }, { required: 'a' }, { required: [1] })
    .map((more) => ({ name: 'worse', entry: { name: 'worse', inputSchema: { type: 'object', ...more } } })),
);

export type ServedTools = { readonly entries: readonly unknown[]; readonly good: readonly string[]; readonly bad: readonly string[] };

/** A list of tools: of two good ones with one name the first counts. */
const servedTools: fc.Arbitrary<ServedTools> = fc
  .array(
    fc.oneof(
      goodEntry.map(({ name, form }) => ({ good: name, entry: { name, ...form } })),
      badEntry,
    ),
    { maxLength: 8 },
  )
  .map((all) => {
    const good: string[] = [];
    const bad: string[] = [];
    for (const [at, each] of all.entries()) {
      if ('good' in each && !good.includes(each.good)) good.push(each.good);
      else bad.push('good' in each ? each.good : (each.name ?? `#${at + 1}`));
    }
    return { entries: all.map(({ entry }) => entry), good, bad };
  });

/** A block of a result, and the text that the model must read of it. */
const block: fc.Arbitrary<{ readonly block: unknown; readonly text?: string }> = fc.oneof(
  fc.constantFrom('first words', '第二句', 'a\nb', '{"a":1}').map((text) => ({ block: { type: 'text', text, annotations: 3 }, text })),
  fc.constant({ block: 'plain words', text: 'plain words' }),
  fc
    .constantFrom<unknown>(null, 5, [], {}, { type: 'text' }, { type: 'text', text: 5 }, { type: 'image' }, { type: 'resource' })
    .map((odd) => ({ block: odd })),
  fc.constantFrom<unknown>({ type: 'hologram', data: 'x' }, { type: 9 }, { type: 'resource_link', uri: 3 }).map((odd) => ({ block: odd })),
);

export type ServedResult = {
  readonly reply: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
  readonly fails: boolean;
};

const servedResult: fc.Arbitrary<ServedResult> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({
        blocks: fc.array(block, { maxLength: 4 }),
        more: fc.constantFrom<object>(
          {},
          { structuredContent: { n: 1 } },
          { structuredContent: null },
          { isError: null },
          { resultType: 'complete' },
        ),
      })
      .map(({ blocks, more }) => ({
        reply: { result: { content: blocks.map((each) => each.block), ...more } },
        texts: blocks.flatMap(({ text }) => text ?? []),
        fails: false,
      })),
  },
  fc
    .constantFrom<Readonly<Record<string, unknown>>>(
      { structuredContent: { n: 1 } },
      { toolResult: 'done' },
      {},
      { structuredContent: 'done' },
    )
    .map((result) => ({ reply: { result }, texts: [], fails: false })),
  fc
    .constantFrom<Readonly<Record<string, unknown>>>(
      { result: null },
      { result: { resultType: 'input_required', inputRequests: {} } },
      { result: 'done' },
      { result: { content: 'not a list' } },
      { error: { code: -32602, message: 'no such id' } },
      { error: { code: 'E_NO', message: 'no such id' } },
      { error: 'no such id' },
      { error: { detail: 'no such id' } },
      { error: 5 },
      { error: [], result: null },
    )
    .map((reply) => ({ reply, texts: [], fails: true })),
);

/** What a server puts round an answer, as messages on the wire in order; `null` stands for a line that is no message. */
type Dressing = (answer: Readonly<Record<string, unknown>>) => readonly unknown[];
const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'at work' } };
const dressings: Readonly<Record<string, Dressing>> = {
  plain: (answer) => [answer],
  'in a list': (answer) => [[notice, answer]],
  'without a version': ({ jsonrpc: _, ...answer }) => [answer],
  'with null beside it': (answer) => [{ error: null, ...answer, method: undefined }],
  'with fields of its own': (answer) => [{ ...answer, took: 5, trace: {} }],
  'with the id as a text': (answer) => [{ ...answer, id: String(answer.id) }],
  'after notices': (answer) => [notice, { jsonrpc: '2.0', method: 'notifications/unheard', params: null }, answer],
  'after noise': (answer) => [null, { level: 'info', id: 0 }, [], 5, { jsonrpc: '2.0', id: 99, result: {} }, answer],
  twice: (answer) => [answer, answer],
  'with a question before it': (answer) => [{ jsonrpc: '2.0', id: 'q', method: 'roots/list' }, answer],
};
export const dressingNames = Object.keys(dressings);
export const dressed = (name: string, answer: Readonly<Record<string, unknown>>): readonly unknown[] => dressings[name]?.(answer) ?? [];

const greeting = fc.record({
  tools: fc.constantFrom<unknown>({}, { listChanged: true }, true, { listChanged: 'yes' }),
  prompts: fc.constantFrom<unknown>(undefined, null, {}, 5),
  serverInfo: fc.constantFrom<unknown>({ name: 'x', version: '1' }, { name: 'x' }, null, 'x', { version: 2 }),
  _meta: fc.constantFrom<unknown>(undefined, null, 5),
});

/** A server, and how it speaks. */
export const servers = fc.record({
  served: servedTools,
  /** How many entries a page has. */
  pageLength: fc.constantFrom(1, 3, 100),
  /** The cursor behind the last page. */
  lastCursor: fc.constantFrom<unknown>(undefined, null, 5, ''),
  result: servedResult,
  greeting,
  dressing: fc.constantFrom(...dressingNames),
});

export type Served = typeof servers extends fc.Arbitrary<infer Server> ? Server : never;

/** The answer to a request, without what stands round it; undefined for what is no request. */
export function answerTo(message: Readonly<Record<string, unknown>>, server: Served): Readonly<Record<string, unknown>> | undefined {
  const { id, method } = message;
  if (id === undefined || typeof method !== 'string') return undefined;
  return { jsonrpc: '2.0', id, ...replyTo(method, message.params, server) };
}

function replyTo(method: string, params: unknown, { served, pageLength, lastCursor, result, greeting: said }: Served): object {
  const given = typeof params === 'object' && params !== null ? params : {};
  if (method === 'initialize') {
    const version = 'protocolVersion' in given ? given.protocolVersion : '';
    const { tools, prompts, serverInfo, _meta } = said;
    return { result: { protocolVersion: version, capabilities: { tools, prompts }, serverInfo, _meta } };
  }
  if (method === 'tools/call') return result.reply;
  if (method !== 'tools/list') return { error: { code: -32601, message: `no method ${method}` } };
  const from = 'cursor' in given ? Number(given.cursor) : 0;
  const isLast = from + pageLength >= served.entries.length;
  return { result: { tools: served.entries.slice(from, from + pageLength), nextCursor: isLast ? lastCursor : String(from + pageLength) } };
}
