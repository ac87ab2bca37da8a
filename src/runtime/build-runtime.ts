import type { Confirm, Emit } from '../agent/ports/effects.ts';
import type { AskModel, Model } from '../agent/ports/model.ts';
import type { AskPermission } from '../agent/ports/tools.ts';
import type { CountTokens } from '../context/measure/count.ts';
import type { PermissionMode } from '../domain/permission.ts';
import { catalogEntry, DEFAULT_MODEL, factsFor, type Known, OFFLINE_MODEL, type ProviderFacts } from '../model/catalog.ts';
import { readPrompt } from '../store/prompts.ts';
import { promptFolder } from './conversation/conversation.ts';
import { canTrustFolder, checkMode, openPermissions } from './conversation/permissions.ts';
import { withCostLimit } from './cost-limit.ts';
import type { Environment, ProcessState, TimeAndChance } from './environment.ts';
import { openStore } from './open-store.ts';
import { findSkills } from './prompt/find-skills.ts';
import type { Runtime } from './runtime.ts';
import { lazySandbox } from './sandbox.ts';
import type { Settings } from './settings.ts';

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
  /** Dollars that all requests of this process together may cost. */
  readonly maxCostUsd?: number | undefined;
  readonly show: Emit;
  /** One line for the user that belongs to no conversation. */
  readonly warn: (line: string) => void;
};

/** Builds the real things for conversations; the model's library is loaded only when there is a model to ask. */
export async function buildRuntime(environment: Environment, options: RuntimeOptions): Promise<Runtime> {
  const { config, home } = options.settings;
  checkMode(options.mode, environment);
  const offline = config.model.provider === 'offline';
  const store = openStore(environment, home, { maxSessionBytes: config.offload.maxSessionBytes, warn: options.warn });
  const counter = lazyCounter();
  const modelName = offline ? OFFLINE_MODEL : (config.model.name ?? DEFAULT_MODEL);
  const declared = { model: options.settings.windowModel ?? modelName };
  const model = offline ? await offlineModel(environment, options, counter.count) : anthropicModel(environment, options, declared);
  const sandbox = lazySandbox(environment, { home, mode: config.commands.sandbox, show: options.show });
  if (config.commands.sandbox === 'on') await sandbox();
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
    resumeWith: (name) => {
      if (options.settings.origins['model.contextWindow'] === '--context-window') declared.model = name;
    },
    offline,
    costLimited: options.maxCostUsd !== undefined,
    ...counter,
    prompt: (name) => readPrompt(promptFolder(environment), name),
    mode: options.mode,
    interactive: options.interactive === true,
    sandbox,
    readsInstructions: options.settings.trust.state !== 'untrusted' || options.onlyTrustedInstructions !== true,
    skills,
    allowed: new Set(options.allowed),
    permissions: openPermissions(environment, { home, settings: config.permissions, warn: options.warn }),
    trustsFolder: canTrustFolder(environment),
    askPermission: options.askPermission,
    confirm: options.confirm,
    show: options.show,
  };
}

/** A runtime for what is done to sessions with nobody beside it: it reads, nobody is asked, and what is to be confirmed was told on the command line. */
export const buildUnattendedRuntime = (
  environment: Environment,
  options: Pick<RuntimeOptions, 'settings' | 'show' | 'warn'>,
): Promise<Runtime> =>
  buildRuntime(environment, {
    ...options,
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
  });

/** The tokenizer, loaded when somebody waits for it. */
function lazyCounter(): { readonly count: CountTokens; readonly ready: () => Promise<void> } {
  let loaded: CountTokens | undefined;
  return {
    count: (text) => {
      if (loaded === undefined) throw new Error('Something was counted before the tokenizer was loaded');
      return loaded(text);
    },
    ready: async () => {
      loaded ??= (await import('../context/measure/tokens.ts')).countTokens;
    },
  };
}

async function offlineModel({ now }: TimeAndChance, { settings: { config } }: RuntimeOptions, countTokens: CountTokens): Promise<Model> {
  const { createOffline } = await import('../model/offline/offline.ts');
  const facts = factsFor(OFFLINE_MODEL, config.model, 'offline');
  return {
    ask: createOffline({ now, windowTokens: facts.windowTokens, countTokens }),
    facts: () => facts,
  };
}

const RETRY_COUNT = 4;
const IDLE_TIMEOUT_MS = 180_000;
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_TOTAL_RETRY_MS = 240_000;

/** The provider's library is loaded for the first request. A configured window is said of the model `declared`. */
function anthropicModel(
  environment: ProcessState & TimeAndChance,
  { settings: { config }, warn }: RuntimeOptions,
  declared: { readonly model: string },
): Model {
  const providerFacts = new Map<string, ProviderFacts | undefined>();
  const known = (model: string): Known => ({ providerFacts: providerFacts.get(model), declaredFor: declared.model });
  const options = {
    env: environment.env,
    config: config.model,
    sleep: environment.sleep,
    random: environment.random,
    retryCount: RETRY_COUNT,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    capRetryAfterMs: MAX_RETRY_AFTER_MS,
    maxTotalRetryMs: MAX_TOTAL_RETRY_MS,
    log: warn,
    known,
  };
  let ask: AskModel | undefined;
  return {
    ask: async (request, stream) => {
      ask ??= (await import('../model/anthropic/anthropic.ts')).createAnthropic(options);
      return ask(request, stream);
    },
    facts: (model) => factsFor(model, config.model, 'anthropic', known(model)),
    fetchFacts: async (model, signal) => {
      const isDeclared = config.model.contextWindow !== null && model === declared.model;
      if (isDeclared || catalogEntry(model) !== undefined || providerFacts.has(model)) return;
      providerFacts.set(model, undefined);
      providerFacts.set(model, await (await import('../model/anthropic/anthropic.ts')).fetchFacts(model, options, signal));
    },
  };
}
