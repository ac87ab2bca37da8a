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
