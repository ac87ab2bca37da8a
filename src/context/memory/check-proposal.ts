import { senseOf } from '../../domain/memory/memory-sense.ts';
import { isOpen, judge, memoryKind } from '../sentence/judge.ts';
import { sentencesOf } from '../text/sentences.ts';

/** A sentence with this share of an entry's words is one that the entry comes from. */
const MIN_SHARED = 0.5;

/**
 * True when an entry that a model proposes passes what the rules ask of their own: its message says it, the sentences it comes from are
 * neither questions nor open nor the contrary, and they or the entry itself state something that lasts.
 */
export function isKeepable(entry: string, message: string): boolean {
  if (!isGrounded(entry, [message])) return false;
  const { terms, negated } = senseOf(entry);
  const sources = sentencesOf(message).filter((sentence) => shareOf(terms, new Set(senseOf(sentence).terms)) >= MIN_SHARED);
  const standing = sources.filter((sentence) => !isOpen(sentence) && senseOf(sentence).negated === negated);
  if (sources.length > 0 && standing.length === 0) return false;
  return [...standing, inOwnVoice(entry)].some((sentence) => memoryKind(judge(sentence)) !== undefined);
}

/** A model says "the user prefers"; the forms are those of "I prefer". */
const inOwnVoice = (entry: string): string =>
  entry
    .replace(/\b(?:the )?user['’]s\b/gi, 'my')
    .replace(/\b(?:the )?user\b/gi, 'I')
    .replace(/\bI (is|has|does)\b/g, (_, verb: string) => ({ is: 'I am', has: 'I have', does: 'I do' })[verb] ?? `I ${verb}`)
    .replace(/\bI ([a-z]{2,20}[a-rt-z])s\b/g, 'I $1')
    .replace(/用户(?=的|都|一般|通常|偏|喜|习|叫|姓|在|住|用|负责|要求|希望|不)/g, '我');

/** Other words are fine, other content is not: this share of the words must come from the sources. */
const MIN_KNOWN_SHARE = 0.5;

/** True when a statement says what its sources say: at least half of its words, and every number, path and name in it, are theirs. */
export function isGrounded(statement: string, sources: readonly string[]): boolean {
  const { terms, exact } = senseOf(statement);
  const sourceTerms = new Set(sources.flatMap((source) => senseOf(source).terms));
  return exact.every((term) => sourceTerms.has(term)) && shareOf(terms, sourceTerms) >= MIN_KNOWN_SHARE;
}

const shareOf = (terms: readonly string[], known: ReadonlySet<string>): number =>
  terms.filter((term) => known.has(term)).length / terms.length;
