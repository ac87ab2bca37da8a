import { programName, type SimpleCommand } from '../../domain/permission.ts';

/** Options whose value is a file or a folder that the program writes, whichever program it is. */
const OUTPUT: ReadonlySet<string> = new Set(
  `-o -O -MF -MJ -d -t -w -D -out -of -output --out --output --outfile --out-file --outdir --out-dir --output-file --output-dir --output-path
  --output-document --dest --dest-dir --destination --target-directory --save --logfile --log-file --cov-report --coverprofile -coverprofile
  -cpuprofile -memprofile -trace --junitxml --emit --depfile --cookie-jar --dump-header --directory --directory-prefix --prefix --root of`
    .toLowerCase()
    .split(/\s+/),
);
const isOutput = (option: string): boolean => OUTPUT.has(option.toLowerCase()) || /^--(?:report|result|junit|dump)/.test(option);
/** The same, with the value right behind. */
const GLUED = /^-(?:o|O|MF)(?=[^=-])/;

/** Programs of which each word that is no option is written, or taken away. */
const WRITERS: ReadonlySet<string> = new Set(
  'cp mv ln touch truncate tee install rsync mkfifo chmod chown patch dos2unix unix2dos'.split(' '),
);
/** With such an option, words of these too. */
const IN_PLACE: Readonly<Record<string, RegExp>> = { sed: /^(?:-i|--in-place)/, perl: /^-\w*i/, sort: /^-o/, yq: /^-i/, ruby: /^-\w*i/ };

/** Words of a command by which it may write a file, each a path as far as it is one. */
export function wordsWritten({ words }: SimpleCommand, from = 0): readonly string[] {
  const program = programName(words[0] ?? '');
  const given = words.map((word) => word ?? '');
  const isWriter = WRITERS.has(program) || given.some((word) => Object.hasOwn(IN_PLACE, program) && IN_PLACE[program]?.test(word) === true);
  return given.flatMap((word, i) => {
    if (i < Math.max(1, from)) return [];
    const [option = '', value] = splitOnce(word);
    if (value !== undefined && isOutput(option)) return [value];
    if (GLUED.test(word)) return [word.replace(GLUED, '')];
    return isOutput(given[i - 1] ?? '') || (isWriter && !word.startsWith('-')) ? [word] : [];
  });
}

const splitOnce = (word: string): readonly string[] => {
  const at = word.indexOf('=');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
};
