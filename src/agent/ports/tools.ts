import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { SandboxNeeds } from '../../domain/config/sandbox-mode.ts';
import type { FileDiff } from '../../domain/event.ts';
import type { HookEvent } from '../../domain/hook/hook.ts';
import type { HookResult } from '../../domain/hook/hook-answer.ts';
import type { Bilingual } from '../../domain/language.ts';
import type {
  Access,
  Caution,
  Irreversible,
  Loss,
  ParsedCommand,
  PermissionAnswer,
  PermissionMode,
  PermissionOffer,
  PermissionRequest,
  ScriptDigests,
} from '../../domain/permission.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';
import type { ChangedPaths, ContentBlock } from '../../domain/session/message.ts';

export type ToolOutcome = {
  readonly ok: boolean;
  /** The whole result, however long. */
  readonly content: string;
  /** What a person is shown of it: of a failure what went wrong, of an output the lines before it; its English is `content`, or begins it; empty where `note` says all. */
  readonly shown?: Bilingual;
  /** One short line for a person, not for the model: "42 lines", "exit 1". */
  readonly note: Bilingual;
  /** The text is an offloaded body read back, a page at most: it is never offloaded again. */
  readonly readBack?: boolean;
  /** Images and documents of the result, in the API's own blocks; `content` says what each is, for all that only takes text. */
  readonly media?: readonly ContentBlock[];
  /** What it changed in the file that it was called for. */
  readonly diff?: FileDiff;
  /** The task list as it is now, where it is that which was called for. */
  readonly todo?: readonly TodoItem[];
  /** The plan that the person has accepted by it. */
  readonly acceptedPlan?: string;
  /** The turn ends with it, and this is its answer. */
  readonly answer?: string;
  /** The absolute path of the file whose content this is. */
  readonly source?: string;
  /** What it did to files, as the record of changes found. */
  readonly changedPaths?: ChangedPaths;
  /** The command in the background that it began, and that still runs. */
  readonly job?: string;
  /** Which files it changed: for the model with their paths, and as one short line for a person. */
  readonly changed?: ChangedFiles;
};

export type ChangedFiles = { readonly text: string; readonly note: Bilingual };

export type ToolPlan =
  /** `shown`: the message for a person; its English is `message`. */
  | { readonly kind: 'invalid'; readonly message: string; readonly shown: Bilingual }
  | {
      readonly kind: 'ready';
      readonly access: Access;
      /** Absolute, links resolved: what a file tool touches. */
      readonly path: string | undefined;
      /** The same path as it was given, absolute; another one where links lead from it to `path`. */
      readonly given?: string;
      /** Other names of the same file by which rules of the person know it. */
      readonly aliases?: readonly string[];
      /** Whether `path` lies in the working folder, outside of it, in the temporary folder of the session, or is one of its offloaded bodies. */
      readonly place: 'inside' | 'outside' | 'own_body' | 'temporary' | 'none';
      /** The host of the web that is asked, with its port where that is not the usual one. */
      readonly host?: string;
      /** The query string of its address, with the question mark: it can carry what stands in a file. */
      readonly query?: string;
      /** True where nothing but an allow rule that names the host opens it: what runs without one is refused. */
      readonly byRuleAlone?: boolean;
      readonly caution?: Caution;
      readonly command?: CommandPlan;
      /** Rules that would cover calls like this one, for a person to choose; for what has neither a command nor a path. */
      readonly offers?: readonly PermissionRule[];
      /** The working folder, links resolved. */
      readonly cwd?: string;
      /** What it does is done on another machine, so that it changes no file here. */
      readonly isElsewhere?: boolean;
      /** One line for the screen: "read_file src/app.ts". */
      readonly title: string;
      /** What a person must see before allowing it: the diff, or the exact command. Empty for reads. */
      readonly preview: string;
      /** Does it. A failure is an outcome; rejects only with AbortedError. `onProgress` hears how far it is: a line for the screen. */
      readonly run: (signal: AbortSignal, onProgress?: (text: string) => void) => Promise<ToolOutcome>;
    };

export type CommandPlan = {
  /** Its bytes, as the shell gets them; the preview is only their picture. */
  readonly text: string;
  readonly parsed: ParsedCommand;
  /** What it asks for that the sandbox does not give; undefined where there is no sandbox, or for nothing. */
  readonly needs: SandboxNeeds | undefined;
  /** True when it will run in the sandbox, without the network. */
  readonly isHeld: boolean;
  /** The paths that it reads where it will run in a read-only view of the sandbox: it only reads there. */
  readonly viewed?: readonly string[];
  /** What the files say now that define what it runs; undefined for a command that runs nothing of that kind. */
  readonly scripts: ScriptDigests | undefined;
  /** Whether a file of this name, as the command has it, is run by something else later. */
  readonly runsLater?: (path: string) => boolean;
  /** Where these paths lead, when all are free to read and no bare program name is the project's; else undefined. Never rejects. */
  readonly freeToRead: (paths: readonly string[]) => Promise<readonly string[] | undefined>;
  /** What of these losses nobody could bring back, where it runs and as the disk is now; undefined where there is nothing. Never rejects. */
  readonly irreversible: (losses: readonly Loss[]) => Promise<Irreversible | undefined>;
};

/** What a model is told of it is a spec, which the session's header has before there are tools. */
export type Tool = {
  readonly name: string;
  /** Checks the input and says what would be done; changes nothing. When the signal aborts, it waits for nothing more. Never rejects. */
  readonly plan: (input: unknown, signal?: AbortSignal) => Promise<ToolPlan>;
  /** The tool of this name that is called through this one and stands in no list; undefined when the name is none of its own. */
  readonly find?: (name: string) => Tool | undefined;
};

/** What is asked of a helper: a conversation of its own, of which only the answer comes back. */
export type HelperTask = {
  readonly task: string;
  /** What it may use beyond tools that only look. */
  readonly tools: readonly string[];
  /** Fewer than the settings allow. */
  readonly maxSteps: number | undefined;
  /** One that has ended, to go on with. */
  readonly helper: string | undefined;
  /** The agent that does it: its own instructions, tools and model. */
  readonly agent: string | undefined;
};

export type Helpers = {
  /** Why a task cannot be given, in words for the model; undefined when it can. Changes nothing. */
  readonly problem: (task: HelperTask) => Bilingual | undefined;
  /**
   * Gives it, waits while too many are at work, and resolves with the answer, or with what became of it instead. Each of its calls needs
   * the permission that the same call of the session would. Rejects with AbortedError when the signal aborts.
   */
  readonly run: (task: HelperTask, signal: AbortSignal) => Promise<ToolOutcome>;
};

/** Asks the person. Resolves 'nobody' when nobody can be asked; rejects with AbortedError when the signal aborts. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;

/** A question of the model's, with the answers that it thinks of. */
export type PersonQuestion = { readonly question: string; readonly choices: readonly string[] };
export type PersonAnswer =
  | { readonly kind: 'chosen' | 'typed'; readonly text: string }
  /** `dismissed`: the person went past it. `nobody`: there is nobody to ask. */
  | { readonly kind: 'dismissed' | 'nobody' };

/** Puts a question to the person. Rejects with AbortedError when the signal aborts. */
export type AskPerson = (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer>;

/** What a person is asked about a plan. */
export type PlanQuestion = {
  readonly plan: string;
  /** In which the work may go on. */
  readonly modes: readonly PermissionMode[];
  /** Why the plan cannot be accepted as the person has changed it; undefined when it can. */
  readonly problem: (plan: string) => Bilingual | undefined;
};
export type PlanAnswer =
  | { readonly kind: 'accepted' /** As the person left it. */; readonly plan: string; readonly mode: PermissionMode }
  | { readonly kind: 'refused'; readonly why?: string }
  | { readonly kind: 'nobody' };

/** Shows a plan and asks about it. Rejects with AbortedError when the signal aborts. */
export type AskPlan = (question: PlanQuestion, signal: AbortSignal) => Promise<PlanAnswer>;

/** Takes the plan of plan mode. */
export type Plans = {
  /** Why it cannot be handed in, in words for the model; undefined when it can. */
  readonly problem: (plan: string) => Promise<Bilingual | undefined>;
  readonly present: (plan: string, signal: AbortSignal) => Promise<ToolOutcome>;
};

/** The person's rules about what may run. */
export type Permissions = {
  readonly current: () => PermissionSettings;
  /** Writes a yes that lasts into the person's settings; `current` has it from then on. Throws SanbotError when it cannot be written. */
  readonly keep: (offer: PermissionOffer) => void;
};

/**
 * Runs the user's commands for one moment, in order, and says what they answered together. `payload` is what they are told of it: a tool
 * by its name and input of ours.
 * A command that fails or takes too long is told and answers nothing. Rejects only with AbortedError, when the signal aborts.
 */
export type RunHooks = (event: HookEvent, payload: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<HookResult>;
