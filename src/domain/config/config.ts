/**
 * The settings: every key with its default, unit and bounds, and how files, the environment and flags are laid over each other.
 *
 * Texts and values come in, each with the place where it was set; all settings come out with the origin of each, or all that is wrong with
 * them, never half a configuration. Unknown keys and numbers that contradict each other are errors.
 *
 * The text of a file is parsed with the place of every value, so that an error can point at it. Nothing here reads a file or the
 * environment, and what a setting does is said where it is used.
 */

import { z } from 'zod';
import { hooksSchema } from '../hook/hook.ts';
import { expecting, languages } from '../language.ts';
import { durationMs } from '../value/duration.ts';
import { SNAPSHOT_RETENTION_DAYS } from './config-text.ts';
import { embeddingsSchema, modelShape, type priceSchema } from './endpoint-settings.ts';
import { mcpServerSchema } from './mcp-server.ts';
import { permissionsSchema } from './permission-rule.ts';
import { sandboxModes } from './sandbox-mode.ts';

const ratio = z.number().min(0.5).max(0.95);
const tokens = z.int().positive();

export const presetNames = ['development', 'production', 'large-context', 'roomy'] as const;

const compactionSchema = z.strictObject({
  enabled: z.boolean().default(true),
  preset: z.enum(presetNames).nullable().default(null),
  maxMessages: z.int().min(2).default(80),
  softTokenRatio: ratio.default(0.7),
  maxTokenRatio: ratio.default(0.8),
  softThresholdTokens: tokens.nullable().default(null),
  hardThresholdTokens: tokens.nullable().default(null),
  maxToolOutputBytes: z.int().positive().nullable().default(null),
  softWindow: z.int().nonnegative().default(100_000),
  reserveTokens: z.int().nonnegative().default(16_384),
  keepRecentMessages: z.int().nonnegative().default(20),
  keepRecentTokens: z.int().nonnegative().default(8_000),
  minMessagesBeforeCompact: z.int().nonnegative().default(10),
  keepSystemPrompt: z.boolean().default(true),
  useLLMSummary: z.boolean().default(true),
  llmFallbackToRules: z.boolean().default(true),
  targetTokens: tokens.default(8_000),
  summaryMaxTokens: tokens.default(500),
  restoreTokens: z.int().nonnegative().nullable().default(null),
  triggerThreshold: z.int().nonnegative().default(15_000),
  relief: z.enum(['auto', 'offload-first']).default('auto'),
  model: z.string().min(1).nullable().default(null),
  fallbackModels: z.array(z.string().min(1)).default([]),
  retryCount: z.int().min(0).max(10).default(3),
  timeoutMs: z.int().positive().default(120_000),
  mode: z.enum(['default', 'safeguard']).default('default'),
  memoryFlush: z.boolean().default(true),
  askFirst: z.boolean().default(false),
  background: z.boolean().default(false),
  snapshotRetentionDays: z.int().nonnegative().default(SNAPSHOT_RETENTION_DAYS),
  snapshotMaxBytes: z.int().nonnegative().default(1_073_741_824),
});

const offloadSchema = z.strictObject({
  enabled: z.boolean().default(true),
  maxToolResultChars: z.int().min(500).nullable().default(null),
  headKeepRatio: z.number().min(0).max(1).default(0.3),
  tailKeepRatio: z.number().min(0).max(1).default(0.3),
  allow: z.array(z.string()).default(['*']),
  deny: z.array(z.string()).default([]),
  maxSessionBytes: z.int().nonnegative().default(1_073_741_824),
});

const pruningSchema = z.strictObject({
  mode: z.enum(['off', 'cache-ttl']).default('cache-ttl'),
  ttl: z
    .string()
    .refine(
      (text) => durationMs(text) !== undefined,
      expecting({ en: 'a time such as "90s", "5m" or "1h"', zh: '"90s"、"5m" 或 "1h" 这样的时长' }),
    )
    .default('5m'),
  keepLastAssistants: z.int().nonnegative().default(3),
  maxToolResultChars: z.int().min(500).default(4_000),
  headKeepRatio: z.number().min(0).max(1).default(0.3),
  tailKeepRatio: z.number().min(0).max(1).default(0.3),
  placeholder: z
    .string()
    .refine((text) => text.trim() !== '', expecting({ en: 'some text', zh: '文字' }))
    .default('[Old tool result content cleared]'),
  tools: z.strictObject({ allow: z.array(z.string()).default(['*']), deny: z.array(z.string()).default([]) }).prefault({}),
});

const agentSchema = z.strictObject({
  maxSteps: z.int().positive().nullable().default(null),
  redactSecrets: z.boolean().default(true),
  helperMaxSteps: z.int().positive().default(50),
  helperMaxCostUsd: z.number().positive().nullable().default(1),
});

const memorySchema = z.strictObject({
  enabled: z.boolean().default(true),
  maxTokens: z.int().nonnegative().default(2_000),
  useModel: z.enum(['never', 'consolidate', 'session-end']).default('consolidate'),
  consolidateDaily: z.boolean().default(false),
});

const recallSchema = z.strictObject({ embeddings: embeddingsSchema.nullable().default(null) });

const modelSchema = z.strictObject(modelShape);

const variableNames = z
  .array(
    z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_]{0,99}\*?$/,
        expecting({ en: 'names of variables; * may stand at the end', zh: '变量名；末尾可以有 *' }),
      ),
  )
  .default([]);

const commandsSchema = z.strictObject({
  sandbox: z.enum(sandboxModes).default('auto'),
  environment: z.strictObject({ pass: variableNames, withhold: variableNames }).prefault({}),
});

const uiSchema = z.strictObject({ language: z.enum(['auto', ...languages]).default('auto') });

/** What stands in each section, for readers that take settings one by one: a schema is made when it is asked for, since most are not. */
export const configSections = {
  get compaction() {
    return compactionSchema;
  },
  get offload() {
    return offloadSchema;
  },
  get pruning() {
    return pruningSchema;
  },
  get agent() {
    return agentSchema;
  },
  get memory() {
    return memorySchema;
  },
  get recall() {
    return recallSchema;
  },
  get model() {
    return { shape: modelShape };
  },
  get permissions() {
    return permissionsSchema;
  },
  get hooks() {
    return hooksSchema;
  },
  get commands() {
    return commandsSchema;
  },
  get ui() {
    return uiSchema;
  },
} as const;

/**
 * Every setting with its default; `null` means "not set", and what then holds is said in docs/settings.md.
 * Names, units and relations are those of its tables. Unknown keys are errors.
 */
export const configSchema = z.strictObject({
  compaction: configSections.compaction.prefault({}),
  offload: configSections.offload.prefault({}),
  pruning: configSections.pruning.prefault({}),
  agent: configSections.agent.prefault({}),
  memory: configSections.memory.prefault({}),
  recall: configSections.recall.prefault({}),
  model: modelSchema.prefault({}),
  permissions: configSections.permissions.prefault({}),
  hooks: configSections.hooks.prefault({}),
  commands: configSections.commands.prefault({}),
  ui: configSections.ui.prefault({}),
  mcpServers: z.record(z.string(), mcpServerSchema).prefault({}),
});

export type Config = Readonly<z.infer<typeof configSchema>>;
export type CompactionConfig = Config['compaction'];
export type OffloadConfig = Config['offload'];
export type PruningConfig = Config['pruning'];
export type Price = Readonly<z.infer<typeof priceSchema>>;

/** Sections whose keys are names that people choose, each with the schema of what stands there. */
export const openSections = {
  get mcpServers() {
    return mcpServerSchema;
  },
} as const;

/** Defaults of 0.1.0 that are others now. A file that was copied from the example of that version still holds them. */
export const formerDefaults: Readonly<Record<string, number>> = {
  'compaction.softWindow': 200_000,
  'compaction.keepRecentTokens': 20_000,
  'compaction.maxToolOutputBytes': 51_200,
  'offload.maxToolResultChars': 10_000,
  'agent.maxSteps': 200,
};

/** The settings that a preset stands for; a key that is set anywhere overrides it. */
export const presets: Readonly<Record<(typeof presetNames)[number], Readonly<Partial<CompactionConfig>>>> = {
  development: presetOf({ soft: 5_000, hard: 8_000, reserve: 2_000, keep: 4, summary: 400, useLLMSummary: false }),
  production: presetOf({ soft: 15_000, hard: 20_000, reserve: 4_000, keep: 6, summary: 800, useLLMSummary: false }),
  'large-context': presetOf({ soft: 25_000, hard: 30_000, reserve: 6_000, keep: 10, summary: 1_200, useLLMSummary: true }),
  roomy: { softWindow: 200_000 },
};

type PresetNumbers = Readonly<Record<'soft' | 'hard' | 'reserve' | 'keep' | 'summary', number>> & Pick<CompactionConfig, 'useLLMSummary'>;

function presetOf(numbers: PresetNumbers): Readonly<Partial<CompactionConfig>> {
  return {
    softThresholdTokens: numbers.soft,
    hardThresholdTokens: numbers.hard,
    reserveTokens: numbers.reserve,
    keepRecentMessages: numbers.keep,
    targetTokens: numbers.summary,
    summaryMaxTokens: numbers.summary,
    useLLMSummary: numbers.useLLMSummary,
  };
}
