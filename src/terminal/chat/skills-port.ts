import type { Bilingual } from '../../domain/language.ts';
import type { OwnCommand } from '../../domain/own-command.ts';

export type SkillRow = {
  readonly name: string;
  readonly description: string;
  readonly source: 'user' | 'project';
  readonly folder: string;
};

/** A command of the user's own; `expand` gives what is sent for what was typed behind its name. */
export type OwnCommandRow = Pick<OwnCommand, 'name' | 'description' | 'argumentHint' | 'source'> & {
  readonly expand: (typed: string) => string;
};

export type SkillsPort = {
  readonly commands: () => readonly OwnCommandRow[];
  readonly list: () => readonly SkillRow[];
  /** What is wrong with folders that are no skills, one line each. */
  readonly problems: () => readonly Bilingual[];
};
