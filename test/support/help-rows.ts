/** The names of commands in a help in English, in its order: those of each section that is about commands. */
export const commandsListed = (help: string): readonly string[] =>
  help
    .split('\n\n')
    .filter((section) => COMMANDS.test(section))
    .flatMap((section) => [...section.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name));

const COMMANDS = /^(?:Commands|Sessions|Memory|Settings|Figures and care):\n/;
