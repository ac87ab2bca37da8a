import fc from 'fast-check';
import { PASTE_END, PASTE_START } from '../../src/terminal/input/keys.ts';

/** One thing that a terminal sends, and what it means: text, the name of a key, or nothing at all. */
export type Sent = { readonly bytes: string; readonly text?: string; readonly key?: string; readonly isPaste?: boolean };

const word = fc.constantFrom(
  'a',
  'word ',
  'ls -la',
  '你好',
  '。',
  '🎉',
  '👍🏽',
  'e\u0301',
  '🇩🇪',
  'नि',
  '\u200d',
  'A',
  '[',
  ']',
  '1;2',
  'R',
  '~',
);
const typed: fc.Arbitrary<Sent> = fc.oneof(
  word.map((text) => ({ bytes: text, text })),
  fc.constantFrom(...'0123456789./*-+').map((text) => ({ bytes: `\u001b[${57_399 + '0123456789./*-+'.indexOf(text)}u`, text })),
);

/** The same keys as terminals of many kinds send them. */
const keys: readonly (readonly [key: string, ...forms: readonly string[]])[] = [
  ['up', '\u001b[A', '\u001bOA', '\u001b[1;1A', '\u001b[1;129A'],
  ['ctrl+left', '\u001b[1;5D', '\u001b[1;5:1D'],
  ['home', '\u001b[H', '\u001bOH', '\u001b[1~', '\u001b[7~'],
  ['delete', '\u001b[3~', '\u001b[3;1~', '\u001b[3;129~'],
  ['shift+enter', '\u001b[13;2u', '\u001b[27;2;13~', '\u001b[13;2:1u'],
  ['ctrl+a', '\u0001', '\u001b[97;5u', '\u001b[97::97;5u', '\u001b[27;5;97~'],
  ['f5', '\u001b[15~', '\u001b[15;1~'],
  ['backspace', '\u007f', '\b', '\u001b[127u'],
  ['down', '\u001b[B', '\u001b[57420u', '\u001b[57420;129u'],
  ['alt+b', '\u001bb', '\u001b[98;3u'],
];
const key: fc.Arbitrary<Sent> = fc
  .constantFrom(...keys)
  .chain(([name, ...forms]) => fc.constantFrom(...forms).map((bytes) => ({ bytes, key: name === 'f5' ? '' : name })));

/** Answers to what another program asked, or to what was asked long ago, and word of the window and the mouse. */
const unasked: fc.Arbitrary<Sent> = fc
  .constantFrom(
    ...['\u001b[I', '\u001b[O', '\u001b[?1;2c', '\u001b[?62;22;52c', '\u001b[>41;354;0c', '\u001b[12;40R', '\u001b[?12;40R', '\u001b[0n'],
    ...['\u001b[?1u', '\u001b[?2026;2$y', '\u001b[8;24;80t', '\u001b[<0;12;5M', '\u001b[<0;12;5m', '\u001b[?997;1n'],
    ...[
      '\u001b]11;rgb:1e1e/1e1e/1e1e\u0007',
      '\u001b]10;rgb:ff/ff/ff\u001b\\',
      '\u001bP>|xterm(390)\u001b\\',
      '\u001bP1+r524742=38\u001b\\',
    ],
    ...['\u001b_Gi=31;OK\u001b\\', '\u001b[57358u', '\u001b[57441;2u', '\u001b[1;2P', '\u001b[25;2~'],
  )
  .map((bytes) => ({ bytes }));

const paste: fc.Arbitrary<Sent> = fc
  .array(fc.oneof(word, fc.constantFrom('\r\n', '\n', '\u001b[A', '\u0003', '\u001b[31m', '\t')), { maxLength: 6 })
  .map((parts) => parts.join(''))
  .map((text) => ({ bytes: PASTE_START + text + PASTE_END, text: text.replace(/\r\n?/g, '\n'), isPaste: true }));

/** What comes from a terminal, and the places in its bytes where the reads end, also in the middle of a character or a key. */
export const terminals = fc.record({
  sent: fc.array(fc.oneof({ weight: 4, arbitrary: typed }, { weight: 2, arbitrary: key }, unasked, paste), { maxLength: 25 }),
  cuts: fc.array(fc.nat({ max: 2_000 }), { maxLength: 20 }),
  columns: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 5 }),
});

export function inReads(sent: readonly Sent[], cuts: readonly number[]): readonly Buffer[] {
  const all = Buffer.from(sent.map(({ bytes }) => bytes).join(''));
  const ends = [...new Set([...cuts.map((cut) => cut % (all.length + 1)), all.length])].toSorted((a, b) => a - b);
  return ends.map((end, at) => all.subarray(at === 0 ? 0 : ends[at - 1], end)).filter(({ length }) => length > 0);
}
