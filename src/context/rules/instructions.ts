import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { FitLine } from '../summary/fit-sections.ts';

/** What a line gains for each word it shares with the instructions: a name, a number or a path matches exactly, a word only roughly. */
const EXACT_BONUS = 6;
const WORD_BONUS = 2;
const MAX_BONUS = 8;

/** Ranks lines that mention what the instructions name above others of the same worth. */
export function boostMentioned(instructions: string | undefined): (line: FitLine) => FitLine {
  if (instructions === undefined || instructions.trim() === '') return (line) => line;
  const { terms, exact } = senseOf(instructions);
  return (line) => {
    const lineTerms = new Set(senseOf(line.text).terms);
    const bonus = terms
      .filter((term) => lineTerms.has(term))
      .reduce((sum, term) => sum + (exact.includes(term) ? EXACT_BONUS : WORD_BONUS), 0);
    return bonus === 0 ? line : { ...line, worth: line.worth + Math.min(MAX_BONUS, bonus) };
  };
}
