import type { PermissionRule } from './config/permission-rule.ts';
import type { Bilingual } from './language.ts';

/**
 * How much a tool call may do without asking. `plan` lets pass what only reads, as `ask` would, until the person accepts a plan; `bypass`
 * never asks.
 */
export const permissionModes = ['ask', 'accept-edits', 'plan', 'read-only', 'bypass'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** What each does, as lists to choose from say it. */
export const modeTexts: Readonly<Record<PermissionMode, Bilingual>> = {
  ask: { en: 'ask before changes and commands', zh: '更改和命令前先询问' },
  'accept-edits': { en: 'edits in this folder without asking', zh: '此文件夹内的编辑不询问' },
  plan: { en: 'only look, until a plan has your yes', zh: '在你同意计划之前只读取' },
  'read-only': { en: 'change and run nothing', zh: '不更改也不运行' },
  bypass: { en: 'never ask: for a machine of its own', zh: '从不询问：用于专用的机器' },
};

export type Access = 'read' | 'write' | 'run';

/** Why a person is asked where the place alone would not ask; `eachTime` when no mode but bypass, no rule and no earlier yes covers it. */
export type Caution = { readonly why: Bilingual; readonly eachTime: boolean };

/** What a yes for the session covers of commands that stay in the sandbox. */
export const IN_SANDBOX = 'everything in the sandbox';

export type PermissionRequest = {
  readonly tool: string;
  /** The call of the model's that it is about; none for what a person attaches, or for what a call left. */
  readonly toolUseId?: string;
  /** The name of the helper whose call it is; the model's own without one. */
  readonly helper?: string;
  readonly access: Access;
  readonly title: string;
  readonly preview: string;
  readonly outside: boolean;
  /** It has run, and this that it left is not there any more: whether that is to come back. */
  readonly keeps?: Bilingual;
  readonly irreversible?: Bilingual;
  readonly caution?: Bilingual;
  /** True when a yes for once opens nothing, and only an offer does. */
  readonly byRuleAlone?: boolean;
  /** What "for the rest of this session" covers; without it, a yes is for this once. */
  readonly session?: 'exactly this' | 'this host' | 'all edits in the working folder' | typeof IN_SANDBOX;
  /** The first offer is what the person has said yes to again and again. */
  readonly isHabit?: boolean;
  readonly offers: readonly PermissionOffer[];
};

/** A yes that lasts: a rule, or the setting that lets commands run that only read. */
export type PermissionOffer = { readonly kind: 'rule'; readonly rule: PermissionRule } | { readonly kind: 'read_only_commands' };

/** `nobody`: there was no person to ask. An offer: yes, and from now on. */
export type PermissionAnswer = 'once' | 'session' | 'no' | 'nobody' | PermissionOffer | PermissionRefusal;

export type PermissionRefusal = { readonly kind: 'refusal'; readonly why: string };

/** A program with its words, wherever in a command line it stands. */
export type SimpleCommand = {
  /** What the program will get, quotes gone; undefined for a word that is known only when it runs. The first names the program. */
  readonly words: readonly (string | undefined)[];
  /** The paths that a word may stand for which the disk or the shell completes (`*.log`, `~/x`), by its place among the words. */
  readonly patterns?: ReadonlyMap<number, readonly ShellPattern[]>;
  /** Where it runs when not in the working folder: from there, as a pattern; null where that is not known. */
  readonly folder?: ShellPattern | null;
  /** A text that it reads from its input. */
  readonly input?: string;
  readonly redirected?: readonly ShellPattern[];
  /** Variables that are set for it, or, where it has no words, for what follows; without a value those that are known only when it runs. */
  readonly variables?: readonly { readonly name: string; readonly value: string | undefined }[];
  /** Another machine or a container runs it: its paths are none of this disk. */
  readonly isElsewhere?: true;
};

/** A path as a shell would complete it: `*`, `?` and `[…]` within a part, `~` in front; a backslash takes a character as it is. */
export type ShellPattern = string;

export const literalPattern = (path: string): ShellPattern => path.replace(/[\\*?[]|^~/g, '\\$&');

/** Stands for the digest of a file that is not there. */
export const NO_FILE = 'none';

/** What the files say that define the scripts of a command: a digest by the path from the working folder. */
export type ScriptDigests = Readonly<Record<string, string>>;

export type ParsedCommand = {
  /** All commands in it, in order: also those in substitutions, loops and functions, and those that `sh -c` or `eval` would run. */
  readonly commands: readonly SimpleCommand[];
  /**
   * True for nothing but commands of plain words, one after the other or piped, all understood: no substitution, variable or pattern, no
   * redirection but to /dev/null or another output, nothing in the background.
   */
  readonly isPlain: boolean;
  /** True for one that would be plain if the words were known that the disk completes. */
  readonly hasOnlyPatterns?: true;
  /** True when a part of it was not understood, so that `commands` may lack some. */
  readonly hasUnknown: boolean;
  /** Commands in scripts on the disk that it runs; known only where a rule may be about them. */
  readonly inFiles?: readonly SimpleCommand[];
  /** Files that redirections empty. */
  readonly emptied?: readonly EmptiedFile[];
  /** Files that redirections add to. */
  readonly extended?: readonly EmptiedFile[];
};

/** What a command reads that does nothing else where it can write nothing, has no network, and git starts no program of the folder. */
export type ViewedCommand = {
  /** As they are seen from the working folder; of git also words that may be revisions. */
  readonly paths: readonly string[];
  /** Those of the paths of which all is searched that lies below. */
  readonly searched: readonly string[];
  /** Where git in it begins to look for its repository. */
  readonly repositories: readonly string[];
  /** True where git shows what stands, or stood, in files that no word names. */
  readonly showsFiles: boolean;
  /** True where git may show a file by the name of its content, which says nothing of the file's. */
  readonly showsObjects: boolean;
  readonly folder: string | undefined;
};

/** The second path as it is seen from the first; null where that is not known. */
export function joinPatterns(folder: ShellPattern | null | undefined, path: ShellPattern): ShellPattern | null {
  if (/^[/~]/.test(path) || folder === undefined) return path;
  return folder === null ? null : `${folder}/${path}`;
}

export type EmptiedFile = { readonly pattern: ShellPattern } & Pick<SimpleCommand, 'folder'>;

export const programName = (word: string): string => word.slice(word.lastIndexOf('/') + 1);

export const ruleKinds = ['allow', 'ask', 'deny'] as const;
export type RuleKind = (typeof ruleKinds)[number];

export type NumberedRule = { readonly number: number; readonly kind: RuleKind; readonly rule: PermissionRule };

/** The tools of SanBot's own that --allow and rules may name. */
export const toolNames: readonly string[] = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search',
  'run_command',
  'read_output',
  'stop_command',
  'recall',
  'remember',
  'fetch_url',
  'todo',
  'ask_user',
  'skill',
  'task',
  'tool_search',
];

/** What a command is about to delete, to overwrite or to change elsewhere, as its words tell. */
export type Loss = {
  /** Whose words tell it; undefined for a redirection. */
  readonly command: SimpleCommand | undefined;
} & (LostPaths | LostCopies | LostToArchive | { readonly kind: 'remote'; readonly text: Bilingual });

type Placed = Pick<SimpleCommand, 'folder'>;

export type LostPaths = Placed & {
  readonly kind: 'paths';
  readonly patterns: readonly ShellPattern[];
  /** A link is deleted itself; what is overwritten is the file that it leads to. */
  readonly act: 'delete' | 'overwrite';
  /** Of folders, only files with one of these names; all that is below them without it. */
  readonly names?: readonly ShellPattern[];
  /** Of folders, only files that git does not track (and does not ignore), or only those that it tracks. Without patterns: of the repository. */
  readonly only?: 'untracked' | 'unignored' | 'tracked';
};

export type LostCopies = Placed & {
  readonly kind: 'copies';
  readonly sources: readonly ShellPattern[];
  readonly destination: ShellPattern;
  /** The destination is the file or folder itself, whatever stands there. */
  readonly isWhole?: true;
  /** Links are made: where they lead need not be there, and what stands in the place of one goes itself. */
  readonly links?: true;
  /** As rsync does it: a slash at the end of a source stands for what it contains. */
  readonly syncs?: 'adds' | 'adds and deletes';
};

/** Files that what an archive contains comes in the place of. */
export type LostToArchive = Placed & {
  readonly kind: 'archive';
  readonly archive: ShellPattern;
  readonly destination: ShellPattern;
  /** What of it: names, folders, and patterns of names; all where there are none. */
  readonly members: readonly string[];
  /** So many folders at the beginning of each name are left out. */
  readonly strip: number;
};

/** What cannot be brought back when a call has run. */
export type Irreversible = {
  readonly text: Bilingual;
  /** The commands of the call that do it; undefined for a redirection. */
  readonly commands: readonly (SimpleCommand | undefined)[];
};
