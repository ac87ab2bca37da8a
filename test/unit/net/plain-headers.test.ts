import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainHeaders } from '../../../src/net/plain-headers.ts';

const name = fc.constantFrom('accept', 'Accept', 'x-api-key', 'X-Api-Key', 'anthropic-beta', 'user-agent');
const value = fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '\t', ',', ';', '=', '"'), maxLength: 8 });
const step = fc.oneof(
  fc.record({ do: fc.constant('append' as const), name, value }),
  fc.record({ do: fc.constant('set' as const), name, value }),
  fc.record({ do: fc.constant('delete' as const), name, value }),
);

const pairsOf = (headers: Headers | PlainHeaders): unknown => {
  const visited: unknown[] = [];
  headers.forEach((each: string, key: string) => void visited.push([key, each]));
  return [[...headers], [...headers.entries()], [...headers.keys()], [...headers.values()], visited];
};

test('headers are as the platform has them, whatever is done with them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.array(step), (begin, steps) => {
      const [own, theirs] = [new PlainHeaders(begin), new Headers(begin)];
      for (const each of steps)
        for (const headers of [own, theirs]) {
          if (each.do === 'delete') headers.delete(each.name);
          else headers[each.do](each.name, each.value);
        }
      expect(pairsOf(own)).toEqual(pairsOf(theirs));
      expect([own.get('X-API-KEY'), own.has('ACCEPT')]).toEqual([theirs.get('X-API-KEY'), theirs.has('ACCEPT')]);
      expect(pairsOf(new PlainHeaders(own))).toEqual(pairsOf(new Headers([...theirs])));
      expect(pairsOf(new PlainHeaders({ 'X-One': ' 1 ', two: '2' }))).toEqual(pairsOf(new Headers({ 'X-One': ' 1 ', two: '2' })));
    }),
  );
});
