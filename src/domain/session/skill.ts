/** A folder with instructions for a kind of work, and what its SKILL.md says of it. */
export type Skill = {
  readonly name: string;
  readonly description: string;
  /** Absolute; its SKILL.md is in it. */
  readonly folder: string;
  readonly source: 'user' | 'project';
};

/** The skills whose name or description has words of the query, those with the most first. */
export function searchSkills(skills: readonly Skill[], query: string): readonly Skill[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const scored = skills.map((skill) => {
    const text = `${skill.name} ${skill.description}`.toLowerCase();
    return { skill, score: words.filter((word) => text.includes(word)).length };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ skill }) => skill);
}

export type OwnCommand = {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | undefined;
  readonly body: string;
  readonly source: 'user' | 'project';
};

/** `$ARGUMENTS` is all that was typed, `$1` to `$9` a word of it; a text that names neither has what was typed at its end. */
export function expandCommand(body: string, typed: string): string {
  if (!/\$(?:ARGUMENTS\b|[1-9])/.test(body)) return typed === '' ? body : `${body.trimEnd()}\n\n${typed}`;
  const words = firstWords(typed);
  return body.replace(/\$(?:ARGUMENTS\b|([1-9]))/g, (_, place?: string) =>
    place === undefined ? typed : (words[Number(place) - 1] ?? ''),
  );
}

/** What says to the model that a person chose a skill. */
export const useSkill = (name: string, typed: string): string => `Use the skill ${name}.${typed === '' ? '' : ` ${typed}`}`;

/** As many as a text can name: what was typed may be megabytes. */
const MOST_WORDS = 9;

function firstWords(typed: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    words.push(double ?? single ?? plain ?? '');
    if (words.length === MOST_WORDS) break;
  }
  return words;
}
