import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/domain/value/redact.ts';
import { createStreamRedactor } from '../../src/domain/value/redact-stream.ts';
import { runs } from '../support/runs.ts';
import { anyToken, drawToken, surroundings, tokenForms } from '../support/secret-tokens.ts';

const left = (text: string, pieces: readonly string[]): readonly string[] => pieces.filter((piece) => text.includes(piece));

describe('a token of any kind is masked wherever it stands', () => {
  test.each(Object.entries(surroundings))('%s', (_, around) => {
    const leaks = tokenForms.filter((form, at) => {
      const { token, pieces } = drawToken(form, 4_711 + at);
      // What is escaped or parted has its pieces parted too.
      return left(plain(redact(around(token))), pieces).length > 0;
    });
    expect(leaks).toEqual([]);
  });

  test('and one drawn by chance, in a text that comes in pieces', () => {
    fc.assert(
      fc.property(
        anyToken(),
        fc.constantFrom(...Object.values(surroundings)),
        fc.array(fc.nat({ max: 200 }), { maxLength: 6 }),
        (drawn, around, cuts) => {
          const text = `first line\n${around(drawn.token)}\nlast line\n`;
          const redactor = createStreamRedactor();
          const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
          const streamed = places.slice(1).map((to, at) => redactor.push(text.slice(places[at], to)));
          expect(left(plain([...streamed, redactor.end()].join('')), drawn.pieces)).toEqual([]);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

/** Without what a program that reads the text would leave out. */
const plain = (text: string): string => text.replace(/\x1b\[[\d;]*[mK]|\\u001b\[[\d;]*m|[\0\u00ad]/g, '');
