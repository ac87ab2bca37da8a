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

import type { Confirm, Emit } from '../agent/ports/effects.ts';
import type { Model } from '../agent/ports/model.ts';
import type { AskPermission, AskPerson } from '../agent/ports/tools.ts';
import type { CountTokens } from '../context/measure/count.ts';
import type { Config } from '../domain/config/config.ts';
import type { Store } from '../store/store.ts';
import type { Mcp } from '../tools/mcp/mcp.ts';
import type { PermissionBook, PermissionModes } from './conversation/permissions.ts';
import type { Embeddings } from './conversation/recall/embeddings.ts';
import type { Environment } from './environment.ts';
import type { KnownModels } from './models/known-models.ts';
import type { FoundCommands } from './prompt/find-commands.ts';
import type { FoundSkills } from './prompt/find-skills.ts';
import type { FindSandbox } from './sandbox.ts';

/** What a name of a model stands for with these settings. */
export type ModelNames = {
  /** The name that a session keeps of a model, with that of its endpoint in front where it has one. */
  readonly fullName: (name: string) => string;
  /** Whether the built-in model without a language model would answer for a name. */
  readonly isOffline: (name: string) => boolean;
  /** Asks the model of a session at the endpoint that its records name from now on. False when that is not to be reached with these settings. */
  readonly keepEndpoint: (session: { readonly model: string; readonly endpoint: string | undefined }) => boolean;
  /** Says which model a conversation goes on with: a window that an option of the command line declares is meant for that one. */
  readonly resumeWith: (name: string) => void;
  /** What can be named here, endpoint by endpoint. Asks the endpoints for their lists, in bounded time. */
  readonly known: (signal: AbortSignal) => Promise<readonly KnownModels[]>;
};

/** What a conversation is made with; the same for all conversations of one process. */
export type Runtime = {
  readonly environment: Environment;
  readonly home: string;
  readonly config: Config;
  readonly store: Store;
  readonly model: Model;
  /** The one of a new session. */
  readonly modelName: string;
  readonly models: ModelNames;
  /** Whether it is the built-in model without a language model, which cannot summarise. */
  readonly offline: boolean;
  /** Whether requests may cost only so much (--max-cost): a model without a known price is then refused. */
  readonly costLimited: boolean;
  /** How long one turn may take; undefined for no bound. */
  readonly maxTurnSeconds: number | undefined;
  /** Loads the tokenizer's vocabulary when something is counted first. */
  readonly count: CountTokens;
  readonly prompt: (name: string) => string;
  readonly modes: PermissionModes;
  /** A person is at the terminal for the whole conversation. */
  readonly interactive: boolean;
  readonly sandbox: FindSandbox;
  /** Whether the instruction files of the working folder are read (see trust/trust.ts). */
  readonly readsInstructions: boolean;
  /** As they were when this was built. */
  readonly skills: FoundSkills;
  readonly commands: FoundCommands;
  /** Undefined where recall goes by words alone. */
  readonly embeddings: Embeddings | undefined;
  readonly allowed: ReadonlySet<string>;
  readonly permissions: PermissionBook;
  /** False where the working folder is the person's home or above it. */
  readonly trustsFolder: boolean;
  /** The MCP servers; whoever made the runtime closes them. */
  readonly mcp: Mcp;
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  readonly askPerson: AskPerson;
  /** Where events go beside the audit log. */
  readonly show: Emit;
};
