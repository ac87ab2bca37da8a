import { literalPattern, programName, type ShellPattern, type SimpleCommand } from '../../../domain/permission.ts';

/** A word of a command, by its place; undefined where only the shell knows it. */
export type Argument = { readonly word: string | undefined; readonly at: number };

/** A program with its arguments, whatever starts it. */
export type CalledProgram = { readonly name: string; readonly rest: readonly Argument[]; readonly command: SimpleCommand };

/** Programs that start the one that their words name: their options with a value, and how many words stand before the program. */
const STARTERS: ReadonlyMap<string, { readonly valued?: string; readonly skip?: number; readonly run?: string }> = new Map(
  Object.entries({
    sudo: { valued: '-u -g -h -p -C -T -r -t -D -R --user --group --host --prompt --chdir --chroot' },
    doas: { valued: '-u -C' },
    env: { valued: '-u -C -S --unset --chdir' },
    nice: { valued: '-n --adjustment' },
    ionice: { valued: '-c -n -p --class --classdata' },
    timeout: { valued: '-k -s --kill-after --signal', skip: 1 },
    stdbuf: { valued: '-i -o -e' },
    time: { valued: '-f -o' },
    xargs: { valued: '-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file' },
    ...Object.fromEntries(
      'nohup setsid command builtin exec busybox toybox npx bunx pnpx uvx caffeinate'.split(' ').map((name) => [name, {}]),
    ),
    pnpm: { run: 'dlx exec' },
    yarn: { run: 'dlx exec' },
    npm: { run: 'exec x' },
    bun: { run: 'x' },
    pipx: { run: 'run' },
    uv: { run: 'run' },
    poetry: { run: 'run' },
    bundle: { run: 'exec' },
    dotenv: {},
  }),
);

/** The program that a command comes down to; undefined where only the shell knows it. */
export function calledProgram(command: SimpleCommand): CalledProgram | undefined {
  let rest: readonly Argument[] = command.words.map((word, at) => ({ word, at }));
  for (let depth = 0; depth < MAX_STARTERS; depth++) {
    const [first, ...others] = rest;
    if (first?.word === undefined) return undefined;
    const name = programName(first.word);
    const starter = STARTERS.get(name);
    const started = starter && startedBy(starter, others);
    if (started === undefined) return { name, rest: others, command };
    rest = started;
  }
  return undefined;
}

const MAX_STARTERS = 8;

/** What a starter starts; undefined where it starts nothing. */
function startedBy(
  { valued = '', skip = 0, run }: { readonly valued?: string; readonly skip?: number; readonly run?: string },
  words: readonly Argument[],
): readonly Argument[] | undefined {
  const takes = new Set(valued.split(' '));
  let left = skip + (run === undefined ? 0 : 1);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]?.word ?? '';
    if (word === '--' || (word.startsWith('-') && word !== '-')) {
      if (takes.has(word)) i++;
      continue;
    }
    if (/^\w+=/.test(word)) continue;
    if (run !== undefined && left > 0 && !run.split(' ').includes(word)) return undefined;
    if (left-- > 0) continue;
    return words.slice(i);
  }
  return undefined;
}

export type SortedArguments = {
  /** Long ones whole, without what stands after an equals sign; short ones letter by letter: `-rf` is `-r` and `-f`. */
  readonly options: readonly string[];
  /** The values of options, by the option. */
  readonly values: ReadonlyMap<string, Argument>;
  readonly operands: readonly Argument[];
};

/** `valued` names the options that take the next word, parted by blanks. Words like `-name` are one option where `isLong` says so. */
export function sortArguments(rest: readonly Argument[], valued = '', isLong = false): SortedArguments {
  const takes = new Set(valued.split(' '));
  const options: string[] = [];
  const values = new Map<string, Argument>();
  const operands: Argument[] = [];
  for (let i = 0; i < rest.length; i++) {
    const argument = rest[i];
    const word = argument?.word;
    if (argument === undefined) break;
    if (word === '--') {
      operands.push(...rest.slice(i + 1));
      break;
    }
    if (word === undefined || word === '-' || !word.startsWith('-')) operands.push(argument);
    else if (isLong || word.startsWith('--')) {
      const at = word.indexOf('=');
      const name = at < 0 ? word : word.slice(0, at);
      options.push(name);
      const next = rest[i + 1];
      if (at >= 0) values.set(name, { word: word.slice(at + 1), at: argument.at });
      else if (takes.has(name) && next !== undefined) {
        values.set(name, next);
        i++;
      }
    } else i += sortLetters(argument, word, { next: rest[i + 1], takes, options, values });
  }
  return { options, values, operands };
}

type Letters = {
  readonly next: Argument | undefined;
  readonly takes: ReadonlySet<string>;
  readonly options: string[];
  readonly values: Map<string, Argument>;
};

/** Returns how many words after this one belong to it. */
function sortLetters({ at }: Argument, word: string, { next, takes, options, values }: Letters): number {
  for (let letter = 1; letter < word.length; letter++) {
    const name = `-${word.charAt(letter)}`;
    options.push(name);
    if (!takes.has(name)) continue;
    if (letter < word.length - 1) values.set(name, { word: word.slice(letter + 1), at });
    else if (next !== undefined) values.set(name, next);
    return letter < word.length - 1 || next === undefined ? 0 : 1;
  }
  return 0;
}

/** The paths that an argument may stand for; none where only the shell knows them. */
export const patternsFor = ({ word, at }: Argument, { words, patterns }: SimpleCommand): readonly ShellPattern[] =>
  word === undefined ? (words[at] === undefined ? (patterns?.get(at) ?? []) : []) : [literalPattern(word)];
