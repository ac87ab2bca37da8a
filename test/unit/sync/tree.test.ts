import { expect, test } from 'vitest';
import type { SegmentName } from '../../../src/sync/port.ts';
import { forkName } from '../../../src/sync/segment.ts';
import { treeOf } from '../../../src/sync/tree.ts';

const hashOf = (letter: string): string => letter.repeat(64);
const nameOf = (chain: string, seq: number, hash: string, previous = ''): SegmentName => ({
  ...{ chain, seq, hash: hashOf(hash), previous: previous.repeat(16) },
});

test('a tree knows what follows a segment, the way back, and where a fork parted, in whatever order the names came', () => {
  const names = [
    nameOf('s1', 1, 'a'),
    nameOf('s1', 2, 'b', 'a'),
    nameOf('s1', 2, 'c', 'a'),
    nameOf(forkName('s1', hashOf('d')), 2, 'd', 'a'),
  ];
  for (const order of [names, names.toReversed()]) {
    const tree = treeOf(order);
    expect(tree.after(hashOf('a')).map(({ hash }) => hash[0])).toEqual(['b', 'c', 'd']);
    expect([...tree.backFrom(hashOf('c'))].map(({ hash }) => hash[0])).toEqual(['c', 'a']);
    expect(tree.partingOf(forkName('s1', hashOf('c')))?.hash).toBe(hashOf('c'));
    expect(tree.partingOf(forkName('s1', hashOf('d')))?.hash).toBe(hashOf('d'));
    expect(tree.beginnings(forkName('s1', hashOf('d'))).map(({ hash }) => hash[0])).toEqual(['a']);
    expect(tree.beginnings('s2')).toEqual([]);
  }
});

test('names that follow each other in a circle have an end', () => {
  const tree = treeOf([nameOf('s1', 2, 'a', 'b'), nameOf('s1', 3, 'b', 'a'), nameOf('s1', 4, 'c', 'c')]);
  expect([...tree.backFrom(hashOf('b'))].map(({ hash }) => hash[0])).toEqual(['b', 'a']);
  expect([...tree.backFrom(hashOf('c'))].map(({ hash }) => hash[0])).toEqual(['c']);
});
