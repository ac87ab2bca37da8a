import { joinPatterns, type ParsedCommand, type ShellPattern, type SimpleCommand } from '../../domain/permission.ts';
import { matchesGlob } from '../../domain/value/glob.ts';

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
