/**
 * What may run without asking, as pure decisions: rules of the person, and proofs that a command only reads.
 *
 * In come a call (its tool, its path, the bytes of its command and what a parser made of them) and the person's rules. Out comes whether a
 * rule forbids it, asks about it or allows it, and which lasting rules could be offered for it.
 *
 * What forbids is read widely: a program counts wherever in a command it stands. What allows is read narrowly: all of a command must be
 * understood and covered. `reading-programs.ts` has the table of programs and options that only read; `prefix-rule.ts` says what the
 * beginning of a command stands for. Modes, flags and grants of a session are the agent's, in `agent/turn/permission.ts`.
 */

import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { SandboxNeeds } from '../../domain/config/sandbox-mode.ts';
import { type ParsedCommand, programName, type ScriptDigests, type SimpleCommand } from '../../domain/permission.ts';
import { matchesGlob, matchesSequence } from '../../domain/value/glob.ts';
import { hidesPrograms } from './hidden-programs.ts';
import { mentions, namesPath } from './named-paths.ts';
import { prefixCovers, prefixTouches, prefixWords } from './prefix-rule.ts';
import { provenPaths, readPaths } from './reading-programs.ts';

/** What rules compare: the bytes of a command or the path of a file, never what is shown of them. */
export type RuledCall = {
  readonly tool: string;
  /** The working folder, links resolved. */
  readonly cwd: string | undefined;
  /** The real path first, then the one that was given if it is another; none where a call has no path. */
  readonly paths: readonly string[];
  readonly host?: string | undefined;
  readonly command:
    | {
        readonly text: string;
        readonly parsed: ParsedCommand;
        readonly needs?: SandboxNeeds | undefined;
        readonly scripts?: ScriptDigests | undefined;
        /** Whether a file that a command names runs later. */
        readonly runsLater?: ((path: string) => boolean) | undefined;
      }
    | undefined;
};

/** True when a deny or ask rule concerns this call: when any part of it is what the rule names. */
export function ruleTouches(rule: PermissionRule, call: RuledCall): boolean {
  const isAboutPaths = (rule.file ?? rule.path) !== undefined;
  const tools = isAboutPaths ? toolsLike(call) : [call.tool];
  if (!tools.some((tool) => isFor(rule, { ...call, tool }))) return false;
  const { command, prefix } = rule;
  if (command !== undefined) return call.command?.text.trim() === command.trim() || hasCommand(plainWords(rule), call);
  if (prefix !== undefined) return allCommands(call).some((each) => prefixTouches(prefixWords(prefix), each));
  if (rule.host !== undefined) return call.host !== undefined && hostMatches(rule.host, call.host);
  if (!hasPattern(rule)) return true;
  return call.paths.some((path) => pathMatches(rule, path, call, foldedPath)) || commandNames(rule, call);
}

const ruledPath = ({ file, path }: PermissionRule, cwd: string): string | undefined =>
  file ?? (path === undefined || path.startsWith('/') ? path : `${cwd}/${path.replace(/^\.\//, '')}`);

function commandNames(rule: PermissionRule, { command, cwd }: RuledCall): boolean {
  const path = cwd === undefined ? undefined : ruledPath(rule, cwd);
  return (
    path !== undefined &&
    command !== undefined &&
    cwd !== undefined &&
    namesPath(foldedPath(path), { ...command.parsed, commands: allCommands({ command }) }, { cwd, form: foldedPath })
  );
}

/** Which of the rules that forbid or ask cover one of these names of a file for a tool; a rule that forbids comes first. */
export function rulesAbout(
  { deny, ask }: Pick<PermissionSettings, 'deny' | 'ask'>,
  call: Pick<RuledCall, 'tool' | 'cwd' | 'paths'>,
): 'deny' | 'ask' | undefined {
  const covers = (rule: PermissionRule): boolean =>
    (rule.file ?? rule.path) !== undefined && ruleTouches(rule, { ...call, command: undefined });
  return deny.some(covers) ? 'deny' : ask.some(covers) ? 'ask' : undefined;
}

/** The words of the program that a rule names; undefined for a rule that names none, or says it in more than plain words. */
function plainWords({ command, prefix }: PermissionRule): readonly string[] | undefined {
  if (prefix !== undefined) return prefixWords(prefix);
  return command !== undefined && /^[\w\s@%+=:.,/-]+$/.test(command) ? prefixWords(command) : undefined;
}

/** True where a part of the call is exactly this command. */
const hasCommand = (words: readonly string[] | undefined, { command }: RuledCall): boolean =>
  words !== undefined && allCommands({ command }).some((each) => each.words.length === words.length && prefixTouches(words, each));

/** Those of scripts that it runs too. */
const allCommands = ({ command }: Pick<RuledCall, 'command'>): readonly SimpleCommand[] =>
  command === undefined ? [] : [...command.parsed.commands, ...(command.parsed.inFiles ?? [])];

/**
 * True when it cannot be told whether the call runs what one of the rules names: its words stand in a text that may be run, or the call
 * starts programs that cannot be told beforehand.
 */
export function mayRun(rules: readonly PermissionRule[], call: RuledCall): boolean {
  const named = rules.filter((rule) => isFor(rule, call) && (rule.command ?? rule.prefix) !== undefined);
  if (named.length === 0 || call.command === undefined) return false;
  const { parsed } = call.command;
  return hidesPrograms(parsed) || named.some((rule) => mentions(plainWords(rule) ?? [], parsed));
}

/** True when allow rules cover the whole call: a command byte for byte, or each part of one that is nothing but plain commands. */
export function rulesAllow(settings: Pick<PermissionSettings, 'allow' | 'readOnlyCommands'>, call: RuledCall): boolean {
  const rules = fittingRules(settings, call);
  const { host } = call;
  if (host !== undefined) return rules.some((rule) => rule.host !== undefined && hostMatches(rule.host, host));
  if (call.command === undefined) {
    const [path] = call.paths;
    return rules.some((rule) => (path === undefined ? !hasPattern(rule) : pathMatches(rule, path, call, asIs)));
  }
  const { text, parsed } = call.command;
  if (rules.some(({ command }) => command === text)) return true;
  const { commands, isPlain } = parsed;
  if (!isPlain || commands.length === 0) return false;
  const prefixes = rules.flatMap(({ prefix }) => (prefix === undefined ? [] : [prefixWords(prefix)]));
  const isCovered = (command: SimpleCommand): boolean =>
    prefixes.some((prefix) => prefixCovers(prefix, command, call.cwd) && !writesLater(command, prefix.length, call));
  // What comes through a pipe may be shortened and counted: npm test | tail -20.
  return commands.some(isCovered) && commands.every((command) => isCovered(command) || readPaths(command.words)?.length === 0);
}

/** True where a word behind the beginning that was allowed names a file that would be written and runs later by itself. */
const writesLater = (command: SimpleCommand, from: number, call: RuledCall): boolean =>
  wordsWritten(command, from).some((word) => call.command?.runsLater?.(word) === true);

/**
 * True when allow rules cover these commands of a call also where they cannot be undone: the call byte for byte, or each of them by how it
 * begins. Undefined stands for what is no command, as a redirection. Whether the rest of the call may run is not said.
 */
export function rulesAllowIrreversible(
  settings: Pick<PermissionSettings, 'allow'>,
  call: RuledCall,
  commands: readonly (SimpleCommand | undefined)[],
): boolean {
  const rules = fittingRules(settings, call).filter(({ irreversible }) => irreversible === true);
  if (rules.some(({ command }) => command !== undefined && command === call.command?.text)) return true;
  const prefixes = rules.flatMap(({ prefix }) => (prefix === undefined ? [] : [prefixWords(prefix)]));
  return commands.every((command) => command !== undefined && prefixes.some((prefix) => prefixCovers(prefix, command, call.cwd)));
}

/** The allow rules that are about a call like this, give what it needs, and rest on files that are as they were. */
const fittingRules = ({ allow }: Pick<PermissionSettings, 'allow'>, call: RuledCall): readonly PermissionRule[] =>
  allow.filter((rule) => isFor(rule, call) && gives(rule, call.command?.needs) && changedFiles(rule, call).length === 0);

/** The files that say something else than when a rule that would allow this call was written. */
export function changedScripts(settings: Pick<PermissionSettings, 'allow' | 'readOnlyCommands'>, call: RuledCall): readonly string[] {
  const files = [...new Set(settings.allow.flatMap((rule) => changedFiles(rule, call)))];
  const trusting = settings.allow.map(({ scripts: _, ...rule }) => rule);
  return files.length > 0 && rulesAllow({ ...settings, allow: trusting }, call) ? files : [];
}

const changedFiles = ({ scripts = {} }: PermissionRule, { command }: RuledCall): readonly string[] =>
  Object.keys(scripts).filter((file) => scripts[file] !== command?.scripts?.[file]);

/** A rule allows what runs in the sandbox; what goes beyond it must stand in the rule. */
const gives = (rule: PermissionRule, needs: SandboxNeeds | undefined): boolean =>
  needs === undefined || rule.needs === 'everything' || rule.needs === needs;

/** The tools that do with a file what this call does: a path that may not be read is not searched either, nor named in a command. */
function toolsLike({ tool, command }: RuledCall): readonly string[] {
  if (tool === 'search') return [tool, 'read_file'];
  if (tool === 'write_file' || tool === 'edit_file') return ['write_file', 'edit_file'];
  if (command === undefined) return [tool];
  return [tool, 'read_file', 'search', ...(provenPaths(command.parsed) === undefined ? ['write_file', 'edit_file'] : [])];
}

const isFor = ({ tool, folder }: PermissionRule, call: RuledCall): boolean =>
  matchesGlob(tool, call.tool) && (folder === undefined || folder === call.cwd);

/** A name without a port is that of all its ports; `*.example.com` is what is below it, and not itself. */
export function hostMatches(pattern: string, host: string): boolean {
  const [rule, called] = [pattern.toLowerCase().replace(/\.$/, ''), host.toLowerCase()];
  const name = /:\d+$/.test(rule) ? called : called.replace(/:\d{1,5}$/, '');
  return rule.startsWith('*.') ? name.endsWith(rule.slice(1)) && name.length > rule.length - 1 : rule === name || rule === called;
}

const hasPattern = ({ command, prefix, file, path, host }: PermissionRule): boolean =>
  [command, prefix, file, path, host].some((pattern) => pattern !== undefined);

function pathMatches({ file, path }: PermissionRule, called: string, { cwd }: RuledCall, form: (path: string) => string): boolean {
  if (file !== undefined) return form(file) === form(called);
  const pattern = path === undefined || cwd === undefined ? undefined : ruledPath({ tool: '*', path }, cwd);
  return pattern !== undefined && matchesPathRule(form(pattern), form(called));
}

const asIs = (path: string): string => path;
/** Also for a file system that tells no small letters from capitals. */
const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();

/** True when the path matches, part by part: `*` is anything in a part, `**` any number of parts. Both absolute, with slashes. */
const matchesPathRule = (pattern: string, path: string): boolean => matchesSequence(pattern.split('/'), path.split('/'), '**', matchesGlob);

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
