import { type ParsedCommand, programName, type SimpleCommand } from '../../domain/permission.ts';
import { provenPaths } from './reading-programs.ts';

/**
 * True when a command line has the words of a rule somewhere in its texts, where another program may run them: in an option, in a command
 * line within a word, in a variable, in what it is given to read, or behind options of the program itself. One that only reads runs nothing.
 */
export const mentions = (words: readonly string[], parsed: ParsedCommand): boolean =>
  provenPaths(parsed) === undefined &&
  (parsed.commands.some((command) => !(parsed.isPlain && INERT.test(command.words[0] ?? '')) && mentionsIn(words, command)) ||
    parsed.inFiles?.some((command) => standsBehindOptions(words, command)) === true);

/** They run nothing whatever they are told. What they print may be run by what a pipe leads to, which is then judged by itself. */
const INERT = /^(?:echo|printf|[ef]?grep|cd|ls|cat|head|tail|wc|which|test|\[)$/;

const standsBehindOptions = ([program = '', ...rest]: readonly string[], { words: [first = '', ...others] }: SimpleCommand): boolean =>
  plainProgram(first) === plainProgram(program) && rest.length > 0 && standBehindOptions(rest, others);

function mentionsIn(named: readonly string[], command: SimpleCommand): boolean {
  if (standsBehindOptions(named, command)) return true;
  const [program = '', ...rest] = named;
  const { words, variables = [], input = '' } = command;
  const [first = '', ...others] = words;
  const texts = [...others.filter((_, at) => !isMessage(words, at + 1)), ...variables.map(({ value }) => value), input];
  const isNamed = programName(first).toLowerCase() === programName(program).toLowerCase();
  const tokens = [...(isNamed ? [] : [first]), ...texts].flatMap((text = '') => tokensOf(text));
  return tokens.some((token, at) => plainProgram(token) === plainProgram(program) && inOrder(rest, tokens.slice(at + 1)));
}

/** `git -C x push`: what lies between may be an option or its value. */
function standBehindOptions(rest: readonly string[], words: SimpleCommand['words']): boolean {
  let from = 0;
  for (const word of rest) {
    const at = words.indexOf(word, from);
    if (at < 0) return false;
    const between = words.slice(from, at);
    if (!between.every((each, i) => each === undefined || each.startsWith('-') || (between[i - 1] ?? '').startsWith('-'))) return false;
    from = at + 1;
  }
  return from > rest.length;
}

function inOrder(rest: readonly string[], tokens: readonly string[]): boolean {
  let from = 0;
  return rest.every((word) => {
    const at = tokens.indexOf(word, from);
    from = at + 1;
    return at >= 0;
  });
}

/** What may be a word to a shell or to another program; the value of a short option may stand right behind its letter. */
const tokensOf = (text: string): readonly string[] =>
  text.split(/[\s"'`;|&(){}<>=,:!$\\@[\]+*?#%^~]+/).flatMap((token) => (/^-[a-zA-Z]./.test(token) ? [token, token.slice(2)] : [token]));

const plainProgram = (word: string): string =>
  programName(word)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');

/** A text for people, which git and gh hand to nobody. */
const isMessage = (words: SimpleCommand['words'], at: number): boolean =>
  /^(?:git|gh|glab)$/.test(words[0] ?? '') &&
  /^(?:-[a-zA-Z]*m|--(?:message|title|body|subject|notes|description))$/.test(words[at - 1] ?? '');
