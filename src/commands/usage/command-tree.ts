import type { CommandUnknownOpts } from '../command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A command with what can be typed after it. */
export type CommandNode = {
  readonly name: string;
  readonly does: string;
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
  /** The choices of the first operand. */
  readonly operands: readonly string[];
};

export type OptionNode = {
  /** "--json" */
  readonly long: string;
  /** "-v" */
  readonly short: string | undefined;
  readonly does: string;
  readonly value: OptionValue;
};

export type OptionValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'session' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'other'; readonly isOptional: boolean };

/** What the grammar of a command says. The help option is one of them. */
export function describeCommand(command: CommandUnknownOpts): CommandNode {
  const help = command.createHelp();
  return {
    name: command.name(),
    does: command.description(),
    options: help.visibleOptions(command).flatMap(({ long, short, description, argChoices, required, optional }) =>
      typeof long !== 'string'
        ? []
        : [
            {
              long,
              short: short ?? undefined,
              does: description,
              value: required || optional ? valueKind(long, { choices: argChoices, isOptional: optional }) : { kind: 'none' as const },
            },
          ],
    ),
    commands: command.commands.map(describeCommand),
    operands: command.registeredArguments[0]?.argChoices ?? [],
  };
}

type ValueFacts = { readonly choices: readonly string[] | undefined; readonly isOptional: boolean };

function valueKind(long: string, { choices, isOptional }: ValueFacts): OptionValue {
  if (choices !== undefined) return { kind: 'choice', choices };
  if (long === '--session' || long === '--resume') return { kind: 'session' };
  return long === '--home' ? { kind: 'folder' } : { kind: 'other', isOptional };
}

/** A command with the words that lead to it: "sanbot config show". */
export type PathNode = { readonly path: string; readonly node: CommandNode };

/** The command and all below it. */
export const allPaths = (node: CommandNode, above = ''): readonly PathNode[] => {
  const path = above === '' ? node.name : `${above} ${node.name}`;
  return [{ path, node }, ...node.commands.flatMap((each) => allPaths(each, path))];
};
