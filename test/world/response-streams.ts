import fc from 'fast-check';
import { cut, type MeantBlock, meantReplies, mixed, places } from './meant-reply.ts';

type Fields = Readonly<Record<string, unknown>>;
type Event = Fields & { readonly type: string };

/** How a server names the items in its events: `n` counts the events of one item. */
const namings: Readonly<Record<string, (at: number, n: number) => { readonly index: object; readonly id: string | undefined | null }>> = {
  'as documented': (at) => ({ index: { output_index: at }, id: `i${at}` }),
  'by number alone': (at) => ({ index: { output_index: at }, id: undefined }),
  'by id alone': (at) => ({ index: {}, id: `i${at}` }),
  'by another id in each event': (at, n) => ({ index: { output_index: at }, id: `i${at}-${n}` }),
  'all under 0': (at) => ({ index: { output_index: 0 }, id: `i${at}` }),
  'as texts': (at) => ({ index: { output_index: `${at}` }, id: `i${at}` }),
  'with null': () => ({ index: { output_index: null }, id: null }),
  'not at all': () => ({ index: {}, id: undefined }),
};

const itemOf = (block: MeantBlock, id: unknown): Fields => {
  const named = id === undefined ? {} : { id };
  if (block.kind === 'call')
    return {
      ...named,
      type: 'function_call',
      call_id: block.id,
      name: block.name,
      arguments: JSON.stringify(block.input),
      status: 'completed',
    };
  if (block.kind === 'thinking') return { ...named, type: 'reasoning', summary: [{ type: 'summary_text', text: block.text }] };
  return { ...named, type: 'message', role: 'assistant', content: [{ type: 'output_text', text: block.text }] };
};
const emptied = (item: Fields): Fields =>
  item.type === 'function_call'
    ? { ...item, arguments: '' }
    : item.type === 'message'
      ? { ...item, content: [{ type: 'output_text', text: '' }] }
      : item;

type Parts = { readonly added: Event; readonly deltas: readonly Event[]; readonly last: readonly Event[]; readonly done: Event };
type Way = (parts: Parts, block: MeantBlock) => readonly Event[];

/** How servers and what stands before them send one item. What is not said to be done is known by its pieces alone. */
const ways: Readonly<Record<string, Way>> = {
  'as documented': ({ added, deltas, last, done }) => [added, ...deltas, ...last, done],
  'without the events that repeat all': ({ added, deltas, done }) => [added, ...deltas, done],
  'never done': ({ added, deltas }, { kind }) => (kind === 'thinking' ? [added] : [added, ...deltas]),
  'done and nothing before': ({ done }) => [done],
  'done twice': ({ added, deltas, done }) => [added, ...deltas, done, done],
  'without pieces': ({ added, last, done }) => [added, ...last, done],
  'all in the last piece': ({ added, last }, { kind }) => (kind === 'thinking' ? [added] : [added, ...last]),
  'added whole': ({ done, deltas }) => [{ ...done, type: 'response.output_item.added' }, ...deltas],
  'hollow when it is done': ({ added, deltas, done }) => [added, ...deltas, { ...done, item: emptied(Object(done.item)) }],
  'text before its item': ({ added, deltas, done }, { kind }) => (kind === 'text' ? [...deltas, done] : [added, ...deltas, done]),
  'unknown events between': ({ added, deltas, done }) =>
    [added, ...deltas, done].flatMap((event) => [event, { type: 'response.event_of_2031', delta: 'no', output_index: 0 }]),
};

function partsOf(block: MeantBlock, pieces: readonly string[], name: (n: number) => ReturnType<(typeof namings)[string]>): Parts {
  const item = (n: number, type: string, hollow: boolean): Event => {
    const whole = itemOf(block, name(n).id);
    return { type, ...name(n).index, item: hollow ? emptied(whole) : whole };
  };
  const piece = (n: number, type: string, fields: object): Event => {
    const { index, id } = name(n);
    return { type, ...index, ...(id !== undefined && { item_id: id }), ...fields };
  };
  const whole = pieces.join('');
  const kind = block.kind === 'call' ? 'function_call_arguments' : block.kind === 'text' ? 'output_text' : 'reasoning_summary_text';
  return {
    added: item(0, 'response.output_item.added', true),
    deltas: pieces.map((delta, n) => piece(n + 1, `response.${kind}.delta`, { delta })),
    last: [piece(90, `response.${kind}.done`, block.kind === 'call' ? { arguments: whole } : { text: whole })],
    done: item(91, 'response.output_item.done', false),
  };
}

const outputs = ['all', 'none', 'hollow', 'missing', 'null', 'the first alone'] as const;

export type ResponseStream = { readonly way: string; readonly meant: readonly MeantBlock[]; readonly events: readonly Event[] };

/** The reply of one request on the Responses wire, as a server may send it. Its end is the one of a reply that was not cut. */
export const responseStreams: fc.Arbitrary<ResponseStream> = fc
  .record({
    ...{ meant: meantReplies, places, way: fc.constantFrom(...Object.keys(ways)), naming: fc.constantFrom(...Object.keys(namings)) },
    ...{ output: fc.constantFrom(...outputs), end: fc.constantFrom('response.completed', 'response.done', 'mark') },
    ...{ order: fc.array(fc.nat({ max: 3 }), { maxLength: 20 }), isMixed: fc.boolean(), isBody: fc.integer({ min: 0, max: 9 }) },
  })
  // Of a message without a name nobody can tell whether it came twice or is said twice.
  .filter(({ way, naming }) => way !== 'done twice' || !['with null', 'not at all'].includes(naming))
  .map(({ meant, way, naming, output, end, isBody, ...rest }) => {
    const items = meant.map((block, at) => itemOf(block, `i${at}`));
    const response = { id: 'r', object: 'response', model: 'm', status: 'completed', error: null };
    if (isBody === 0) return { way: 'a body', meant, events: [{ type: 'response.completed', response: { ...response, output: items } }] };
    const lists = meant.map((block, at) => {
      const pieces = cut(block.kind === 'call' ? JSON.stringify(block.input) : block.text, rest.places[at] ?? []);
      return (
        ways[way]?.(
          partsOf(block, pieces, (n) => namings[naming]?.(at, n) ?? { index: {}, id: undefined }),
          block,
        ) ?? []
      );
    });
    const tells = ['as documented', 'by number alone', 'by id alone', 'by another id in each event', 'as texts'].includes(naming);
    const begun: Event = { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } };
    const says = {
      ...{ all: { output: items }, none: { output: [] }, hollow: { output: items.map(emptied) } },
      ...{ missing: {}, null: { output: null }, 'the first alone': { output: items.slice(0, 1) } },
    };
    const isDone = way !== 'never done' && way !== 'all in the last piece' && way !== 'added whole';
    const last = end === 'mark' && isDone ? { type: 'mark' } : { type: 'response.completed', response: { ...response, ...says[output] } };
    const streamed = rest.isMixed && tells && way !== 'text before its item' ? mixed(lists, rest.order) : lists.flat();
    return { way: `${way}, named ${naming}, ${end}, output ${output}`, meant, events: [begun, ...streamed, last] };
  });
