import type { Actions } from './actions.ts';

/** A command as data: what it is called, what it takes, and how what was given becomes an action's options. */
export type CommandSpec = {
  /** One or more words, as "config show"; empty for the program itself. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, as "<id>", "[file]" or "<word...>", each with what it is; none when left out. */
  readonly operands?: readonly (readonly [name: string, is: string])[];
  readonly options: readonly OptionSpec[];
  /** Whole command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Lines at the end of the help. */
  readonly notes?: readonly string[];
  /** Throws SanbotError `usage` for a value that makes no sense. */
  readonly run: (given: Given, actions: () => Promise<Actions>) => Promise<number>;
};

export type OptionSpec = {
  /** As "-p, --print [prompt]": [] may be left out, <> may not. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly defaultValue?: string;
  readonly required?: true;
  /** May be given several times; the values are joined with commas. */
  readonly repeatable?: true;
  /** Long names of options that cannot stand beside this one. */
  readonly conflicts?: readonly string[];
};

/** What was given on the command line; options by their long name without dashes. */
export type Given = {
  readonly text: (name: string) => string | undefined;
  /** True for a switch, and for an option whose value was left out. */
  readonly flag: (name: string) => boolean;
  readonly operands: readonly string[];
  readonly now: () => Date;
};

export const homeOption: OptionSpec = { flags: '--home <folder>', description: 'where SanBot keeps its files (default: ~/.sanbot)' };
export const jsonOption: OptionSpec = { flags: '--json', description: 'print JSON' };
