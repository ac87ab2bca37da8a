import { joinPatterns, type ParsedCommand, programName, type ShellPattern, type SimpleCommand } from '../../domain/permission.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { provenPaths } from './reading-programs.ts';

/**
 * True when a command line names a path that this pattern of a rule may cover, or a folder that holds nothing else: as a word, within one, by a
 * pattern of the shell, or in a redirection. What a program reads without naming it is not known here. Both patterns are absolute.
 */
export function namesPath(rule: string, parsed: ParsedCommand, { cwd, form }: Pick<Place, 'cwd' | 'form'>): boolean {
  const covered = rule.split('/');
  const files = [...(parsed.emptied ?? []), ...(parsed.extended ?? [])];
  return (
    parsed.commands.some((command) => wordsOf(command).some((word) => isCovered(covered, word, { folder: command.folder, cwd, form }))) ||
    files.some(({ pattern, folder }) => isCovered(covered, pattern, { folder, cwd, form }))
  );
}

/** What of a command may be a path. What echo prints is none, nor is a text with blanks, but for what has a slash in it. */
function wordsOf({ words, patterns, input = '', isElsewhere, redirected = [] }: SimpleCommand): readonly ShellPattern[] {
  if (isElsewhere === true) return redirected;
  const [first = '', ...rest] = words;
  const texts = /^(?:echo|printf)$/.test(first) ? [] : [...rest, input];
  const paths = texts.flatMap((text = '') =>
    /\s/.test(text) ? partsOf(text).filter((part) => /[./]/.test(part)) : [text, ...partsOf(text)],
  );
  const literal = paths.filter((word) => word !== '' && !word.includes('\0')).map((word) => word.replace(/[\\*?[]/g, '\\$&'));
  return [...literal, ...[...(patterns?.values() ?? [])].flat(), ...redirected];
}

/** Behind an equals sign, a colon or an @, between quotes, and right behind the letter of an option. */
const partsOf = (text: string): readonly string[] =>
  [text, ...text.split(/[\s"'`;|&(){}<>,=:@]+/)].flatMap((part) => (/^-[a-zA-Z]./.test(part) ? [part, part.slice(2)] : [part]));

type Place = {
  readonly folder: SimpleCommand['folder'];
  readonly cwd: string;
  /** How paths are spelled to be compared; the rule is spelled so already. */
  readonly form: (path: string) => string;
};

function isCovered(rule: readonly string[], word: ShellPattern, { folder, cwd, form }: Place): boolean {
  const from = form(joinPatterns(folder ?? undefined, word) ?? word);
  // Whose home it is is not known here, so it may be any folder above; `.` stands behind one of which the rule covers all.
  if (from.startsWith('~')) {
    const star = rule.findIndex((part) => part.includes('*'));
    const homes = rule.slice(0, star < 0 ? rule.length : star).map((_, at) => rule.slice(0, at));
    return homes.some((home) => meets(normal(rule), normal([...home, ...from.split('/').slice(1)])));
  }
  const absolute = from.startsWith('/') ? from : `${form(cwd).replace(/[\\*?[]/g, '\\$&')}/${from}`;
  return meets(rule, normal(absolute.split('/')));
}

function normal(parts: readonly string[]): readonly string[] {
  const out: string[] = [];
  for (const part of parts) {
    if (part === '..') out.pop();
    else if (part !== '.' && part !== '') out.push(part);
  }
  return ['', ...out];
}

/** True when some path is covered by both, part by part; `**` in the rule stands for any number of them. */
function meets([part, ...rest]: readonly string[], word: readonly string[]): boolean {
  if (part === undefined) return word.length === 0;
  if (part === '**') return word.some((_, at) => meets(rest, word.slice(at))) || meets(rest, []);
  const [named, ...further] = word;
  return named !== undefined && partsMeet(part, named) && meets(rest, further);
}

function partsMeet(rule: string, word: ShellPattern): boolean {
  const hasGlob = /(?<!\\)[*?[]/.test(word);
  const plain = word.replace(/\\(.)/g, '$1');
  if (!hasGlob) return matchesGlob(rule, plain);
  if (rule.includes('*')) return true;
  return matchesGlob(word.replace(/\[[^\]]*\]|\?/g, '*').replace(/\\(.)/g, '$1'), rule);
}

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
