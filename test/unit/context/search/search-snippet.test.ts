import { expect, it } from 'vitest';
import { queryTerms } from '../../../../src/context/search/query-terms.ts';
import { HIT_CHARS, snippetOf } from '../../../../src/context/search/search-snippet.ts';

it('shows enough around the match for the answer to stand in it', () => {
  const filler = 'plain filler '.repeat(400);
  const text = `${filler}the retry delay is set here: ${'more of it '.repeat(60)}limit=4711 ${filler}`;
  const { snippet } = snippetOf({ text }, queryTerms('retry delay'));
  expect(snippet.text).toContain('limit=4711');
  expect(snippet.text.length).toBeLessThanOrEqual(HIT_CHARS + 2);
});
