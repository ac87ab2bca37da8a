/**
 * The words by which a sentence is judged, by meaning, in English and Chinese beside each other: lists of words, no patterns. The forms say
 * how they go together. They are read when they are first needed.
 */
import { readTables, type WordTables } from '../../domain/value/word-pattern.ts';
import { orderWords } from './words-order.ts';
import { stateWords } from './words-state.ts';
import { talkWords } from './words-talk.ts';

let read: WordTables | undefined;
export const wordTables = (): WordTables => {
  read ??= readTables([orderWords, stateWords, talkWords].map((tables) => tables().trim()).join('\n'));
  return read;
};
