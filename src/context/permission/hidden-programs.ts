import { type ParsedCommand, programName, type SimpleCommand } from '../../domain/permission.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import { hidesProgram } from './prefix-rule.ts';

/**
 * True when it cannot be told from a command line which programs it starts: one is known only when it runs, a part is not understood, a text
 * is code of another language, or a file is run that the same line writes. What scripts do that lie on the disk is no part of this.
 */
export const hidesPrograms = (parsed: ParsedCommand): boolean =>
  parsed.hasUnknown || parsed.commands.some((command) => hidesProgram(command) || runsUnreadText(command)) || runsWhatItWrites(parsed);

type Words = SimpleCommand['words'];

/** In a command line that another shell will read, a name can be spelled in other ways with these. */
export const isSpelled = (text: string | undefined): boolean => text === undefined || /[\\'"$`*?[{^%]/.test(text);

const setOf = (text: string): ReadonlySet<string> => new Set(text.match(/\S+/g));

function runsUnreadText({ words, variables = [] }: SimpleCommand): boolean {
  if (variables.some(({ name, value }) => RUN_VARIABLE(name) && isSpelled(value))) return true;
  if (words.some((word, at) => isSpelledOption(word, words[at + 1]) || isSpelledVariable(word))) return true;
  return words.some((word, at) => isRunFrom(words, at) && readsCode(programName(word ?? '').toLowerCase(), words.slice(at + 1)));
}

/** The first word, and what a runner or a container may be told to run. */
const isRunFrom = (words: Words, at: number): boolean =>
  at === 0 || /^[\w./-]+$/.test(words[at] ?? '') || words[at]?.toLowerCase().endsWith('.exe') === true;

/** Their values are command lines. */
const RUN_VARIABLE = lazyTest(() => `(?:COMMAND|EDITOR|PAGER|ASKPASS)$|^GIT_CONFIG|^${anyOf(RUN_NAMES)}$`);
const RUN_NAMES = 'GIT_SSH, GIT_EXTERNAL_DIFF, SHELL, BROWSER, VISUAL, LESSOPEN, LESSCLOSE';
const isSpelledVariable = (word = ''): boolean => {
  const [, name = '', value] = /^(\w+)=(.*)$/s.exec(word) ?? [];
  return RUN_VARIABLE(name) && isSpelled(value);
};

/** Options whose value is a command line, whatever program has them. */
const RUN_OPTION = lazyTest(() => String.raw`^(?:-(?:exec|eval|toolexec|vettool|wrapper)|--(?:${anyOf(RUN_OPTIONS)}|\w+-filter))(?:=|$)`);
const RUN_OPTIONS = `exec, cmd, command, call, run, to-command, checkpoint-action, compress-program, use-compress-program, info-script, pager, rsh,
  rsync-path, extcmd, upload-pack, receive-pack, eval, wrap, toolexec, preview, bind, pre, shell, script-shell, open-files-in-pager`;

function isSpelledOption(word = '', next?: string): boolean {
  if (!RUN_OPTION(word)) return false;
  const equals = word.indexOf('=');
  return equals < 0 ? next !== undefined && isSpelled(next) : isSpelled(word.slice(equals + 1));
}

/** True for a program whose words or input are code of its own, or a command line for a shell that may spell a name in another way. */
function readsCode(name: string, words: Words): boolean {
  const known = words.filter((word) => word !== undefined);
  const has = (test: RegExp): boolean => known.some((word) => test.test(word));
  if (ALWAYS_CODE.has(name)) return !(words.length === 1 && has(/^--?(?:version|help|l)$/));
  if (RUN_TEXT.has(name)) return words.some(isSpelled) || (SSH.has(name) && isLogin(words)) || has(/^[-/](?:e|ec|enc\w*)$/i);
  if (INTERPRETER(name)) return readsProgram(words);
  if (/^[gmn]?awk$/.test(name)) return words.includes(undefined) || has(/system|getline|@|(?<!\|)\|(?!\|)/);
  if (/^g?sed$/.test(name)) return sedScripts(words).some((script) => script === undefined || sedRuns(script));
  if (/^(?:n|g|r)?(?:vim?|view|vimdiff)$/.test(name)) return has(/^(?:\+|-[a-zA-Z]*[cSslE]|--cmd)/);
  if (/^(?:parallel|sem)$/.test(name)) return words.some(isSpelled) || !known.some((word) => !word.startsWith('-'));
  if (name === 'xargs') return xargsHides(words);
  if (/^(?:find|fd|fdfind)$/.test(name)) return known.some((word, at) => /^-{1,2}(?:exec|ok|x$|X$)/.test(word) && hasPlace(words[at + 1]));
  if (/^[bgn]?make$/.test(name)) return has(/^(?:--eval|SHELL=|-[a-zA-Z]*f-$|--(?:make)?file=-$|-|\/dev\/)$|^--eval=|^SHELL=/);
  if (name === 'git') return gitRuns(known);
  if (/^(?:psql|mysql|mariadb)$/.test(name))
    return has(/\\|\bsystem\b/i) || !has(/^-{1,2}[a-zA-Z-]*(?:c|e|f|command|execute|file|l|list)(?:=|$)/);
  if (name === 'sqlite3') return has(/^\s*\.|\n\s*\./) || known.filter((word) => !word.startsWith('-')).length < 2;
  if (name === 'less' || name === 'more') return has(/^\+/);
  if (TAKES_SHELL_VALUE.has(name))
    return known.some((word, at) => SHELL_VALUE.test(word) && at + 1 < words.length && isSpelled(words[at + 1])) || has(/^--filter=.*\W/s);
  return false;
}

const TAKES_SHELL_VALUE = setOf('tar zip rsync scp sftp man nc ncat socat split tcpdump flock npx npm nix-shell script su');
const SHELL_VALUE = /^(?:-[a-zA-Z]*[IFTPSzec]|--filter)$/;

/** What they are given is code, from wherever it comes. */
const ALWAYS_CODE = setOf(
  'ed ex m4 dc gnuplot expect at batch crontab emacs ftp lftp gdb lldb irb jshell wish tclsh osascript cscript wscript',
);

/** They hand their words to a shell, here or elsewhere. */
const RUN_TEXT = setOf(`ssh autossh mosh sshpass tmux screen hyperfine watchexec entr nodemon concurrently cmd cmd.exe powershell
  powershell.exe pwsh pwsh.exe wsl wsl.exe ansible fly flyctl heroku vagrant cross-env-shell sops xterm x-terminal-emulator gnome-terminal konsole`);

const SSH = setOf('ssh autossh mosh');
/** Without a command the other side reads its input. */
function isLogin(words: Words): boolean {
  if (words.some((word = '') => /^-[a-zA-Z]*[NVGQ]/.test(word))) return false;
  let operands = 0;
  for (let at = 0; at < words.length; at++) {
    if (!/^-/.test(words[at] ?? '')) operands += 1;
    else if (operands === 0 && /^-[a-zA-Z]*[BbcDEeFIiJLlmOopRSWw]$/.test(words[at] ?? '')) at += 1;
  }
  return operands < 2;
}

const INTERPRETER = lazyTest(() => String.raw`^${anyOf(INTERPRETERS)}[\d.]*$`);
const INTERPRETERS = `python, pypy, node, nodejs, perl, raku, ruby, php, lua, luajit, rscript, r, julia, groovy, elixir, iex, erl, ghc, ghci, guile,
  octave, racket, sbcl, clojure, clj, scala, swift, ipython, deno, bun, ts-node, tsx`;
const VALUED = /^-{1,2}(?:W|X|r|M|I|C|l|F|require|import|loader|experimental-loader)$/;

/** A program in an option, or from its input; what follows the name of a script is the script's. */
function readsProgram(words: Words): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined || word === '-' || word === 'eval' || /^\/(?:dev|proc)\//.test(word)) return true;
    if (/^-{1,2}(?:version|help|v|V|h)$/.test(word) || /^-m/.test(word)) return false;
    if (/^-{1,2}(?:eval|exec|print|run|command)(?:=|$)|^-[a-zA-Z0-9]*[eEcpRBnx]/.test(word)) return true;
    if (/^-r./.test(word) && at === words.length - 1) return true;
    if (VALUED.test(word)) at += 1;
    else if (!word.startsWith('-')) return false;
  }
  return true;
}

/** What is given by an option, or else the first word that is none; where a file has the script, it counts as one on the disk. */
function sedScripts(words: Words): Words {
  const scripts: (string | undefined)[] = [];
  for (let at = 0; at < words.length; at++) {
    const [, long, short] = /^(?:--expression(?:=(.*))?|-[nrszuE]*e(.*))$/s.exec(words[at] ?? '') ?? [];
    if (/^(?:--expression|-[nrszuE]*e)/.test(words[at] ?? '')) scripts.push(long || short || words[++at]);
    else if (/^(?:--file=|-[nrszuE]*f)(?:-|\/dev\/|\/proc\/)?$/.test(words[at] ?? ''))
      scripts.push(...(isDevice(words[at + 1]) ? [undefined] : ['']));
    else if (/^(?:--file=|-[nrszuE]*f)/.test(words[at] ?? '')) scripts.push(/[=f](?:-$|\/dev\/)/.test(words[at] ?? '') ? undefined : '');
  }
  return scripts.length > 0 ? scripts : [words.find((word) => word === undefined || (word !== '' && !word.startsWith('-')))];
}

const isDevice = (word = '-'): boolean => /^(?:-$|\/(?:dev|proc)\/)/.test(word);

const hasPlace = (word: string | undefined): boolean => word === undefined || word.includes('{}');

/** Words from its input become the program, or what a program that runs others is told. */
function xargsHides(words: Words): boolean {
  let at = 0;
  const places: string[] = ['{}'];
  for (; at < words.length && /^-/.test(words[at] ?? ''); at++) {
    const [, place] = /^-(?:I|-replace=)(.*)$/.exec(words[at] ?? '') ?? [];
    if (place !== undefined) places.push(place === '' ? (words[at + 1] ?? '') : place);
    if (/^-[adEILnPs]$/.test(words[at] ?? '')) at += 1;
  }
  const [program, ...rest] = words.slice(at);
  if (program === undefined) return at < words.length;
  if (places.some((place) => place !== '' && program.includes(place))) return true;
  const name = programName(program).toLowerCase();
  return STARTS.has(name) || SHELL.test(name) || (INTERPRETER(name) && (rest.length === 0 || readsProgram(rest)));
}

const STARTS =
  setOf(`env nice ionice nohup setsid stdbuf time timeout sudo doas busybox toybox command exec eval ssh su chroot unshare nsenter
  script watch flock xargs parallel npx bunx uvx`);
const SHELL = /^(?:r?ba|da|a|z|k|mk|c|tc|fi)?sh[\d.-]*$/;

/** Settings and options of git that name what it runs. */
const GIT_KEY = lazyTest(() => String.raw`^(?:alias\.|.*${anyOf(GIT_WORDS)})`, 'i');
const GIT_WORDS =
  'command, pager, editor, askpass, fsmonitor, hookspath, proxy, helper, textconv, driver, cmd, program, filter, pack, external, include, browser, tool';
function gitRuns(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^(?:-c|--config-env)$/.test(word));
  if (at >= 0 && GIT_KEY(words[at + 1] ?? '')) return true;
  if (words.some((word) => /^(?:-c.|--config-env=|--exec-path=)/.test(word))) return true;
  const config = words.indexOf('config');
  if (config >= 0 && words.length > config + 2 && words.slice(config + 1).some((word) => GIT_KEY(word))) return true;
  const isRunner = words.some((word) => /^(?:foreach|bisect|filter-branch|difftool|mergetool|rebase)$/.test(word));
  return words.some((word) => /^ext::/.test(word)) || (isRunner && words.some((word) => isSpelled(word)));
}

/** A file that the line writes, or makes of another, and then runs: its content or its name says nothing of what it is. */
function runsWhatItWrites({ commands, emptied = [], extended = [] }: ParsedCommand): boolean {
  const redirected = [...emptied, ...extended].map(({ pattern }) => pattern);
  return commands.some((command, at) => {
    const run = new Set(runFiles(command));
    const isRun = (path = ''): boolean => run.has(programName(path.replace(/^of=/, ''))) || /[*?[]/.test(programName(path));
    return run.size > 0 && (redirected.some(isRun) || commands.some((other, i) => i !== at && madeBy(other).some(isRun)));
  });
}

const madeBy = ({ words: [first = '', ...rest] }: SimpleCommand): Words => (WRITERS.has(programName(first)) ? rest : []);

const WRITERS = setOf('tee cp mv ln link install dd curl wget rsync scp sed gsed perl base64 xxd openssl gunzip sponge');

/** The names of files that a command runs: its own where it is a path, and a script for a shell, an interpreter or make. */
function runFiles({ words }: SimpleCommand): readonly string[] {
  const [first = '', ...rest] = words;
  const name = programName(first);
  const own = first.includes('/') ? [name] : [];
  const takes = SHELL.test(name) || INTERPRETER(name) || TAKES_FILE.has(name) || STARTS.has(name);
  const behind = rest.filter((_, at) => (takes ? !/^-/.test(rest[at] ?? '') : /^-[a-zA-Z]*f$/.test(rest[at - 1] ?? '')));
  return [...own, ...(takes || TAKES_BY_F.has(name) ? behind.map((word = '') => programName(word)) : [])];
}

const TAKES_FILE = setOf('. source at crontab tmux expect');
const TAKES_BY_F = setOf('make gmake awk gawk mawk nawk sed gsed at');

/**
 * True when sed runs something by this script, or when that cannot be told: the command `e`, a replacement with the flag `e`, and whatever is
 * not understood.
 */
export function sedRuns(script: string): boolean {
  let left = script;
  while (left !== '') {
    left = left.replace(/^[\s;{}!]+/, '');
    for (let address = addressOf(left); address > 0; address = addressOf(left)) left = left.slice(address).replace(/^[\s,!]+/, '');
    const command = left.charAt(0);
    if (command === '') return false;
    if (command === 's' || command === 'y') {
      const end = partEnd(left, 1, 2);
      const flags = /^[^;}\n]*/.exec(left.slice(end))?.[0] ?? '';
      if (end < 0 || (command === 's' && /^[^w]*[em]*e/.test(flags))) return true;
      left = left.slice(end + flags.length);
    } else if (TO_LINE_END.includes(command)) left = left.replace(/^(?:\\[\s\S]|[^\n\\])*/, '');
    else if (SHORT.includes(command)) left = left.slice(1).replace(/^ ?\d+/, '');
    else return true;
  }
  return false;
}

const TO_LINE_END = 'aicrRwWbtT:#v';
const SHORT = '=dDgGhHlLnNpPqQxzF';

/** The length of the address at the beginning: a line, the last one, or an expression. */
function addressOf(text: string): number {
  const line = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(text);
  if (line !== null) return line[0].length;
  if (!/^(?:\/|\\[^\n])/.test(text)) return 0;
  const end = partEnd(text, text.startsWith('/') ? 0 : 1, 1);
  return end < 0 ? 0 : end + (/^[IM]*/.exec(text.slice(end))?.[0].length ?? 0);
}

/** Where so many parts have ended that are closed by the character at the place; -1 where they do not end. */
function partEnd(text: string, at: number, parts: number): number {
  const close = text.charAt(at);
  let left = parts;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === close && --left === 0) return i + 1;
  }
  return -1;
}
