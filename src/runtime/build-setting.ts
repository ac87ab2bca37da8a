import type { AskModel, AskPermission, Confirm, Emit, Model } from '../agent/ports.ts';
import type { CountTokens } from '../context/measure/count.ts';
import type { ConfigResolution } from '../domain/config/config-layers.ts';
import type { PermissionMode } from '../domain/permission.ts';
import { catalogEntry, DEFAULT_MODEL, factsFor, OFFLINE_MODEL, type ProviderFacts } from '../model/catalog.ts';
import { readPrompt } from '../store/prompts.ts';
import { promptFolder } from './conversation/conversation.ts';
import { openStore } from './open-store.ts';
import type { Setting } from './setting.ts';
import type { World } from './world.ts';

export type SettingWish = {
  readonly settings: ConfigResolution & { readonly home: string };
  readonly mode: PermissionMode;
  readonly allowed: readonly string[];
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  readonly show: Emit;
  /** One line for the user that belongs to no conversation. */
  readonly tell: (line: string) => void;
};

/** Builds the real things for conversations; the model's library is loaded only when there is a model to ask. */
export async function buildSetting(world: World, wish: SettingWish): Promise<Setting> {
  const { config, home } = wish.settings;
  const offline = config.model.provider === 'offline';
  const store = openStore(world, home, { maxSessionBytes: config.offload.maxSessionBytes, tell: wish.tell });
  const counter = lateCounter();
  store.sweep();
  store.snapshots.retain({ days: config.compaction.snapshotRetentionDays, maxBytes: config.compaction.snapshotMaxBytes, keep: new Set() });
  return {
    world,
    home,
    config,
    store,
    model: offline ? await offlineModel(world, wish, counter.count) : anthropicModel(world, wish),
    modelName: offline ? OFFLINE_MODEL : (config.model.name ?? DEFAULT_MODEL),
    offline,
    ...counter,
    prompt: (name) => readPrompt(promptFolder(world), name),
    mode: wish.mode,
    allowed: new Set(wish.allowed),
    askPermission: wish.askPermission,
    confirm: wish.confirm,
    show: wish.show,
  };
}

/** The tokenizer, loaded when somebody waits for it. */
function lateCounter(): { readonly count: CountTokens; readonly ready: () => Promise<void> } {
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

async function offlineModel(world: World, { settings: { config } }: SettingWish, countTokens: CountTokens): Promise<Model> {
  const { createOffline } = await import('../model/offline/offline.ts');
  const facts = factsFor(OFFLINE_MODEL, config.model, 'offline');
  return {
    ask: createOffline({ now: world.now, windowTokens: facts.windowTokens, countTokens }),
    facts: () => facts,
  };
}

const RETRY_COUNT = 4;
const IDLE_TIMEOUT_MS = 180_000;
const CAP_RETRY_AFTER_MS = 60_000;
const MAX_TOTAL_RETRY_MS = 240_000;

/** The provider's library is loaded for the first request. */
function anthropicModel(world: World, { settings: { config }, tell }: SettingWish): Model {
  const told = new Map<string, ProviderFacts | undefined>();
  const options = {
    env: world.env,
    config: config.model,
    sleep: world.sleep,
    random: world.random,
    retryCount: RETRY_COUNT,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    capRetryAfterMs: CAP_RETRY_AFTER_MS,
    maxTotalRetryMs: MAX_TOTAL_RETRY_MS,
    log: tell,
    providerFacts: (model: string) => told.get(model),
  };
  let ask: AskModel | undefined;
  return {
    ask: async (request, stream) => {
      ask ??= (await import('../model/anthropic/anthropic.ts')).createAnthropic(options);
      return ask(request, stream);
    },
    facts: (model) => factsFor(model, config.model, 'anthropic', told.get(model)),
    fetchFacts: async (model, signal) => {
      if (config.model.contextWindow !== null || catalogEntry(model) !== undefined || told.has(model)) return;
      told.set(model, undefined);
      told.set(model, await (await import('../model/anthropic/anthropic.ts')).fetchFacts(model, options, signal));
    },
  };
}
