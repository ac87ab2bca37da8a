import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { Bilingual } from '../../domain/language.ts';
import {
  type NumberedRule,
  type PermissionOffer,
  programName,
  type RuleKind,
  ruleKinds,
  type SimpleCommand,
} from '../../domain/permission.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import { coversRest, isFile, isInside, isListed, isTarget, TAKES_NO_FILES } from './prefix/covers.ts';
import { tableOf } from './prefix/tables/tables.ts';
import { pathsRead, readingProgram } from './reading-programs.ts';

export const prefixWords = (prefix: string): readonly string[] => prefix.trim().split(/\s+/);

/**
 * True when "always allow what begins so" covers this command. What comes after the prefix is trusted only as far as it is known to be
 * harmless: a program of the reading table may only read in the working folder, of others the options of a table are covered and words that
 * name something in the folder.
 */
export function prefixCovers(prefix: readonly string[], { words }: SimpleCommand, cwd?: string): boolean {
  const known = words.filter((word) => word !== undefined).map((word, i) => (i < prefix.length ? word : fromFolder(word, cwd)));
  if (isTooBroad(prefix) || known.length < words.length) return false;
  if (!prefix.every((word, i) => words[i] === word)) return false;
  const program = readingProgram(words[0]);
  if (program === undefined) return prefix.length === words.length || coversBehind(known, prefix.length);
  const paths = pathsRead(program, known.slice(1));
  return paths?.every((path) => isInside(path) || prefix.includes(path)) === true;
}

/** A path to what is in the folder, as it is seen from there. */
const fromFolder = (word: string, cwd: string | undefined): string =>
  cwd !== undefined && cwd !== '/' && word.startsWith(`${cwd}/`) ? `./${word.slice(cwd.length + 1)}` : word;

function coversBehind(words: readonly string[], from: number): boolean {
  const start = programPlace(words);
  const name = programName(words[start] ?? '');
  const line = tableOf(name);
  if (start >= from) return false;
  if (line !== undefined) return coversRest(line, { words: words.slice(start + 1), from: from - start - 1 });
  // What a program does with a word is known only of a script that the person named: of others the word may be what they run, or where.
  const behind = words.slice(from);
  if (words[from - 1] === '--' || NEEDS_SUBCOMMAND.has(name) || TAKES_NO_FILES.has(name)) return false;
  const isScript = (start === 0 ? /\// : /[./]/).test(words[start] ?? '');
  if (isScript) return !OTHER_ACTS.has(words[from] ?? '') && behind.every(isTarget);
  return !words.slice(start + 1, from).some((word) => OTHER_ACTS.has(word)) && behind.every(isFile);
}

/** Where the program stands that words come down to: `npx tsc`, `uv run pytest`, `python -m pytest` and `python manage.py`. */
function programPlace(words: readonly string[], at = 0): number {
  const [name, second = ''] = [programName(words[at] ?? ''), words[at + 1]];
  if (PACKAGE_RUNNERS.has(name) && name !== 'pipx') return programPlace(words, at + 1);
  if (LAUNCHERS.has(name) && RUN_WORDS.has(second) && !RUNS_SCRIPTS.has(`${name} ${second}`)) return programPlace(words, at + 2);
  return isInterpreter(name) && words.length > at + 1 ? at + (second === '-m' ? 2 : 1) : at;
}

/** True for a prefix that would say nothing of what is run: `env`, `bash`, `git` alone. */
export function isTooBroad(prefix: readonly string[]): boolean {
  const [first, second] = prefix;
  if (first === undefined || first.startsWith('-') || ENDS_OPEN.has(prefix.at(-1) ?? '')) return true;
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

/**
 * Prefixes to offer for a command that was allowed once, longest first; none where no prefix would be of use. They are of plain words, and
 * of options only where the table does not know one of them.
 */
export function offeredPrefixes(command: SimpleCommand, cwd?: string): readonly string[] {
  const end = command.words.findIndex((word) => word === undefined || !/^[\w@%+=:.,/-]{1,60}$/.test(word));
  const words = command.words.slice(0, end < 0 ? undefined : end).filter((word) => word !== undefined);
  const [program = '', subcommand = ''] = words;
  // A program that only reads is better left to the proof, which also looks at what it reads.
  const read = readingProgram(program);
  if (NOT_OFFERED.has(program) || (read !== undefined && read.unproven !== true)) return [];
  if (read !== undefined) return prefixCovers([program], command, cwd) ? [program] : [];
  const least = NEEDS_MORE_WORDS.has(subcommand) ? 3 : 2;
  const option = words.findIndex((word, i) => i > 0 && word.startsWith('-'));
  const plain = Math.min(MAX_PLAIN_WORDS, option < 0 ? words.length : option);
  const covers = (length: number): boolean => {
    const prefix = words.slice(0, length);
    return (
      length >= least && length <= words.length && prefixCovers(prefix, command, cwd) && (!WITH_SUBCOMMAND.has(program) || leadsTo(prefix))
    );
  };
  const lengths = [...new Set([plain, 2])].filter((length) => length <= plain && covers(length));
  const longer = Array.from({ length: MAX_OFFERED_WORDS - plain }, (_, i) => plain + 1 + i).find(covers);
  return (lengths.length > 0 ? lengths : longer === undefined ? [] : [longer]).map((length) => words.slice(0, length).join(' '));
}

/** True when the words name a subcommand of a table, and not only a group of them. */
function leadsTo([program = '', ...words]: readonly string[]): boolean {
  const line = tableOf(program);
  return line !== undefined && isListed(line, words);
}

const MAX_PLAIN_WORDS = 3;
const MAX_OFFERED_WORDS = 6;

const setOf = (text: string): ReadonlySet<string> => new Set(text.match(/\S+/g));

/** Programs whose next arguments matter as much as the first: what they send, fetch, remove or change. */
const NOT_OFFERED = setOf('curl wget http https aria2c rm rmdir mv cp ln chmod chown kill pkill killall');
/** Those of which a subcommand of a table may be offered. */
const WITH_SUBCOMMAND = setOf('gh glab aws gcloud az kubectl');
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
/** Words for scripts of a project that do more than look or build. */
const OTHER_ACTS = setOf(`
  run exec x dlx foreach shell eval install add uninstall remove rm delete del destroy drop purge prune clear clean flush reset wipe erase kill
  stop disable set unset put write edit import login config push publish upload deploy apply send`);
/** Words behind which the program still has to come. */
const ENDS_OPEN = setOf('exec dlx -jar');
/** Programs that run, by such a word, another one in the project's environment. */
const LAUNCHERS = setOf('npm pnpm yarn bun uv poetry pdm hatch pipx bundle conda');
/** Where it is a name from the project's own file, or of no program. */
const RUNS_SCRIPTS: ReadonlySet<string> = new Set(['npm run', 'pnpm run', 'yarn run', 'bun run', 'cargo run', 'gh run']);
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
const isNamedAsInterpreter = lazyTest(() => String.raw`^${anyOf(INTERPRETERS)}[\w.-]*$`);

/** Names that only begin so are of other programs: phpunit, shellcheck. */
const isInterpreter = (name: string): boolean => isNamedAsInterpreter(name) && tableOf(name) === undefined;

const NEEDS_SUBCOMMAND = setOf(`
  git hg svn jj npm pnpm yarn bun deno docker podman kubectl helm terraform tofu pulumi aws gcloud az gh glab cargo rustup go make gmake
  just task rake gradle gradlew mvn dotnet pip pip3 uv poetry pdm hatch conda apt apt-get dnf yum brew systemctl service composer
  bundle gem mix rebar3 nix vagrant ansible`);

/** A script by its path, a module of Python, or the tests of the folder by node: what runs then stands in the rule. */
const isScript = ([program = '', second = '', third = '']: readonly string[]): boolean => {
  if (programName(program) === 'node' && second === '--test') return true;
  return second === '-m' ? /^[\w.]+$/.test(third) : /^[^-].*[./]/.test(second) && !second.includes('=');
};

/** Deny rules first, as they are judged. */
export const numberedRules = (settings: PermissionSettings): readonly NumberedRule[] =>
  [...ruleKinds]
    .reverse()
    .flatMap((kind) => settings[kind].map((rule) => ({ kind, rule })))
    .map((each, i) => ({ number: i + 1, ...each }));

/** The settings with one more rule, in the place of one that is the same but for what scripts and repository were then; as they are when it is there already. */
export function withRule(settings: PermissionSettings, kind: RuleKind, rule: PermissionRule): PermissionSettings {
  const rules = settings[kind];
  const at = rules.findIndex((each) => isSame(each, rule));
  if (at === -1) return { ...settings, [kind]: [...rules, rule] };
  const bounds = (each: PermissionRule | undefined): string => JSON.stringify([each?.scripts, each?.repository]);
  return bounds(rules[at]) === bounds(rule) ? settings : { ...settings, [kind]: rules.with(at, rule) };
}

export function withoutRule(settings: PermissionSettings, number: number): PermissionSettings | undefined {
  const found = numberedRules(settings)[number - 1];
  return found && { ...settings, [found.kind]: settings[found.kind].filter((rule) => rule !== found.rule) };
}

export const withOffer = (settings: PermissionSettings, offer: PermissionOffer): PermissionSettings =>
  offer.kind === 'rule' ? withRule(settings, 'allow', offer.rule) : { ...settings, readOnlyCommands: 'run' };

/** A rule from what a person types: for commands the text, with ` *` at its end a beginning; for other tools a path. */
export function ruleOf(tool: string, pattern: string): PermissionRule {
  if (pattern === '') return { tool };
  if (tool === 'fetch_url') return { tool, host: pattern };
  if (tool !== 'run_command') return { tool, path: pattern };
  return pattern.endsWith(' *') ? { tool, prefix: pattern.slice(0, -2).trim() } : { tool, command: pattern };
}

/** Why a rule would never allow anything; undefined when it may. */
export function uselessReason(kind: RuleKind, { tool, command, prefix, file, path, host }: PermissionRule): Bilingual | undefined {
  if (kind !== 'allow') return undefined;
  if (prefix !== undefined && isTooBroad(prefixWords(prefix)))
    return { en: `"${prefix}" alone says nothing of what would run`, zh: `仅凭“${prefix}”看不出会运行什么` };
  if (!BUILT_IN.has(tool) || [command, prefix, file, path, host].some((each) => each !== undefined)) return undefined;
  const what = needs[tool] ?? { en: 'path', zh: '路径' };
  return { en: `${tool} needs a ${what.en}`, zh: `${tool} 需要指定${what.zh}` };
}

const needs: Readonly<Record<string, Bilingual>> = { run_command: { en: 'command', zh: '命令' }, fetch_url: { en: 'host', zh: '主机' } };

const BUILT_IN: ReadonlySet<string> = new Set('* run_command read_file write_file edit_file list_files search fetch_url'.split(' '));

const isSame = (a: PermissionRule, b: PermissionRule): boolean => identity(a) === identity(b);
const identity = ({ scripts: _, repository: _repository, ...rule }: PermissionRule): string =>
  JSON.stringify(Object.fromEntries(Object.entries(rule).sort()));
