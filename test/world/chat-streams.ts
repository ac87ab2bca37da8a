import fc from 'fast-check';

/** A call as the model meant it. */
export type MeantCall = { readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A fragment as it stands in `delta.tool_calls`. */
type Fragment = Readonly<Record<string, unknown>>;

export const toolNames = ['run_command', 'read_file', 'mcp__notes__add', 'list_files'] as const;

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('echo one', '{"a":1}', '}{', '"', '\\', '{"command":"', '<think>', '读文件', '\n', '[]', 'a'.repeat(300)),
);
const input = fc.dictionary(fc.constantFrom('command', 'path', 'text', 'n'), fc.oneof(text, fc.nat(), fc.constant({ a: { b: '}' } })), {
  maxKeys: 3,
});

/** Several calls with ids of their own, no two alike. */
const meant: fc.Arbitrary<readonly MeantCall[]> = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...toolNames), input }), {
    ...{ minLength: 1, maxLength: 3 },
    selector: (call) => JSON.stringify(call),
  })
  .map((calls) => calls.map((call, at) => ({ ...call, id: `x${at}` })));

/** Cuts a text at some places; no piece is empty. */
const cut = (whole: string, places: readonly number[]): readonly string[] => {
  const ends = [...new Set([...places.map((place) => 1 + (place % Math.max(1, whole.length))), whole.length])].toSorted((a, b) => a - b);
  return ends.map((end, at) => whole.slice(at === 0 ? 0 : ends[at - 1], end)).filter((piece) => piece !== '');
};

type Way = (call: MeantCall, at: number, pieces: readonly string[]) => readonly Fragment[];

const called = (fields: object, name?: string, json?: unknown): Fragment => ({
  ...fields,
  function: { ...(name !== undefined && { name }), ...(json !== undefined && { arguments: json }) },
});
const firstThen =
  (first: object, later: (n: number) => object): Way =>
  (call, _, [piece = '', ...rest]) => [called(first, call.name, piece), ...rest.map((json, n) => called(later(n), undefined, json))];
const grown = (pieces: readonly string[]): readonly string[] => pieces.map((_, at) => pieces.slice(0, at + 1).join(''));

/** How servers name the fragments of one call beside others, as their users have reported it or as a proxy could. */
const ways: Readonly<Record<string, Way>> = {
  'as documented': (call, index, pieces) => firstThen({ index, id: call.id }, () => ({ index }))(call, index, pieces),
  'the name first, then the arguments': (call, index, pieces) => [
    called({ index, id: call.id, type: 'function' }, call.name, ''),
    ...pieces.map((json) => called({ index }, undefined, json)),
  ],
  'an id for each fragment': (call, index, pieces) =>
    firstThen({ index, id: call.id }, (n) => ({ index, id: `${call.id}-${n}` }))(call, index, pieces),
  'an id for each fragment, all under 0': (call, _, pieces) => [
    called({ index: 0, id: call.id }, call.name),
    ...pieces.map((json, n) => called({ index: 0, id: `${call.id}-${n}` }, undefined, json)),
  ],
  'an index for each fragment': (call, at, pieces) =>
    firstThen({ index: at * 1_000, id: call.id }, (n) => ({ index: at * 1_000 + n + 1, id: call.id }))(call, at, pieces),
  'no index': (call, at, pieces) => firstThen({ id: call.id }, () => ({ id: call.id }))(call, at, pieces),
  'null for the index': (call, at, pieces) => firstThen({ index: null, id: call.id }, () => ({ index: null, id: null }))(call, at, pieces),
  'a text for the index': (call, at, pieces) => firstThen({ index: `${at}`, id: call.id }, () => ({ index: `${at}` }))(call, at, pieces),
  'id and name in each': (call, index, pieces) => pieces.map((json) => called({ index, id: call.id }, call.name, json)),
  'id and name in each, without an index': (call, _, pieces) => pieces.map((json) => called({ id: call.id }, call.name, json)),
  'empty texts beside the arguments': (call, index, pieces) => [
    called({ index, id: call.id }, call.name, ''),
    ...pieces.map((json) => called({ index, id: '' }, '', json)),
  ],
  'a name in two pieces': (call, index, pieces) => [
    called({ index, id: call.id }, call.name.slice(0, 4), ''),
    called({ index }, call.name.slice(4)),
    ...pieces.map((json) => called({ index }, undefined, json)),
  ],
  'a name in two pieces, named by id': (call, _, pieces) => [
    called({ id: call.id }, call.name.slice(0, 4), ''),
    called({ id: call.id }, call.name.slice(4)),
    ...pieces.map((json) => called({ id: call.id }, undefined, json)),
  ],
  'a name that grows': (call, index, pieces) => [
    called({ index, id: call.id }, call.name.slice(0, 3), ''),
    called({ index, id: call.id }, call.name),
    ...pieces.map((json) => called({ index }, call.name, json)),
  ],
  'arguments that grow': (call, index, pieces) => [
    called({ index, id: call.id }, call.name, ''),
    ...grown(pieces).map((json) => called({ index }, undefined, json)),
  ],
  'all of it, growing': (call, index, pieces) => grown(pieces).map((json) => called({ index, id: call.id }, call.name, json)),
  'arguments as an object': (call, index) => [called({ index, id: call.id }, call.name, call.input)],
  'an empty object, then the arguments': (call, index, pieces) => [
    called({ index, id: call.id }, call.name, '{}'),
    ...pieces.map((json) => called({ index }, undefined, json)),
  ],
  whole: (call, index) => [called({ index, id: call.id }, call.name, JSON.stringify(call.input))],
  'whole, all under 0': (call) => [called({ index: 0, id: call.id }, call.name, JSON.stringify(call.input))],
  'whole, without an index': (call) => [called({ id: call.id }, call.name, JSON.stringify(call.input))],
  'whole, without an id': (call, index) => [called({ index }, call.name, JSON.stringify(call.input))],
  'and whole again': (call, index, pieces) => [
    ...firstThen({ index, id: call.id }, () => ({ index }))(call, index, pieces),
    called({ index, id: call.id }, call.name, JSON.stringify(call.input)),
  ],
  'and whole again, spaced': (call, index, pieces) => [
    ...firstThen({ index, id: call.id }, () => ({ index }))(call, index, pieces),
    called({ index, id: call.id }, call.name, JSON.stringify(call.input, null, 2)),
  ],
  'and whole again under another index': (call, at, pieces) => [
    ...firstThen({ index: at, id: call.id }, () => ({ index: at }))(call, at, pieces),
    called({ index: at + 100, id: call.id }, call.name, JSON.stringify(call.input)),
  ],
};

/** Ways in which every fragment says whose it is, so that those of several calls may come in any order. */
const named = new Set(['no index', 'id and name in each', 'id and name in each, without an index', 'as documented', 'arguments that grow']);

/** The same fragment in the fields of other servers. */
const shapes: Readonly<Record<string, (fragment: Fragment) => Fragment>> = {
  'as documented': (fragment) => fragment,
  'without a function around it': ({ function: called, ...fields }) => ({ ...fields, ...Object(called) }),
  'with parameters': ({ function: called, ...fields }) => {
    const { arguments: parameters, ...name } = Object(called);
    return { ...fields, function: { ...name, ...(parameters !== undefined && { parameters }) } };
  },
};

export type ChatStream = { readonly way: string; readonly calls: readonly MeantCall[]; readonly fragments: readonly Fragment[] };

/** The calls of one reply, as a server may send them. */
export const chatStreams: fc.Arbitrary<ChatStream> = fc
  .record({
    calls: meant,
    way: fc.constantFrom(...Object.keys(ways)),
    places: fc.array(fc.array(fc.nat({ max: 400 }), { maxLength: 5 }), { minLength: 3, maxLength: 3 }),
    order: fc.array(fc.nat({ max: 2 }), { maxLength: 20 }),
    isMixed: fc.boolean(),
    shape: fc.constantFrom(...Object.keys(shapes)),
  })
  .map(({ calls, way, places, order, isMixed, shape }) => {
    const lists = calls.map((call, at) => [...(ways[way]?.(call, at, cut(JSON.stringify(call.input), places[at] ?? [])) ?? [])]);
    const ordered = isMixed && named.has(way) ? mixed(lists, order) : lists.flat();
    const fragments = ordered.map((fragment) => shapes[shape]?.(fragment) ?? fragment);
    return { way, calls: way === 'whole, without an id' ? calls.map((call) => ({ ...call, id: '' })) : calls, fragments };
  });

/** Takes one fragment after another from the lists, in an order. The first of each stay in theirs. */
function mixed(lists: readonly Fragment[][], order: readonly number[]): readonly Fragment[] {
  const taken = lists.flatMap((list) => list.splice(0, 1));
  for (const at of order) taken.push(...(lists[at % lists.length]?.splice(0, 1) ?? []));
  return [...taken, ...lists.flat()];
}

/** Chunks of a stream, some of them with several fragments, and its end in the words of some server. */
export const chunksOf = ({ fragments }: ChatStream, finish: string | null): readonly object[] => [
  ...fragments.map((fragment) => ({ choices: [{ index: 0, delta: { tool_calls: [fragment] }, finish_reason: null }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
];
