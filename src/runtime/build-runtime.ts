import type { Confirm, Emit } from '../agent/ports/effects.ts';
import type { AskPermission, AskPerson } from '../agent/ports/tools.ts';
import type { CountTokens } from '../context/measure/count.ts';
import type { Warn } from '../domain/language.ts';
import type { PermissionMode } from '../domain/permission.ts';
import { readPrompt } from '../store/prompts.ts';
import { promptFolder } from './conversation/conversation.ts';
import { openMcp } from './conversation/mcp.ts';
import { canTrustFolder, createModes, openPermissions } from './conversation/permissions.ts';
import { openEmbeddings } from './conversation/recall/embeddings.ts';
import type { Environment } from './environment.ts';
import { withCostLimit } from './models/cost-limit.ts';
import { createModels } from './models/models.ts';
import { openStore } from './open-store.ts';
import { findCommands } from './prompt/find-commands.ts';
import { findSkills } from './prompt/find-skills.ts';
import type { Runtime } from './runtime.ts';
import { lazySandbox } from './sandbox.ts';
import type { Settings } from './settings.ts';
import { loadTokenCounter } from './token-counter.ts';

export type RuntimeOptions = {
  readonly settings: Settings;
  /** Where a person could have been asked, or nothing will be: then instruction files are read in a trusted folder only. */
  readonly onlyTrustedInstructions?: boolean;
  readonly mode: PermissionMode;
  /** A person is at the terminal for the whole conversation. */
  readonly interactive?: boolean;
  readonly allowed: readonly string[];
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  /** Left out where nobody can answer. */
  readonly askPerson?: AskPerson;
  /** Dollars that all requests of this process together may cost. */
  readonly maxCostUsd?: number | undefined;
  /** How long one turn may take. */
  readonly maxTurnSeconds?: number | undefined;
  readonly show: Emit;
  /** One line for the user that belongs to no conversation. */
  readonly warn: Warn;
};

/** Builds the real things for conversations; the model's library is loaded only when there is a model to ask. */
export async function buildRuntime(environment: Environment, options: RuntimeOptions): Promise<Runtime> {
  const { config, home } = options.settings;
  const modes = createModes(options.mode, environment);
  const store = openStore(environment, home, { maxSessionBytes: config.offload.maxSessionBytes, warn: options.warn });
  const count = lazyCounter(environment);
  const { model, modelName, routes, declareWindowFor, known } = createModels(environment, {
    settings: options.settings,
    countTokens: count,
    warn: options.warn,
  });
  const isOffline = (name: string): boolean => routes.routeOf(name).provider === 'offline';
  const sandbox = lazySandbox(environment, { home, mode: config.commands.sandbox, show: options.show });
  if (config.commands.sandbox === 'on') await sandbox();
  const commands = await findCommands(environment, { home, trustsProject: trustsCommands(options.settings.trust) });
  const skills = await findSkills(environment, { home, trustsProject: options.settings.trust.state !== 'untrusted' });
  store.sweep();
  store.snapshots.retain({ days: config.compaction.snapshotRetentionDays, maxBytes: config.compaction.snapshotMaxBytes, keep: new Set() });
  return {
    environment,
    home,
    config,
    store,
    model: options.maxCostUsd === undefined ? model : withCostLimit(model, options.maxCostUsd),
    modelName,
    models: {
      fullName: routes.fullName,
      isOffline,
      keepEndpoint: ({ model: name, endpoint }) => {
        // Who works offline by a setting of their own sends nothing anywhere.
        const isSetOffline = config.model.provider === 'offline' && options.settings.origins['model.provider'] !== 'default';
        return !isSetOffline && routes.keep(name, endpoint ?? 'anthropic');
      },
      resumeWith: declareWindowFor,
      known,
    },
    offline: isOffline(modelName),
    costLimited: options.maxCostUsd !== undefined,
    maxTurnSeconds: options.maxTurnSeconds,
    count,
    prompt: (name) => readPrompt(promptFolder(environment), name),
    modes,
    interactive: options.interactive === true,
    sandbox,
    readsInstructions: options.settings.trust.state !== 'untrusted' || options.onlyTrustedInstructions !== true,
    skills,
    commands,
    embeddings: openEmbeddings(environment, options.settings),
    allowed: new Set(options.allowed),
    permissions: openPermissions(environment, { home, settings: config.permissions, warn: options.warn }),
    trustsFolder: canTrustFolder(environment),
    mcp: openMcp(environment, options.settings, options.show),
    askPermission: options.askPermission,
    confirm: options.confirm,
    askPerson: options.askPerson ?? (async () => ({ kind: 'nobody' })),
    show: options.show,
  };
}

const trustsCommands = ({ state, changed }: Settings['trust']): boolean => state !== 'untrusted' && !changed.includes('commands');

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
