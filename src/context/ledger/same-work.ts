/** Whether two commands run the same program for the same work: only then is the success of one a repair of the other. */

/** The program by its name alone, without a version, and what it is called with that is no option. */
type Work = { readonly program: string; readonly subjects: readonly string[]; readonly options: readonly string[] };

/** Of what is piped, bound by quotes or set before the program, nothing is looked at. */
export function workOf(command: string): Work {
  const words = command
    .replace(/^(?:(?:sudo|time|command|npx(?: -y)?|pnpm exec|bunx|[A-Z_]{1,40}=\S{1,100}) )+/, '')
    .replace(/"[^"]{0,400}"|'[^']{0,400}'/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const [first = '', ...rest] = words;
  return {
    program: first.replace(/^.*\//, '').replace(/[\d.]+$/, ''),
    subjects: rest.filter((word) => !word.startsWith('-')).map((word) => word.replace(/^\.\//, '')),
    options: rest.filter((word) => word.startsWith('-') && word !== '--'),
  };
}

export const isSameProgram = (one: string, other: string): boolean => workOf(one).program === workOf(other).program;

/** True when the other command is a spelling of the one that failed: all its subjects, and more of them only behind a new option. */
export function isSameWork(failed: string, other: string): boolean {
  const [one, two] = [workOf(failed), workOf(other)];
  if (one.program !== two.program || one.program === '' || two.options.some((option) => ASKS_ONLY.has(option))) return false;
  if (one.subjects.length > two.subjects.length) return false;
  const hasNewOption = two.options.some((option) => !one.options.includes(option));
  if (one.subjects.length < two.subjects.length && (!hasNewOption || one.subjects.length === 0)) return false;
  return one.subjects.every((subject) => two.subjects.some((word) => isSpelledLike(subject, word)));
}

const ASKS_ONLY: ReadonlySet<string> = new Set(['--version', '--help', '-h', '-V', '-v', '--dry-run']);

/** The same word, or one with two letters in another order, one more or one less; another number is another thing. */
function isSpelledLike(word: string, other: string): boolean {
  if (word === other) return true;
  if (/\d/.test(word + other) || Math.min(word.length, other.length) < 4) return false;
  if (word.length === other.length) return sortedLetters(word) === sortedLetters(other);
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return long.length - short.length === 1 && [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short);
}

const sortedLetters = (word: string): string => [...word.slice(0, 100)].sort().join('');
