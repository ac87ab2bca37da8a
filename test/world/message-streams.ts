import fc from 'fast-check';
import { cut, type MeantBlock, meantReplies, mixed, places } from './meant-reply.ts';

type Event = Readonly<Record<string, unknown>>;

/** How a server numbers blocks: in their starts, and in their deltas. */
const numberings: Readonly<Record<string, (at: number) => object>> = {
  'as documented': (index) => ({ index }),
  'from one': (at) => ({ index: at + 1 }),
  'with gaps': (at) => ({ index: at * 7 }),
  'as texts': (at) => ({ index: `${at}` }),
  'all under 0': () => ({ index: 0 }),
  'with null': () => ({ index: null }),
  'not at all': () => ({}),
  'with what is no number': () => ({ index: 'x' }),
};

const delta = (fields: object): Event => ({ type: 'content_block_delta', delta: fields });
const textDelta = (text: string): Event => delta({ type: 'text_delta', text });
const thinkingDelta = (thinking: string): Event => delta({ type: 'thinking_delta', thinking });
const jsonDelta = (json: unknown): Event => delta({ type: 'input_json_delta', partial_json: json });
const start = (block: object): Event => ({ type: 'content_block_start', content_block: block });
const stop: Event = { type: 'content_block_stop' };
const grown = (pieces: readonly string[]): readonly string[] => pieces.map((_, at) => pieces.slice(0, at + 1).join(''));

type Way = (block: MeantBlock, pieces: readonly string[]) => readonly Event[];
type Call = Extract<MeantBlock, { kind: 'call' }>;

const blockOf = (block: MeantBlock): object =>
  block.kind === 'call'
    ? { type: 'tool_use', id: block.id, name: block.name, input: {} }
    : block.kind === 'text'
      ? { type: 'text', text: '' }
      : { type: 'thinking', thinking: '' };
const deltasOf = (block: MeantBlock, pieces: readonly string[]): readonly Event[] =>
  pieces.map(block.kind === 'call' ? jsonDelta : block.kind === 'text' ? textDelta : thinkingDelta);
const documented: Way = (block, pieces) => [start(blockOf(block)), ...deltasOf(block, pieces), stop];
const forCalls =
  (way: (call: Call, pieces: readonly string[]) => readonly Event[]): Way =>
  (block, pieces) =>
    block.kind === 'call' ? way(block, pieces) : documented(block, pieces);
const wholeOf = (block: MeantBlock): object =>
  block.kind === 'call'
    ? { ...blockOf(block), input: block.input }
    : block.kind === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'thinking', thinking: block.text };

/** How servers and what stands before them send one block, as their users have reported it or as a proxy could. */
const ways: Readonly<Record<string, Way>> = {
  'as documented': documented,
  'without stops': (block, pieces) => documented(block, pieces).filter((event) => event !== stop),
  'a start twice': (block, pieces) => [start(blockOf(block)), ...documented(block, pieces)],
  'whole in its start': (block) => [start(wholeOf(block)), stop],
  'whole in one delta': (block, pieces) => documented(block, [pieces.join('')]),
  'without a start': (block, pieces) => (block.kind === 'call' ? documented(block, pieces) : deltasOf(block, pieces)),
  'deltas without their types': (block, pieces) =>
    documented(block, pieces).map((event) => {
      const { type: _, ...fields } = Object(event.delta);
      return event.delta === undefined ? event : { ...event, delta: fields };
    }),
  'a start with null in it': (block, pieces) => [
    start({
      ...blockOf(block),
      ...(block.kind === 'call' ? { input: null } : block.kind === 'text' ? { text: null } : { signature: null }),
    }),
    ...documented(block, pieces).slice(1),
  ],
  'arguments that grow': forCalls((call, pieces) => documented(call, grown(pieces))),
  'arguments and then all of them': forCalls((call, pieces) => documented(call, [...pieces, JSON.stringify(call.input)])),
  'an empty object and then the arguments': forCalls((call, pieces) => documented(call, ['{}', ...pieces])),
  'arguments in the start and in deltas': forCalls((call, pieces) => [start(wholeOf(call)), ...documented(call, pieces).slice(1)]),
  'arguments as a text in the start': forCalls((call) => [start({ ...blockOf(call), input: JSON.stringify(call.input) }), stop]),
  'arguments as an object': forCalls((call) => [start(blockOf(call)), jsonDelta(call.input), stop]),
  'text that grows': (block, pieces) => documented(block, block.kind === 'text' && block.text.length >= 16 ? grown(pieces) : pieces),
  'pings and unknown events between': (block, pieces) =>
    documented(block, pieces).flatMap((event) => [event, { type: 'ping' }, { type: 'event_of_2031', delta: { text: 'no' } }]),
};

const reason = (stop_reason: unknown): Event => ({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 5 } });
const ends: readonly (readonly Event[])[] = [
  ...['tool_use', 'end_turn', 'stop', 'tool_calls', 'STOP', null, '', 'word_of_2031'].map((word) => [
    reason(word),
    { type: 'message_stop' },
  ]),
  [reason('tool_use')],
  [{ type: 'message_stop' }],
  [reason('end_turn'), reason('end_turn'), { type: 'message_stop' }, { type: 'message_stop' }],
];

export type MessageStream = { readonly way: string; readonly meant: readonly MeantBlock[]; readonly events: readonly Event[] };

/** The reply of one request on the Messages wire, as a server may send it. Its end is the one of a reply that was not cut. */
export const messageStreams: fc.Arbitrary<MessageStream> = fc
  .record({
    ...{ meant: meantReplies, places, way: fc.constantFrom(...Object.keys(ways)), numbering: fc.constantFrom(...Object.keys(numberings)) },
    ...{ end: fc.constantFrom(...ends), order: fc.array(fc.nat({ max: 3 }), { maxLength: 20 }), isMixed: fc.boolean() },
    form: fc.constantFrom('a stream', 'a stream', 'a stream', 'no message_start', 'all in message_start', 'one event', 'a body'),
  })
  .map(({ meant, way, numbering, end, form, ...rest }) => {
    const message = { type: 'message', id: 'm', role: 'assistant', model: 'm', usage: { input_tokens: 9 } };
    const whole = { ...message, content: meant.map(wholeOf), stop_reason: 'end_turn' };
    const begun = { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
    const name = `${way}, numbered ${numbering}, ${form}`;
    if (form === 'one event' || form === 'a body') return { way: name, meant, events: [whole] };
    if (form === 'all in message_start') return { way: name, meant, events: [{ type: 'message_start', message: whole }, ...end] };
    const lists = meant.map((block, at) => {
      const pieces = cut(block.kind === 'call' ? JSON.stringify(block.input) : block.text, rest.places[at] ?? []);
      const number = numberings[numbering]?.(at);
      return (ways[way]?.(block, pieces) ?? []).map((event) =>
        String(event.type).startsWith('content') ? { ...event, ...number } : event,
      );
    });
    const tells =
      ['as documented', 'from one', 'with gaps', 'as texts'].includes(numbering) && way !== 'without a start' && way !== 'a start twice';
    const blocks = rest.isMixed && tells ? mixed(lists, rest.order) : lists.flat();
    return { way: name, meant, events: [...(form === 'a stream' ? [begun] : []), ...blocks, ...end] };
  });
