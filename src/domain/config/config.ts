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
import { modelShape, type priceSchema } from './endpoint-settings.ts';
import { mcpServerSchema } from './mcp-server.ts';
import { permissionsSchema } from './permission-rule.ts';
import { compactionSchema, type presetNames } from './settings/compaction.ts';
import {
  agentSchema,
  changesSchema,
  commandsSchema,
  hubSchema,
  memorySchema,
  recallSchema,
  syncSchema,
  uiSchema,
} from './settings/program.ts';
import { offloadSchema, pruningSchema } from './settings/results.ts';

/** The schemas of each section's settings by their names, made when they are asked for: a reader of single settings needs few of them. */
export const configSections = {
  compaction: () => compactionSchema.shape,
  offload: () => offloadSchema.shape,
  pruning: () => pruningSchema.shape,
  agent: () => agentSchema.shape,
  memory: () => memorySchema.shape,
  recall: () => recallSchema.shape,
  sync: () => syncSchema.shape,
  hub: () => hubSchema.shape,
  model: () => modelShape,
  permissions: () => permissionsSchema.shape,
  hooks: () => hooksSchema.shape,
  commands: () => commandsSchema.shape,
  changes: () => changesSchema.shape,
  ui: () => uiSchema.shape,
} as const;

/** Every setting with its default; `null` means "not set". Unknown keys are errors. */
export const configSchema = z.strictObject({
  compaction: compactionSchema.prefault({}),
  offload: offloadSchema.prefault({}),
  pruning: pruningSchema.prefault({}),
  agent: agentSchema.prefault({}),
  memory: memorySchema.prefault({}),
  recall: recallSchema.prefault({}),
  sync: syncSchema.prefault({}),
  hub: hubSchema.prefault({}),
  model: z.strictObject(modelShape).prefault({}),
  permissions: permissionsSchema.prefault({}),
  hooks: hooksSchema.prefault({}),
  commands: commandsSchema.prefault({}),
  changes: changesSchema.prefault({}),
  ui: uiSchema.prefault({}),
  mcpServers: z.record(z.string(), mcpServerSchema).prefault({}),
});

export type Config = Readonly<z.infer<typeof configSchema>>;
export type CompactionConfig = Config['compaction'];
export type OffloadConfig = Config['offload'];
export type PruningConfig = Config['pruning'];
export type Price = Readonly<z.infer<typeof priceSchema>>;

export const OPEN_SECTION = 'mcpServers';

/** Defaults of 0.1.0 that are others now. A file that was copied from the example of that version still holds them. */
export const formerDefaults: Readonly<Record<string, number>> = {
  'compaction.softWindow': 200_000,
  'compaction.keepRecentTokens': 20_000,
  'compaction.maxToolOutputBytes': 51_200,
  'compaction.triggerThreshold': 15_000,
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
