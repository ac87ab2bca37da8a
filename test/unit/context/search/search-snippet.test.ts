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

it('shows a short text between the end of what came before it and the beginning of what followed', () => {
  const beside = {
    before: `${'long ago '.repeat(400)}the crane was checked`,
    after: `then the ledger was closed ${'and so on '.repeat(400)}`,
  };
  const { snippet } = snippetOf({ text: 'the retry delay is 40 ms' }, queryTerms('retry delay'), () => beside);
  const [before, own, after] = snippet.text.split('\n');
  expect(before).toMatch(/^before it: ….*the crane was checked$/);
  expect(own).toBe('the retry delay is 40 ms');
  expect(after).toMatch(/^after it: then the ledger was closed .*…$/);
  expect(snippet.marks.map(([from, to]) => snippet.text.slice(from, to))).toEqual(['retry', 'delay']);
  expect(snippet.text.length).toBeLessThanOrEqual(HIT_CHARS);
});

it('does not ask for neighbours where the text has no room for them, and shows none that say nothing', () => {
  const none = (): never => {
    throw new Error('asked');
  };
  expect(snippetOf({ text: `retry ${'and more of it '.repeat(200)}` }, queryTerms('retry'), none).snippet.text).not.toContain('before it');
  expect(snippetOf({ text: 'retry' }, queryTerms('retry'), () => ({ before: '', after: '' })).snippet.text).toBe('retry');
});

it('shows a later part of a result below the call that it answers', () => {
  const call = 'run_command\ncommand: npm test';
  const text = `${call}\n\n${'a line of it\n'.repeat(300)}limit=4711`;
  const { snippet } = snippetOf({ text, call }, queryTerms('limit'));
  expect(snippet.text).toMatch(/^run_command command: npm test …\n/);
  expect(snippet.text).toContain('limit=4711');
  expect(snippet.text.length).toBeLessThanOrEqual(HIT_CHARS);
});
