import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerptOf, unitsOf } from '../../src/context/offload/stub.ts';
import { anyText, anyUtf16 } from '../support/arbitrary.ts';
import { runs } from '../support/runs.ts';

const anyRoom = fc.record({ headChars: fc.nat(3_000), tailChars: fc.nat(3_000), units: fc.nat(12_000) });

test('head, what is cut, and tail are the whole text, and none of them is half a character [C54, C68, B-03]', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyUtf16), anyRoom, (text, room) => {
      const { head, tail, cutChars } = excerptOf(text, room);
      expect(head + text.slice(head.length, head.length + cutChars) + tail).toBe(text);
      if (text.isWellFormed()) expect([head, tail].every((part) => part.isWellFormed())).toBe(true);
    }),
    { numRuns: runs(500) },
  );
});

test('head and tail stay within their room, and use most of it where no line ends near', () => {
  fc.assert(
    fc.property(anyText, anyRoom, (text, room) => {
      const { head, tail, cutChars } = excerptOf(text, room);
      expect(head.length).toBeLessThanOrEqual(room.headChars);
      expect(tail.length).toBeLessThanOrEqual(room.tailChars);
      expect(unitsOf(head) + unitsOf(tail)).toBeLessThanOrEqual(room.units);
      if (cutChars > 0 && !text.includes('\n') && room.headChars > 0) {
        const full = Math.min(room.headChars, Math.floor((room.units * room.headChars) / (room.headChars + room.tailChars) / 3));
        expect(head.length).toBeGreaterThanOrEqual(full - 1);
      }
    }),
    { numRuns: runs(100) },
  );
});
