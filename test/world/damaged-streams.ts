import fc from 'fast-check';
import { type Events, forms } from './answer-forms.ts';

/** What happens to events on their way: each is a change of the whole list at some place. */
const damages: Readonly<Record<string, (events: Events, at: number) => Events>> = {
  'one is missing': (events, at) => events.filter((_, n) => n !== at),
  'one comes twice': (events, at) => events.flatMap((event, n) => (n === at ? [event, event] : [event])),
  'two change places': (events, at) => events.map((event, n) => (n === at ? events[at + 1] : n === at + 1 ? events[at] : event) ?? event),
  'the rest is missing': (events, at) => events.slice(0, at),
  'all comes twice': (events) => [...events, ...events],
  'a field is null': (events, at) => changed(events, at, () => null),
  'a field is missing': (events, at) => changed(events, at, () => undefined),
  'a field is a number': (events, at) => changed(events, at, () => 7),
  'a field is a list': (events, at) => changed(events, at, (value) => [value]),
  'a field is a text': (events, at) => changed(events, at, (value) => JSON.stringify(value)),
  'a field is an object': (events, at) => changed(events, at, (value) => ({ value })),
  'a field is renamed': (events, at) => changed(events, at, undefined),
};

/** The `at`th field of all that the events have, at any depth. */
function changed(events: Events, at: number, change: ((value: unknown) => unknown) | undefined): Events {
  let left = at;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]): readonly [string, unknown] => {
        if (left-- !== 0) return [name, walk(field)];
        return change === undefined ? [`${name}_2031`, field] : [name, change(field)];
      }),
    );
  };
  return events.map((event) => (event === '[DONE]' ? event : Object(walk(event))));
}

export type Damaged = {
  readonly name: string;
  readonly pieces: readonly Uint8Array[];
  readonly type: string;
  readonly changesFields: boolean;
};

/** An answer that something went wrong with on its way: in its events up to three times, in its form, and at times in its bytes. */
export const damaged = (events: fc.Arbitrary<Events>): fc.Arbitrary<Damaged> =>
  fc
    .record({
      ...{ events, form: forms, cutAt: fc.option(fc.nat({ max: 2_000 }), { freq: 4 }) },
      changes: fc.array(fc.tuple(fc.constantFrom(...Object.keys(damages)), fc.nat({ max: 60 })), { maxLength: 3 }),
    })
    .map(({ events: meant, form, cutAt, changes }) => {
      const sent = changes.reduce<Events>((now, [name, at]) => damages[name]?.(now, at) ?? now, meant);
      const pieces = form.piecesOf(sent);
      const isCut = cutAt !== null;
      return {
        name: `${changes.map(([name, at]) => `${name} (${at})`).join(', ')}; ${form.name}${isCut ? `; cut at ${cutAt}` : ''}`,
        type: form.type,
        changesFields: changes.some(([name]) => name.startsWith('a field')),
        pieces: isCut ? [Buffer.concat(pieces).subarray(0, cutAt)] : pieces,
      };
    });
