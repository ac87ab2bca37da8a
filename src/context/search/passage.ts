import type { RecallKind, TermGroup } from '../../domain/recall.ts';
import type { Question } from './question.ts';
import type { TimeHint } from './time-hint.ts';

/** A part of a text that was found, with what tells how well it answers. */
export type Passage = {
  /** The part, behind the beginning of its call. */
  readonly text: string;
  readonly entry: number;
  /** What its entry is from: entries with neighbouring numbers follow each other only there. */
  readonly source: number;
  /** Its number in its text. */
  readonly part: number;
  readonly kind: RecallKind;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** It holds every word, every word together with what it was made for, or some of the words; or it only stands beside one that does. */
  readonly tier: 'all' | 'about' | 'some' | 'beside';
  /** How well the index thinks it matches, from 0 to 1 within its tier. */
  readonly score: number;
};

export type RankOptions = {
  readonly words: readonly TermGroup[];
  /** In how many of the slices a term is, and about how many slices there are. */
  readonly places: (term: string) => number;
  readonly size: number;
  readonly time: TimeHint | undefined;
  /** Undefined when the words are no question. */
  readonly question: Question | undefined;
  readonly limit: number;
};
