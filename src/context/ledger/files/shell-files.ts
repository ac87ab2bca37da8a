const MAX_COMMAND_CHARS = 40_000;

/** The files that a shell command plainly writes. Leaves out names with variables or patterns, devices, and output redirected to /tmp. */
export function filesWrittenBy(command: string): readonly string[] {
  const text = command.slice(0, MAX_COMMAND_CHARS);
  const patchPaths = text.includes('*** Begin Patch') ? filesInPatch(text) : [];
  const paths = segmentsOf(text).flatMap(({ words, targets }) => [
    ...targets.filter((path) => !path.startsWith('/tmp/')),
    ...filesWrittenByProgram(words),
  ]);
  return [...new Set([...patchPaths, ...paths])].filter(isPlainName);
}

export function filesInPatch(patch: string): readonly string[] {
  return patch.split('\n').flatMap((line) => {
    const prefix = /^\*\*\* (?:Update|Add|Delete) File: |^\*\*\* Move to: /.exec(line)?.[0];
    return prefix === undefined ? [] : [line.slice(prefix.length).trim()];
  });
}

const isPlainName = (path: string): boolean =>
  path.length <= 500 && /^[^-&$`*?{}()|<>"'\\\s][^$`*?{}()|<>"'\\\n\0]*$/.test(path) && !/^\/dev\/|:\/\/|^\.\.?$/.test(path);

function filesWrittenByProgram(words: readonly string[]): readonly string[] {
  const argv = words.slice(words.findIndex((word) => word !== 'sudo' && !/^\w+=/.test(word)));
  const program = argv[0] === 'git' ? `git ${argv[1]}` : argv[0];
  const rest = argv.slice(program?.startsWith('git ') ? 2 : 1);
  const names = rest.filter((word) => !word.startsWith('-'));
  if (program === 'cp') return names.length === 2 ? names.slice(1) : [];
  if (program !== 'sed' && program !== 'perl') return WRITE_ALL_NAMES.has(program ?? '') ? names : [];
  const isInPlace = rest.some((word) => /^-(?:\w*i|-in-place)/.test(word));
  return isInPlace ? names.slice(1).filter((name) => /[./]/.test(name) && !/^s[/|#]/.test(name)) : [];
}

const WRITE_ALL_NAMES = new Set(['tee', 'touch', 'rm', 'mv', 'git mv', 'git rm']);

type Segment = { readonly words: string[]; readonly targets: string[] };

/** Splits at `;`, `&`, `|`, brackets and line ends outside quotes; skips the bodies of here-documents. */
function segmentsOf(command: string): readonly Segment[] {
  let segment: Segment = { words: [], targets: [] };
  const segments = [segment];
  const delimiters: string[] = [];
  let redirect: 'from' | 'to' | undefined;
  for (let i = 0; i < command.length; ) {
    const char = command.charAt(i);
    if (char === '>') {
      i += command.startsWith('>>', i) ? 2 : 1;
      redirect = command.charAt(i) === '&' ? undefined : 'to';
    } else if (command.startsWith('<<', i) && !command.startsWith('<<<', i)) {
      const word = wordAt(command, i + (command.startsWith('<<-', i) ? 3 : 2));
      delimiters.push(word.text);
      i = word.end;
    } else if ('\n;|&()'.includes(char)) {
      i = char === '\n' ? skipHereDocuments(command, i + 1, delimiters.splice(0)) : i + 1;
      segment = { words: [], targets: [] };
      segments.push(segment);
      redirect = undefined;
    } else if (' \t\r<'.includes(char)) {
      if (char === '<') redirect = 'from';
      i += 1;
    } else {
      const word = wordAt(command, i);
      const isStreamNumber = /^\d$/.test(word.text) && command.charAt(word.end) === '>';
      if (!isStreamNumber && redirect !== 'from') (redirect === 'to' ? segment.targets : segment.words).push(word.text);
      redirect = undefined;
      i = Math.max(word.end, i + 1);
    }
  }
  return segments;
}

/** Returns a shell word without its quotes, and where it ends; skips leading blanks. */
function wordAt(command: string, from: number): { readonly text: string; readonly end: number } {
  let at = from;
  while (command.charAt(at) === ' ') at += 1;
  let text = '';
  while (at < command.length && !/[\s;|&()<>]/.test(command.charAt(at))) {
    const char = command.charAt(at);
    if (char === "'" || char === '"') {
      const close = command.indexOf(char, at + 1);
      text += command.slice(at + 1, close === -1 ? command.length : close);
      at = close === -1 ? command.length : close + 1;
    } else if (char === '\\') {
      text += command.charAt(at + 1);
      at += 2;
    } else {
      text += char;
      at += 1;
    }
  }
  return { text, end: at };
}

function skipHereDocuments(command: string, from: number, delimiters: readonly string[]): number {
  let at = from;
  for (const delimiter of delimiters) {
    while (at < command.length) {
      const end = command.indexOf('\n', at);
      const line = command.slice(at, end === -1 ? command.length : end);
      at = end === -1 ? command.length : end + 1;
      if (line.trim() === delimiter) break;
    }
  }
  return at;
}

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

/** What may stand in a word: printable ASCII without blanks and without the marks that surround names. Chinese text around a name ends it. */
const PART = 1;
const SMALL = 2;
const CAPITAL = 4;
const DIGIT = 8;
/** Of the end of a word, belongs to the sentence. */
const END_MARK = 16;

const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  const bits: readonly (readonly [RegExp, number])[] = [
    [/[!#$%&+\-./0-9:=?@A-Z\\^_a-z~]/, PART],
    [/[a-z]/, SMALL],
    [/[A-Z]/, CAPITAL],
    [/[0-9]/, DIGIT],
    [/[.:!?=&\\-]/, END_MARK],
  ];
  kinds[code] = bits.reduce((sum, [pattern, bit]) => (pattern.test(char) ? sum + bit : sum), 0);
}

const GROUPED = /\d{1,3}(?:,\d{3}){1,4}\b/y;
const MAX_END_MARKS = 8;

function kindAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code < kinds.length ? (kinds[code] ?? 0) : 0;
}

/** `plainEnd` is where a word of letters alone ends, a capital at most in front and marks of its sentence behind; else -1. */
export function visitWords(text: string, visit: (start: number, end: number, plainEnd: number) => void): void {
  for (let start = 0; start < text.length; ) {
    const kind = kindAt(text, start);
    if ((kind & PART) === 0) {
      start += 1;
      continue;
    }
    let end = (kind & DIGIT) === 0 ? -1 : groupedEnd(text, start);
    let plainEnd = -1;
    if (end < 0) {
      end = start + ((kind & CAPITAL) === 0 ? 0 : 1);
      while ((kindAt(text, end) & SMALL) !== 0) end += 1;
      const lettersEnd = end;
      while ((kindAt(text, end) & END_MARK) !== 0) end += 1;
      const isPlain = (kindAt(text, end) & PART) === 0 && lettersEnd > start && end - lettersEnd <= MAX_END_MARKS;
      if (isPlain) plainEnd = lettersEnd;
      while ((kindAt(text, end) & PART) !== 0) end += 1;
    }
    visit(start, end, plainEnd);
    start = end;
  }
}

/** -1 where no comma stands behind the first digits, which is nearly always. */
function groupedEnd(text: string, start: number): number {
  if (!text.startsWith(',', start + 1) && !text.startsWith(',', start + 2) && !text.startsWith(',', start + 3)) return -1;
  GROUPED.lastIndex = start;
  return GROUPED.test(text) ? GROUPED.lastIndex : -1;
}
