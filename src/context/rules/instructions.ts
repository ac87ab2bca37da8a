import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { FitLine } from '../summary/fit-sections.ts';
import { quoteLine } from '../text/quote.ts';
import type { SummaryWords } from './rule-summary-words.ts';

const LINE_CHARS = 600;
/** Above all other lines: these instructions were written for this very summary. */
const INSTRUCTION_WORTH = 20;

/**
 * Returns what the user asked a compaction to keep, in the user's words, one line per sentence, so that as much of a long instruction goes
 * in as fits.
 */
export function instructionLines(instructions: string | undefined, words: SummaryWords): readonly FitLine[] {
  return sentencesIn(instructions ?? '').map((sentence, at) => ({
    text: `${at === 0 ? `- ${words.askedToKeep}: ` : '  '}"${quoteLine(sentence, LINE_CHARS)}"`,
    worth: INSTRUCTION_WORTH,
  }));
}

const sentencesIn = (instructions: string): readonly string[] =>
  instructions
    .split(/\n|(?<=[.!?;])\s+|(?<=[。！？；])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** What a line gains for each word it shares with the instructions: a name, a number or a path matches exactly, a word only roughly. */
const EXACT_BONUS = 6;
const WORD_BONUS = 2;
const MAX_BONUS = 8;

/** Ranks lines that mention what the instructions name above others of the same worth. */
export function boostMentioned(instructions: string | undefined): (line: FitLine) => FitLine {
  if (instructions === undefined || instructions.trim() === '') return (line) => line;
  const { terms, exact } = senseOf(instructions);
  return (line) => {
    if (line.worth >= INSTRUCTION_WORTH) return line;
    const lineTerms = new Set(senseOf(line.text).terms);
    const bonus = terms
      .filter((term) => lineTerms.has(term))
      .reduce((sum, term) => sum + (exact.includes(term) ? EXACT_BONUS : WORD_BONUS), 0);
    return bonus === 0 ? line : { ...line, worth: line.worth + Math.min(MAX_BONUS, bonus) };
  };
}
