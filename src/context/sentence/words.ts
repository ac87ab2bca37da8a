/** The words by which a sentence is judged, by meaning, English and Chinese beside each other; read when they are first needed. */
import { lazily, readTables } from '../../domain/value/word-list.ts';
import { orderWords } from './words-order.ts';
import { stateWords } from './words-state.ts';
import { talkWords } from './words-talk.ts';

export const wordTables = lazily(() => readTables([orderWords, stateWords, talkWords].map((tables) => tables().trim()).join('\n')));
