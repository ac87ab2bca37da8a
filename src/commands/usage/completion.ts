/**
 * The scripts of `sanbot completion`, one for each shell, made from the grammar that --help is made from: they cannot name what is not there.
 *
 * A script finds the command that the words so far lead to, and offers its commands and options, or the values of the option before the
 * cursor: choices, ids of sessions (names of folders in the home, so that nothing is started while somebody types), folders, else files.
 */

import { allPaths, type CommandNode, type OptionNode, type PathNode, type Shell } from './command-tree.ts';

export const completionScript = (shell: Shell, program: CommandNode): string => scripts[shell](program);

const scripts: Readonly<Record<Shell, (program: CommandNode) => string>> = { bash, zsh, fish };

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const SESSIONS = `command ls -1 "\${SANBOT_HOME:-$HOME/.sanbot}/sessions" 2>/dev/null`;

const namesOf = ({ long, short }: OptionNode): readonly string[] => (short === undefined ? [long] : [short, long]);

type Actions = Readonly<Record<'session' | 'folder' | 'other', string>> & { readonly choice: (choices: readonly string[]) => string };

function valueCases(paths: readonly PathNode[], act: Actions): readonly string[] {
  const patterns = (path: string, option: OptionNode): readonly string[] => namesOf(option).map((name) => quoted(`${path} ${name}`));
  const all = paths.flatMap(({ path, node }) => node.options.map((option) => ({ value: option.value, words: patterns(path, option) })));
  const choices = all.flatMap(({ value, words }) =>
    value.kind === 'choice' ? [`    ${words.join('|')}) ${act.choice(value.choices)} ;;`] : [],
  );
  const others = (['session', 'folder', 'other'] as const).map((kind) => {
    const words = all.flatMap((option) => (option.value.kind === kind ? option.words : []));
    return `    ${words.join('|')}) ${act[kind]} ;;`;
  });
  return [...choices, ...others];
}

const deeper = (paths: readonly PathNode[]): string =>
  paths
    .slice(1)
    .map(({ path }) => quoted(path))
    .join('|');

function bash(program: CommandNode): string {
  const paths = allPaths(program);
  const reply = (words: readonly string[]): string => `COMPREPLY=($(compgen -W ${quoted(words.join('\n'))} -- "$cur"))`;
  const words = ({ commands, operands, options }: CommandNode): readonly string[] => [
    ...commands.map(({ name }) => name),
    ...operands,
    ...options.map(({ long }) => long),
  ];
  return `# Completes sanbot in bash: source <(sanbot completion bash)
_sanbot() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=sanbot i IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${deeper(paths)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${valueCases(paths, {
  choice: (choices) => `${reply(choices)}; return`,
  session: `COMPREPLY=($(compgen -W "$(${SESSIONS})" -- "$cur")); return`,
  folder: 'COMPREPLY=($(compgen -d -- "$cur")); return',
  other: 'return',
}).join('\n')}
  esac
  case $at in
${paths.map(({ path, node }) => `    ${quoted(path)}) ${reply(words(node))} ;;`).join('\n')}
  esac
}
complete -o bashdefault -o default -F _sanbot sanbot
`;
}

function zsh(program: CommandNode): string {
  const paths = allPaths(program);
  const item = (name: string, does: string): string => quoted(`${name.replaceAll(':', '\\:')}:${does}`);
  const items = ({ commands, operands, options }: CommandNode): string =>
    [
      ...commands.map(({ name, does }) => item(name, does)),
      ...operands.map(quoted),
      ...options.map(({ long, does }) => item(long, does)),
    ].join(' ');
  return `#compdef sanbot
# Completes sanbot in zsh: source <(sanbot completion zsh)
_sanbot() {
  local prev=\${words[CURRENT-1]} at=sanbot i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      (${deeper(paths)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at $prev" in
${valueCases(paths, {
  choice: (choices) => `found=(${choices.map(quoted).join(' ')}); compadd -a found; return`,
  session: `found=(\${(f)"$(${SESSIONS})"}); compadd -a found; return`,
  folder: '_files -/; return',
  other: '_files; return',
})
  .map((line) => line.replace(/^ {4}/, '    ('))
  .join('\n')}
  esac
  case $at in
${paths.map(({ path, node }) => `    (${quoted(path)}) found=(${items(node)}) ;;`).join('\n')}
  esac
  _describe 'sanbot' found || _files
}
if [ "$funcstack[1]" = "_sanbot" ]; then _sanbot; else compdef _sanbot sanbot; fi
`;
}

function fish(program: CommandNode): string {
  const paths = allPaths(program);
  const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const value = (option: OptionNode): string => {
    switch (option.value.kind) {
      case 'none':
        return '';
      case 'choice':
        return ` -x -a ${fishQuoted(option.value.choices.join(' '))}`;
      case 'session':
        return ` -x -a '(__sanbot_sessions)'`;
      case 'folder':
        return ` -x -a '(__fish_complete_directories)'`;
      case 'other':
        return ' -r';
    }
  };
  const lines = paths.flatMap(({ path, node }) => {
    const start = `complete -c sanbot -n "__sanbot_at ${fishQuoted(path)}"`;
    return [
      ...node.commands.map(({ name, does }) => `${start} -f -a ${name} -d ${fishQuoted(does)}`),
      ...node.operands.map((word) => `${start} -f -a ${word}`),
      ...node.options.map((option) => {
        const short = option.short === undefined ? '' : ` -s ${option.short.slice(1)}`;
        return `${start}${short} -l ${option.long.slice(2)}${value(option)} -d ${fishQuoted(option.does)}`;
      }),
    ];
  });
  return `# Completes sanbot in fish: sanbot completion fish | source
function __sanbot_at
    set -l at sanbot
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${paths
              .slice(1)
              .map(({ path }) => fishQuoted(path))
              .join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
function __sanbot_sessions
    set -l home $SANBOT_HOME
    test -n "$home"; or set home $HOME/.sanbot
    command ls -1 $home/sessions 2>/dev/null
end
${lines.join('\n')}
`;
}
