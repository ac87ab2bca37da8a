/**
 * The room where real things are put together: settings and the environment come in, and conversations that work come out. It is the only
 * room that knows the model, the store, the tools and the terminal at once; commands ask it and need not know how they fit.
 *
 * `environment.ts` holds all that differs between a run and a test, `settings.ts` the configuration in force, `conversation/` a session
 * with its agent, `prompt/` the system prompt that a session freezes.
 *
 * What is expensive is loaded when it is first needed: the provider's library, the database, the tokenizer. It prints nothing by itself,
 * and it decides nothing that the agent or the context could decide.
 */

import { warn } from '../agent/deps.ts';
import type { Confirm, Emit } from '../agent/ports/effects.ts';
import type { AskPermission, AskPerson, AskPlan, Tool } from '../agent/ports/tools.ts';
import type { CountTokens } from '../context/measure/count.ts';
import type { Warn } from '../domain/language.ts';
import type { PermissionMode } from '../domain/permission.ts';
import type { ToolSpec } from '../domain/session/context.ts';
import { readPrompt } from '../store/prompts.ts';
import type { Store } from '../store/store.ts';
import { createParser, type Parser } from '../tools/parse/parser.ts';
import { findAgents } from './agents/find-agents.ts';
import { openMcp } from './conversation/mcp.ts';
import { canTrustFolder, createModes, type FlagRules, openPermissions } from './conversation/permissions.ts';
import { type Embeddings, openEmbeddings } from './conversation/recall/embeddings.ts';
import type { Environment } from './environment.ts';
import { openFolders } from './folders.ts';
import { programFile, promptFolder } from './home.ts';
import { withCostLimit } from './models/cost-limit.ts';
import { createModels } from './models/models.ts';
import { openStore } from './open-store.ts';
import { findCommands, findSkills } from './prompt/find-skills.ts';
import { leftOutBy } from './prompt/project-context.ts';
import { lazySandbox } from './sandbox.ts';
import { isOfflineChosen, type Settings } from './settings.ts';
import { loadTokenCounter } from './token-counter.ts';

/** A tool that no room of this program has. */
export type OwnTool = { readonly spec: ToolSpec; readonly tool: Tool };

export type RuntimeOptions = {
  readonly settings: Settings;
  /** Where a person could have been asked, or nothing will be: then instruction files are read in a trusted folder only. */
  readonly onlyTrustedInstructions?: boolean;
  readonly mode: PermissionMode;
  /** Folders that are read and written like the working folder, as a person wrote them. */
  readonly addFolders?: readonly string[];
  /** The model that takes over where that of a session cannot answer now. */
  readonly fallbackModel?: string | undefined;
  /** What this run adds to the system prompt. */
  readonly appendSystem?: string | undefined;
  /** A person is at the terminal for the whole conversation. */
  readonly interactive?: boolean;
  readonly allowed: readonly string[];
  /** Rules of the command line, which hold for this run and are written nowhere. */
  readonly rules?: FlagRules;
  /** Tools of a program that this is part of, with what a model is told of them. */
  readonly ownTools?: readonly OwnTool[];
  /** What counts as no time of the work; questions count by themselves. */
  readonly idle?: IdleTime;
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  /** Left out where nobody can answer. */
  readonly askPerson?: AskPerson;
  /** Left out where a plan is the answer of its turn. */
  readonly askPlan?: AskPlan;
  /** Dollars that all requests of this process together may cost. */
  readonly maxCostUsd?: number | undefined;
  /** How long one turn may take. */
  readonly maxTurnSeconds?: number | undefined;
  /** Where events go beside the audit log. */
  readonly show: Emit;
  /** One line for the user that belongs to no conversation. */
  readonly warn: Warn;
};

/** What a conversation is made with; the same for all conversations of one process. */
export type Runtime = Readonly<Awaited<ReturnType<typeof buildRuntime>>> & {
  /** Fetches what is not here yet of a session. Left out where nothing is elsewhere; rejects with SanbotError. */
  readonly bringRest?: ((sessionId: string) => Promise<void>) | undefined;
};

/** Builds the real things for conversations; the model's library is loaded only when there is a model to ask. */
export async function buildRuntime(environment: Environment, options: RuntimeOptions) {
  const { settings, warn, show, maxCostUsd, idle = createIdleTime(environment.now) } = options;
  const { config, home, trust } = settings;
  const modes = createModes(options.mode, environment);
  const { all: folders, add: addFolder } = openFolders(environment, { settings, named: options.addFolders ?? [], warn });
  const store = openStore(environment, home, { maxSessionBytes: config.offload.maxSessionBytes, warn });
  const count = lazyCounter(environment);
  const models = createModels(environment, { settings, countTokens: count, warn });
  const { model, modelName, routes, isOffline, isMissing } = models;
  const sandbox = lazySandbox(environment, { home, mode: config.commands.sandbox, folders, show });
  if (config.commands.sandbox === 'on') await sandbox();
  const permissions = openPermissions(environment, { ...options, home, settings: config.permissions, folders });
  const place = { home, trustsProject: trust.state !== 'untrusted', isLeftOut: leftOutBy(permissions.current(), environment.cwd()) };
  const commands = await findCommands(environment, { home, trustsProject: place.trustsProject && !trust.changed.includes('commands') });
  const [skills, agents] = [await findSkills(environment, place), await findAgents(environment, place)];
  await store.recover();
  store.snapshots.retain({ days: config.compaction.snapshotRetentionDays, maxBytes: config.compaction.snapshotMaxBytes, keep: new Set() });
  return {
    ...{ environment, home, config, store, folders, addFolder },
    model: maxCostUsd === undefined ? model : withCostLimit(model, maxCostUsd),
    /** The one of a new session. */
    modelName,
    /** What a name of a model stands for with these settings. */
    models: {
      fullName: routes.fullName,
      ...{ isOffline, isMissing },
      /** Asks the model of a session at the endpoint that its records name from now on. False when that is not to be reached with these settings. */
      keepEndpoint: ({ model: name, endpoint }: { readonly model: string; readonly endpoint: string | undefined }): boolean => {
        // Who chose to work offline sends nothing anywhere.
        return !isOfflineChosen(settings) && routes.keep(name, endpoint ?? 'anthropic');
      },
      /** Says which model a conversation goes on with: a window that an option of the command line declares is meant for that one. */
      resumeWith: models.declareWindowFor,
      ...{ known: models.known, requireListed: models.requireListed },
    },
    /** The built-in model without a language model, which cannot summarise. */
    offline: isOffline(modelName),
    costLimited: maxCostUsd !== undefined,
    fallbackModel: options.fallbackModel && routes.fullName(options.fallbackModel),
    maxTurnSeconds: options.maxTurnSeconds,
    /** Loads the tokenizer's vocabulary when something is counted first. */
    count,
    prompt: (name: string): string => readPrompt(promptFolder(environment), name),
    ...{ modes, sandbox, interactive: options.interactive === true, appendSystem: options.appendSystem?.trim() ?? '' },
    /** Whether the instruction files of the working folder are read (see trust/trust.ts). */
    readsInstructions: trust.state !== 'untrusted' || options.onlyTrustedInstructions !== true,
    ...{ skills, commands, agents, parser: parserOf(environment) },
    embeddings: openEmbeddings(environment, settings),
    ...{ allowed: new Set(options.allowed), ownTools: options.ownTools ?? [] },
    /** Made by a key of the person's own: they need no permission to be sent along. */
    givenFiles: new Set<string>(),
    permissions,
    ...{ trustsFolder: canTrustFolder(environment), trustsProject: place.trustsProject },
    /** Whoever made the runtime closes them. */
    mcp: openMcp(environment, settings, show),
    ...{ idle, ...askedIn(idle, options) },
    show,
  };
}

const noAnswer = async () => ({ kind: 'nobody' }) as const;

/** The questions, each of them no time of the work. */
const askedIn = (
  { during }: IdleTime,
  { askPermission, confirm, askPerson = noAnswer, askPlan = noAnswer }: Pick<RuntimeOptions, Asking>,
): Required<Pick<RuntimeOptions, Asking>> => ({
  askPermission: (request, signal) => during(() => askPermission(request, signal)),
  confirm: (question, signal) => during(() => confirm(question, signal)),
  askPerson: (question, signal) => during(() => askPerson(question, signal)),
  askPlan: (question, signal) => during(() => askPlan(question, signal)),
});

type Asking = 'askPermission' | 'confirm' | 'askPerson' | 'askPlan';

/** A runtime for what is done to sessions with nobody beside it: it reads, nobody is asked, and what is to be confirmed was told on the command line. */
export const buildUnattendedRuntime = (
  environment: Environment,
  options: Pick<RuntimeOptions, 'settings' | 'warn'> & Partial<Pick<RuntimeOptions, 'show'>>,
): Promise<Runtime> =>
  buildRuntime(environment, {
    show: () => undefined,
    ...options,
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
  });

function lazyCounter(environment: Environment): CountTokens {
  let loaded: CountTokens | undefined;
  return (text) => {
    loaded ??= loadTokenCounter(environment);
    return loaded(text);
  };
}

/** One process for all conversations, where a text has to be parsed. */
const parserOf = (environment: Environment): Parser =>
  createParser({
    program: {
      node: environment.node,
      file: programFile('parser', environment),
      threadFile: programFile('parser-thread', environment),
    },
    deadline: environment.deadline,
  });

export type IdleTime = ReturnType<typeof createIdleTime>;

/** How long a person was waited for, or the program was suspended: no time of the work's. What overlaps counts once. */
export function createIdleTime(now: () => Date) {
  let waits = 0;
  let since = 0;
  let sumMs = 0;
  const open = (): number => (waits === 0 ? 0 : Math.max(0, now().getTime() - since));
  return {
    /** Until now. */
    ms: (): number => sumMs + open(),
    /** Settles as the work does, all of which is idle. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      if (waits === 0) since = now().getTime();
      waits += 1;
      try {
        return await work();
      } finally {
        if (waits === 1) sumMs += open();
        waits -= 1;
      }
    },
  };
}

/** What a look-up needs. */
export type RecallContext = {
  readonly environment: Environment;
  readonly home: string;
  readonly store: Store;
  /** Undefined: of any group, for the person whose home it is. */
  readonly group: string | undefined;
  readonly warn: Warn;
  readonly bringRest?: Runtime['bringRest'];
  /** Left out where texts are found by their words alone. */
  readonly embeddings?: Embeddings | undefined;
};

/** That of a conversation, which looks into its own group. */
export const recallContextOf = (
  { environment, home, store, show, embeddings, bringRest }: Runtime,
  group: string,
): RecallContext & { readonly group: string } => ({
  ...{ environment, home, store, group, embeddings, bringRest },
  warn: (message) => warn(show, message),
});
