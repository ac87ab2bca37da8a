import { type WordLines, wordLinesOf } from './word-index.ts';
import { wordTables } from './words.ts';

/** The index of all words. The build puts what this returns in its place (build/computed-parts.mjs): to make it took a start 15 ms. */
export const wordLines = (): { readonly en: WordLines; readonly zh: WordLines } => ({
  en: wordLinesOf(wordTables(), 'en'),
  zh: wordLinesOf(wordTables(), 'zh'),
});
