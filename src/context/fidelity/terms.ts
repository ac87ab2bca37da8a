export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Returns the words in lower case; for Chinese, every pair of neighbouring characters. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [run] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    if (!/^\p{Script=Han}/u.test(run)) terms.push(run.toLowerCase());
    else if (run.length === 1) terms.push(run);
    else for (let i = 0; i + 1 < run.length; i++) terms.push(run.slice(i, i + 2));
  }
  return terms;
}

/** About as many as a person or an agent would type. */
const MAX_QUERY_TERMS = 8;

/** Returns the words of a query: those of `topic` first, then those of `cue`, the longest of each first, without words of the answer. */
export function queryWords(answer: string, { topic, cue }: { readonly topic: string; readonly cue: string }): readonly string[] {
  const answerTerms = new Set(termsOf(answer));
  const from = (text: string): readonly string[] =>
    [...new Set(termsOf(text))].filter((term) => !answerTerms.has(term) && term.length > 1).sort((a, b) => b.length - a.length);
  return [...new Set([...from(topic), ...from(cue)])].slice(0, MAX_QUERY_TERMS);
}
