import { expect, test } from 'vitest';
import { searchSessions } from '../../../../src/store/search/search-sessions.ts';
import { answers, calls, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { session } from './recall-world.ts';

test('a text is found in what was said, called and returned, and in bodies, live or retired; the newest session first', () => {
  const made = storeOf();
  session(made, 's1', [
    user('the otter swims'),
    calls({ id: 'a', input: { path: 'otter.ts' } }),
    answers({ id: 'a', content: 'no' }),
  ]).close();
  session(made, 's2', [user(`${'x'.repeat(60)} An\n OTTER ${'y'.repeat(60)}`), user('a heron')]).close();
  const bodies = made.store.bodies('s1');
  const saved = ['one otter of many', 'a second otter', 'a heron'].map((text) => bodies.save(text));
  bodies.retire(new Set([saved[1]?.ref.sha256 ?? '']));
  const hits = [...searchSessions(made.paths, 'otter')];
  expect(hits.map(({ sessionId, where, path, before, match, after }) => [sessionId, where, path, `${before}[${match}]${after}`])).toEqual([
    ['s2', 'user', made.paths.log('s2'), `${'x'.repeat(35)} An [OTTER] ${'y'.repeat(39)}`],
    ['s1', 'user', made.paths.log('s1'), 'the [otter] swims'],
    ['s1', 'model', made.paths.log('s1'), expect.stringContaining('[otter].ts')],
    ['s1', 'body', saved[1]?.path, 'a second [otter]'],
    ['s1', 'body', saved[0]?.path, 'one [otter] of many'],
  ]);
  expect([...searchSessions(made.paths, 'an otter')].map(({ match }) => match)).toEqual(['An OTTER']);
  expect([...searchSessions(made.paths, 'a.h|otter[')]).toEqual([]);
});
