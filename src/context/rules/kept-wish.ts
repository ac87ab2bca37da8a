import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { FitLine } from '../summary/fit-sections.ts';
import { quotedLine } from '../text/quote.ts';
import type { SummaryWords } from './rule-summary-words.ts';

const LINE_CHARS = 600;
/** Above all else: whoever wrote it wrote it for this summary. */
const WISH_WORTH = 20;

/** What the user asked a compaction to keep, in the user's words: a line for each sentence, so that a long wish goes in as far as there is room. */
export function wishLines(wish: string | undefined, words: SummaryWords): readonly FitLine[] {
  return sentencesIn(wish ?? '').map((sentence, at) => ({
    text: `${at === 0 ? `- ${words.askedToKeep}: ` : '  '}"${quotedLine(sentence, LINE_CHARS)}"`,
    worth: WISH_WORTH,
  }));
}

const sentencesIn = (wish: string): readonly string[] =>
  wish
    .split(/\n|(?<=[.!?;])\s+|(?<=[。！？；])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** What a line gains by each word of the wish in it: a name, a number or a path says exactly what is meant, a word only about. */
const EXACT_BONUS = 6;
const WORD_BONUS = 2;
const MOST_BONUS = 8;

/** Lines that speak of what the wish names go before others of their worth. */
export function preferring(wish: string | undefined): (line: FitLine) => FitLine {
  if (wish === undefined || wish.trim() === '') return (line) => line;
  const { terms, exact } = senseOf(wish);
  return (line) => {
    if (line.worth >= WISH_WORTH) return line;
    const own = new Set(senseOf(line.text).terms);
    const bonus = terms.filter((term) => own.has(term)).reduce((sum, term) => sum + (exact.includes(term) ? EXACT_BONUS : WORD_BONUS), 0);
    return bonus === 0 ? line : { ...line, worth: line.worth + Math.min(MOST_BONUS, bonus) };
  };
}
