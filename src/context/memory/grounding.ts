import { senseOf } from '../../domain/memory/memory-sense.ts';

/** Other words are fine, other content is not: this share of the words must come from the sources. */
const MIN_KNOWN_SHARE = 0.5;

/** True when a statement says what its sources say: at least half of its words, and every number, path and name in it, are theirs. */
export function isGrounded(statement: string, sources: readonly string[]): boolean {
  const { terms, exact } = senseOf(statement);
  const sourceTerms = new Set(sources.flatMap((source) => senseOf(source).terms));
  return (
    exact.every((term) => sourceTerms.has(term)) && terms.filter((term) => sourceTerms.has(term)).length / terms.length >= MIN_KNOWN_SHARE
  );
}
