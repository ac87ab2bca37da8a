import { type CommandSpec, type CommandUnknownOpts, defineCommand, grammarOf } from '../command.ts';
import { describeCommand, shells } from './command-tree.ts';

export const completionCommand = (program: () => CommandUnknownOpts): CommandSpec =>
  defineCommand({
    grammar: () =>
      grammarOf('completion', {
        en: 'print a script that completes commands, options and their values in your shell',
        zh: '输出在 shell 中补全命令、选项及其取值的脚本',
      })
        .choice('<shell>', { en: 'the shell', zh: 'shell 名称' }, shells)
        .examples({
          'source <(sanbot completion bash)': { en: 'in ~/.bashrc', zh: '写入 ~/.bashrc' },
          'source <(sanbot completion zsh)': { en: 'in ~/.zshrc, after compinit', zh: '写入 ~/.zshrc，放在 compinit 之后' },
          'sanbot completion fish | source': { en: 'in ~/.config/fish/config.fish', zh: '写入 ~/.config/fish/config.fish' },
        }),
    hasHome: false,
    load: () => import('./completion.ts'),
    run: async (_options, { operands: [shell], io }, load) => {
      io.out((await load()).completionScript(shell, describeCommand(program())));
      return 0;
    },
  });
