/**
 * The words by which a sentence is judged, by meaning, in English and Chinese beside each other: lists of words, no patterns. The forms say
 * how they go together.
 */
import { readTables } from '../../domain/value/word-pattern.ts';
import { orderWords } from './words-order.ts';
import { stateWords } from './words-state.ts';
import { talkWords } from './words-talk.ts';

export const wordTables = readTables([orderWords, stateWords, talkWords].map((tables) => tables.trim()).join('\n'));
