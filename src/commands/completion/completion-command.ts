import { Argument, Command, type CommandSpec, type CommandUnknownOpts, defineCommand, examples } from '../command.ts';
import { describeCommand, shells } from './command-tree.ts';

/** `program` gives the whole command line, which is what the script completes. */
export const completionCommand = (program: () => CommandUnknownOpts): CommandSpec =>
  defineCommand({
    grammar: () =>
      new Command('completion')
        .description('print a script that completes commands, options and their values in your shell')
        .addArgument(new Argument('<shell>', 'the shell').choices(shells))
        .addHelpText(
          'after',
          examples(
            ['source <(sanbot completion bash)', 'in ~/.bashrc'],
            ['source <(sanbot completion zsh)', 'in ~/.zshrc, after compinit'],
            ['sanbot completion fish | source', 'in ~/.config/fish/config.fish'],
          ),
        ),
    load: () => import('./completion.ts'),
    run: async (_options, { operands: [shell], io }, load) => {
      io.out((await load()).completionScript(shell, describeCommand(program())));
      return 0;
    },
  });
