import { expect, test } from 'vitest';
import type { Passage } from '../../../../src/context/search/match-passages.ts';
import { queryTerms } from '../../../../src/context/search/query-terms.ts';
import { rankPassages } from '../../../../src/context/search/rank-passages.ts';

const words = queryTerms('checkpoint migration');
const options = { words, places: () => 10, size: 1_000, time: undefined, question: undefined };

/** Every one in a place of its own: neighbours would count with it. */
const passage = (serial: number, kind: Passage['kind'], text: string): Passage => ({
  ...{ text, kind, entry: serial * 10, source: 1, part: 0, tier: 'all', score: 1 },
  at: `2026-01-01T00:${String(serial).padStart(2, '0')}:00.000Z`,
});
const printed = Array.from({ length: 9 }, (_, i) =>
  passage(
    i + 1,
    'tool',
    `Read ${'abcdefghi'[i]}${i}.go: checkpoint migration ${Array.from({ length: 12 }, (_, n) => `v${i}x${n}`).join(' ')}`,
  ),
);
const said = passage(0, 'assistant', 'The migration of a checkpoint is the work of the helper that the plan names');

test('what was said has a place among results that have the same words', () => {
  const shown = rankPassages([...printed, said], { ...options, limit: 5 }).map(({ passage: { kind } }) => kind);
  expect(shown.filter((kind) => kind === 'assistant')).toEqual(['assistant']);
  expect(shown.filter((kind) => kind === 'tool')).toHaveLength(4);
});

test('what stands beside a passage in another session does not count with it', () => {
  const first = { ...passage(1, 'assistant', 'checkpoint migration of today'), entry: 1 };
  const other = { ...passage(2, 'assistant', 'the checkpoint'), entry: 2 };
  const last = { ...passage(3, 'assistant', 'the migration'), entry: 9 };
  const scoreOf = (source: number) =>
    rankPassages([first, { ...other, source }, last], { ...options, limit: 3 }).find(({ passage: { entry } }) => entry === 2)?.score ?? 0;
  expect(scoreOf(1)).toBeGreaterThan(scoreOf(2));
});

test('a result keeps its place among many things that were said', () => {
  const talk = Array.from({ length: 9 }, (_, i) =>
    passage(i + 1, 'assistant', `Migration ${i}: checkpoint ${i}, ${'klmnopqrs'[i]}${i} and ${'tuvwxyzab'[i]}${i} are part of it`),
  );
  const result = passage(0, 'tool', `Read a.go: checkpoint ${'and so on '.repeat(20)} migration`);
  expect(rankPassages([...talk, result], { ...options, limit: 5 }).map(({ passage: { kind } }) => kind)).toContain('tool');
});

test('what has every word stands before what has some of them, whoever said it', () => {
  const partly = { ...said, tier: 'some' as const, text: 'The migration is the work of the helper' };
  const shown = rankPassages([...printed, partly], { ...options, limit: 9 }).map(({ passage: { kind } }) => kind);
  expect(new Set(shown)).toEqual(new Set(['tool']));
});

test('only what is worth about as much is put before what matches better', () => {
  const weak = passage(0, 'assistant', `migration ${'of many other things that nobody asked about '.repeat(30)} checkpoint`);
  const best = rankPassages([...printed, weak], { ...options, limit: 2 }).map(({ passage: { kind } }) => kind);
  expect(best).toEqual(['tool', 'tool']);
});

test('how much time lies between texts changes nothing, only which is newer', () => {
  const all = [...printed, said];
  const spread = all.map((each) => ({ ...each, at: new Date(Date.parse(each.at) + 86_400_000 * (each.entry / 10) ** 3).toISOString() }));
  const atOnce = all.map((each) => ({ ...each, at: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, each.entry)).toISOString() }));
  const ranked = (passages: readonly Passage[]) =>
    rankPassages(passages, { ...options, limit: 9 }).map(({ passage: { entry }, score }) => ({ entry, score }));
  expect(ranked(spread)).toEqual(ranked(all));
  expect(ranked(atOnce)).toEqual(ranked(all));
  const turned = all.map((each, i) => ({ ...each, at: all.at(-1 - i)?.at ?? '' }));
  expect(ranked(turned)).not.toEqual(ranked(all));
});
