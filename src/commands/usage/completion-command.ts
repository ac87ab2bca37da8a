import { localize } from '../../domain/language.ts';
import { Argument, Command, type CommandSpec, type CommandUnknownOpts, defineCommand, examples } from '../command.ts';
import { describeCommand, shells } from './command-tree.ts';

/** `program` gives the whole command line, which is what the script completes. */
export const completionCommand = (program: () => CommandUnknownOpts): CommandSpec =>
  defineCommand({
    grammar: () =>
      new Command('completion')
        .description(
          localize({
            en: 'print a script that completes commands, options and their values in your shell',
            zh: '输出在 shell 中补全命令、选项及其取值的脚本',
          }),
        )
        .addArgument(new Argument('<shell>', localize({ en: 'the shell', zh: 'shell 名称' })).choices(shells))
        .addHelpText(
          'after',
          examples(
            ['source <(sanbot completion bash)', localize({ en: 'in ~/.bashrc', zh: '写入 ~/.bashrc' })],
            ['source <(sanbot completion zsh)', localize({ en: 'in ~/.zshrc, after compinit', zh: '写入 ~/.zshrc，放在 compinit 之后' })],
            ['sanbot completion fish | source', localize({ en: 'in ~/.config/fish/config.fish', zh: '写入 ~/.config/fish/config.fish' })],
          ),
        ),
    load: () => import('./completion.ts'),
    run: async (_options, { operands: [shell], io }, load) => {
      io.out((await load()).completionScript(shell, describeCommand(program())));
      return 0;
    },
  });
