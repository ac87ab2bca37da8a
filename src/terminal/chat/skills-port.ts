export type SkillRow = {
  readonly name: string;
  readonly description: string;
  readonly source: 'user' | 'project';
  readonly folder: string;
};

export type SkillsPort = {
  readonly list: () => readonly SkillRow[];
  /** What is wrong with folders that are no skills, one line each. */
  readonly problems: () => readonly string[];
};
