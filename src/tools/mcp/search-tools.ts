import type { NamedTool } from './tool-names.ts';

/** What a word counts in the name of a tool, and in its description. */
const NAME_WEIGHT = 3;
const TEXT_WEIGHT = 1;

/**
 * The tools that fit the words, best first: each word counts the more, the fewer tools have it, and most in a name. Words match from their
 * beginning, so that `issue` finds `issues`. Without words, all of them as they come.
 */
export function searchTools(tools: readonly NamedTool[], query: string): readonly NamedTool[] {
  const words = [...new Set(wordsOf(query.slice(0, MAX_TEXT_CHARS)))];
  if (words.length === 0) return tools;
  const indexed = tools.map((each) => ({ each, name: wordsOf(each.name), text: wordsOf(each.tool.description.slice(0, MAX_TEXT_CHARS)) }));
  const scores = new Map<NamedTool, number>();
  for (const word of words) {
    const hits = indexed.flatMap(({ each, name, text }) => {
      const weight = best(name, word, NAME_WEIGHT) + best(text, word, TEXT_WEIGHT);
      return weight === 0 ? [] : [{ each, weight }];
    });
    const rarity = Math.log(1 + tools.length / (1 + hits.length));
    for (const { each, weight } of hits) scores.set(each, (scores.get(each) ?? 0) + weight * rarity);
  }
  return [...scores].sort(([a, one], [b, other]) => other - one || a.name.localeCompare(b.name)).map(([each]) => each);
}

/** As much of a description and of a query as is looked at. */
const MAX_TEXT_CHARS = 2_000;

/** A whole word counts fully, the beginning of one half. */
function best(words: readonly string[], sought: string, weight: number): number {
  if (words.includes(sought)) return weight;
  return words.some((word) => word.startsWith(sought) || (sought.startsWith(word) && word.length > 3)) ? weight / 2 : 0;
}

/** In small letters; `listIssues` and `list_issues` are both two words, and each sign of Chinese is one. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{Script=Han}]|[\p{L}\p{N}]+/gu) ?? [];
