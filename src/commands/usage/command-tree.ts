import type { CommandUnknownOpts } from '../command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export type CommandNode = {
  readonly name: string;
  readonly does: string;
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
  readonly operands: readonly string[];
};

export type OptionNode = {
  readonly long: string;
  readonly short: string | undefined;
  readonly does: string;
  readonly value: OptionValue;
};

export type OptionValue =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** `none` also where a value may be left out and can be anything. */
  | { readonly kind: 'none' | 'session' | 'folder' | 'other' };

export function describeCommand(command: CommandUnknownOpts): CommandNode {
  const options = command.createHelp().visibleOptions(command);
  return {
    name: command.name(),
    does: command.description(),
    options: options.flatMap((option) => {
      const { long, short, description } = option;
      return typeof long === 'string' ? [{ long, short: short ?? undefined, does: description, value: kindOfValue(option) }] : [];
    }),
    commands: command.commands.map(describeCommand),
    operands: command.registeredArguments[0]?.argChoices ?? [],
  };
}

function kindOfValue({ long, required, optional, argChoices: choices }: CommandUnknownOpts['options'][number]): OptionValue {
  if (choices !== undefined) return { kind: 'choice', choices };
  if (!required && !optional) return { kind: 'none' };
  if (long === '--session' || long === '--resume') return { kind: 'session' };
  return { kind: long === '--home' ? 'folder' : required ? 'other' : 'none' };
}

export type PathNode = { readonly path: string; readonly node: CommandNode };

export const allPaths = (node: CommandNode, above = ''): readonly PathNode[] => {
  const path = above === '' ? node.name : `${above} ${node.name}`;
  return [{ path, node }, ...node.commands.flatMap((each) => allPaths(each, path))];
};
