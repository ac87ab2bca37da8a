import { programName, type SimpleCommand } from '../../domain/permission.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import { pathsRead } from './command-options.ts';
import { readingProgram } from './reading-programs.ts';

export const prefixWords = (prefix: string): readonly string[] => prefix.trim().split(/\s+/);

/**
 * True when "always allow what begins so" covers this command. What comes after the prefix is trusted only as far as it is known not to turn
 * the program into another one: a program of the reading table may only read, no option may name a file to write or a program to run, and
 * what a program is given to run is no mere argument.
 */
export function prefixCovers(prefix: readonly string[], { words }: SimpleCommand): boolean {
  if (isTooBroad(prefix) || words.some((word) => word === undefined)) return false;
  if (!prefix.every((word, i) => words[i] === word)) return false;
  const program = readingProgram(words[0]);
  if (program !== undefined)
    return (
      pathsRead(
        program,
        words.slice(1).filter((word) => word !== undefined),
      ) !== undefined
    );
  return !words.slice(prefix.length).some((word) => isRisky(prefix[0] ?? '', word ?? ''));
}

/** True for a prefix that would say nothing of what is run: `env`, `bash`, `git` alone. */
export function isTooBroad(prefix: readonly string[]): boolean {
  const [first, second] = prefix;
  if (first === undefined || first.startsWith('-')) return true;
  if (readingProgram(first) !== undefined) return false;
  const name = programName(first);
  if (RUNNERS.has(name) || SHELL_WORDS.has(name)) return true;
  if (PACKAGE_RUNNERS.has(name)) return isTooBroad(prefix.slice(1));
  if (isInterpreter(name)) return second === undefined || !isScript(prefix);
  if (!NEEDS_SUBCOMMAND.has(name)) return false;
  if (second === undefined || second.startsWith('-') || NEVER_PREFIXES.has(`${name} ${second}`)) return true;
  return RUN_WORDS.has(second) && !RUNS_SCRIPTS.has(`${name} ${second}`) && isTooBroad(prefix.slice(2));
}

/**
 * True when a rule that forbids or asks concerns this command. The program is known by its name wherever it lies, and also where another
 * program is told to run it.
 */
export function prefixTouches(prefix: readonly string[], { words }: SimpleCommand): boolean {
  const [program = '', ...rest] = prefix;
  const isNamed = (word = ''): boolean => programName(word).toLowerCase() === programName(program).toLowerCase();
  const starts = words.flatMap((word, i) => (isNamed(word) && (i === 0 || runsItsWords(words)) ? [i] : []));
  return starts.some((start) => rest.every((word, i) => words[start + 1 + i] === word));
}

/** True when words after the first may name a program that runs. */
const runsItsWords = ([first = '', ...rest]: SimpleCommand['words']): boolean =>
  [RUNNERS, SHELL_WORDS, PACKAGE_RUNNERS].some((set) => set.has(programName(first))) ||
  rest.some((word = '') => RUN_WORDS.has(word) || /^-{1,2}(?:exec|ok|x$|to-command)/i.test(word));

/** True when the program that runs is known only when it does: the command's own, or the one that it starts. */
export function hidesProgram({ words: [first, ...rest] }: SimpleCommand): boolean {
  if (first === undefined) return true;
  const isUnknownAfter = (word = '', at = 0): boolean =>
    /^-{1,2}(?:exec|ok)/.test(word) && at + 1 < rest.length && rest[at + 1] === undefined;
  if (rest.some(isUnknownAfter)) return true;
  if (!STARTERS.has(programName(first)) || /^-[pvV]*[vV]/.test(rest[0] ?? '')) return false;
  const started = rest.findIndex((word) => word === undefined || !/^[-+\d]|=/.test(word));
  return started >= 0 && rest[started] === undefined;
}

/** A prefix to offer for a command that was allowed once, longest first; none where no prefix would be of use. */
export function offeredPrefixes(command: SimpleCommand): readonly string[] {
  const words: string[] = [];
  for (const word of command.words.slice(0, MAX_OFFERED_WORDS)) {
    if (word === undefined || !/^[\w@%+=:.,/-]{1,60}$/.test(word) || (words.length > 0 && word.startsWith('-'))) break;
    words.push(word);
  }
  const [program = '', subcommand = ''] = words;
  // A program that only reads is better left to the proof, which also looks at what it reads.
  if (NOT_OFFERED.has(program) || readingProgram(program) !== undefined) return [];
  const least = NEEDS_MORE_WORDS.has(subcommand) ? 3 : 2;
  const lengths = [...new Set([words.length, 2])].filter((length) => length >= least && length <= words.length);
  return lengths
    .map((length) => words.slice(0, length))
    .filter((prefix) => prefixCovers(prefix, command))
    .map((prefix) => prefix.join(' '));
}

const MAX_OFFERED_WORDS = 3;

const setOf = (text: string): ReadonlySet<string> => new Set(text.match(/\S+/g));

/** Programs whose next arguments matter as much as the first: what they send, fetch, remove or change. */
const NOT_OFFERED = setOf('curl wget http https aria2c gh glab aws gcloud az kubectl rm rmdir mv cp ln chmod chown kill pkill killall');
/** Subcommands of which the same is true. */
const NEEDS_MORE_WORDS = setOf(
  'install i add ci publish push deploy apply delete remove uninstall run exec x dlx clone fetch pull reset clean',
);

/** Programs that run, or write to, what their words say. */
const RUNNERS = setOf(`
  env nice ionice timeout nohup setsid stdbuf time xargs parallel watch sudo doas su runuser chroot unshare nsenter flock script expect
  strace ltrace gdb lldb valgrind perf busybox toybox ssh sshpass scp sftp rsync nc ncat socat telnet screen tmux at batch crontab
  find fd fdfind awk gawk mawk nawk ed ex vi vim nvim view emacs nano less more most man info tee split csplit dd install
  systemd-run start-stop-daemon chrt taskset numactl prlimit setarch linux32 linux64 proot fakeroot firejail bwrap entr dbus-run-session
  xvfb-run cmd cmd.exe powershell pwsh osascript open xdg-open wsl rundll32`);

/** Those of them, and of the shell's own words, whose first word that is no option is the program they start. */
const STARTERS = setOf('command builtin exec env nice ionice nohup setsid stdbuf time timeout xargs sudo doas busybox toybox');

/** Programs that run the package they are told, as if it were the command. */
const PACKAGE_RUNNERS = setOf('npx bunx pnpx uvx pipx');
/** Subcommands after which the name of another program follows. */
const RUN_WORDS = setOf('run exec x dlx foreach');
/** Where it is a name from the project's own file. */
const RUNS_SCRIPTS: ReadonlySet<string> = new Set(['npm run', 'pnpm run', 'yarn run', 'cargo run']);
/** Subcommands that store or run what comes after them. */
const NEVER_PREFIXES: ReadonlySet<string> = new Set(
  `git submodule, git bisect, git config, git filter-branch, git difftool, git mergetool, npm config, npm set, npm pkg, pnpm config, yarn config,
  go env, go tool, deno eval, gh alias, gh extension, pip config, systemctl edit`.split(/,\s+/),
);

/** Words that the shell itself acts on: they run, change or evaluate what follows. */
const SHELL_WORDS = setOf(`
  . source eval exec command builtin trap alias unalias cd pushd popd set shopt export declare typeset local readonly read mapfile
  readarray unset let history fc enable hash bind complete compgen coproc getopts printf umask ulimit wait jobs fg bg kill exit return`);

const INTERPRETERS = `sh, bash, dash, zsh, ksh, mksh, pdksh, csh, tcsh, fish, python, pypy, node, nodejs, perl, ruby, php, lua, luajit, tclsh,
  wish, Rscript, R, julia, osascript, ld-linux, ld-musl, ld.so`;
const isInterpreter = lazyTest(() => String.raw`^${anyOf(INTERPRETERS)}[\w.-]*$`);

const NEEDS_SUBCOMMAND = setOf(`
  git hg svn jj npm pnpm yarn bun deno docker podman kubectl helm terraform tofu pulumi aws gcloud az gh glab cargo rustup go make gmake
  just task rake gradle gradlew mvn dotnet pip pip3 uv poetry pdm hatch conda apt apt-get dnf yum brew systemctl service composer
  bundle gem mix rebar3 nix vagrant ansible`);

/** A script by its path, or a module of Python: what runs then stands in the rule. */
const isScript = ([, second = '', third = '']: readonly string[]): boolean =>
  second === '-m' ? /^[\w.]+$/.test(third) : /^[^-].*[./]/.test(second) && !second.includes('=');

/** Words after a prefix that name a program, or a file to write. */
function isRisky(program: string, word: string): boolean {
  // Elsewhere than in the working folder.
  if (/^(?:[^=]*=)?\/|(?:^|[=/])\.\.(?:\/|$)/.test(word)) return true;
  if (!word.startsWith('-')) return word.startsWith('+') || /^(?:of|if)=/.test(word) || (/make$/.test(program) && word.includes('='));
  const name = word.replace(/=.*$/s, '').toLowerCase();
  if (/^-(?:[cxe]|[a-z]*o)/.test(name) || hasRiskyPart(name)) return true;
  // Many programs take the beginning of a long option for the whole.
  if (/^--./.test(name) && RISKY_NAMES.some((risky) => risky.startsWith(name.slice(2)))) return true;
  const letters = /^-([a-zA-Z]+)/.exec(word)?.[1] ?? '';
  return [...(MORE_RISKS[programName(program)] ?? '')].some((letter) => letters.includes(letter));
}

/** In the names of options that take a program to run, or a file to write or to load. */
const RISKY_PARTS = `exec, cmd, command, program, shell, script, eval, edit, pager, plugin, require, import, load, hook, output, outfile, out-,
  config, option, filter, textconv, ext-diff, tool, rsh, proxy, checkpoint, compress, prefix, rcfile, init, directory, open, wrapper, runner,
  browser, viewer, sender, profile, junit, xml, log-file, logfile, save, write, dump, basetemp, dest`;
const hasRiskyPart = lazyTest(() => `${anyOf(RISKY_PARTS)}|(?:pack|pre)$`);

const RISKY_NAMES: readonly string[] = `exec command program shell script eval edit pager plugin require import loader hook output outfile
  upload-pack receive-pack config node-options option pre preprocessor filter textconv ext-diff tool rsh proxy checkpoint-action
  to-command use-compress-program compress-program prefix rcfile init-file init directory open-files-in-pager wrapper runner browser viewer
  sender-program sendmail-cmd makefile file`.split(/\s+/);

/** Letters of short options that do the same. */
const MORE_RISKS: Readonly<Record<string, string>> = { make: 'fCIE', gmake: 'fCIE', zip: 'Tb', tar: 'IFCx', curl: 'KTDJ', wget: 'Pai' };
