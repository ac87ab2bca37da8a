import { queryTerms } from '../../src/context/search/query-terms.ts';

/** Whether a text with these terms, given as the index has them, is found by every word of a query: what the database does, in plain words. */
export function finds(indexed: readonly string[], query: string): boolean {
  const terms = indexed.flatMap((each) => each.split(' '));
  const has = ({ text, prefix }: { readonly text: string; readonly prefix: boolean }) =>
    prefix ? terms.some((term) => term.startsWith(text)) : terms.includes(text);
  const words = queryTerms(query);
  return words.length > 0 && words.every(({ any }) => any.some((all) => all.every(has)));
}
