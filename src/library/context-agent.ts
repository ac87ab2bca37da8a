import { join } from 'node:path';
import type { AgentDeps } from '../agent/deps.ts';
import { noMemoryStore } from '../agent/ports/disk.ts';
import type { AskModel, ModelFacts } from '../agent/ports/model.ts';
import { Session } from '../agent/session/session.ts';
import type { CountTokens } from '../context/measure/count.ts';
import { createMeasure } from '../context/measure/measure.ts';
import type { Config } from '../domain/config/config.ts';
import { configError, resolveConfig } from '../domain/config/config-layers.ts';
import { AbortedError, SanbotError } from '../domain/errors.ts';
import { recordedFields } from '../domain/event.ts';
import { type ContentBlock, isToolResult, isToolUse, type Message, noUsage, type Usage } from '../domain/session/message.ts';
import { type HeaderRecord, RECORD_VERSION } from '../domain/session/record.ts';
import { readPrompt } from '../store/prompts.ts';
import { type ContextBodies, type ContextSnapshots, createContextBodies, createContextSnapshots, openContextLog } from './context-ports.ts';
import type { ContextSettings, ContextStore, InputMessage, Summarise, TokenUsage } from './context-types.ts';

/** What a library has from its machine: the time, its own folder, and the tokenizer whose vocabulary lies there. */
export type ContextWorld = { readonly now: () => Date; readonly packageRoot: string; readonly countTokens: CountTokens };

/** The agent's own session and dependencies, over a store of texts. */
export type ContextAgent = {
  readonly session: Session;
  readonly deps: AgentDeps;
  readonly bodies: ContextBodies;
  readonly snapshots: ContextSnapshots;
};

const NAME = 'context';
const MAX_OUTPUT_TOKENS = 8_192;
const SECTIONS = ['compaction', 'offload', 'pruning'];

/** Throws config_invalid for settings that are none, and store_damaged for a store that cannot be read. */
export function openContextAgent(settings: ContextSettings, world: ContextWorld): ContextAgent {
  const { now } = world;
  const store: ContextStore = settings.store ?? new Map<string, string>();
  const config = configOf(settings);
  const measure = createMeasure(settings.countTokens ?? world.countTokens);
  const { tools = [], system = '', messages = [], cwd = '/' } = settings;
  const first = messages.map((message, at) => messageOf(message, { id: `${NAME}-${at}`, at: now().toISOString() }));
  const base = { system, tools: [...tools].map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema } })) };
  const context = { ...base, shortTermSummary: '', messages: first, anchorFloor: 0 };
  const header: HeaderRecord = { type: 'header', v: RECORD_VERSION, sessionId: NAME, group: NAME, cwd, model: NAME, context };
  const openedLog = openContextLog(store, header, now);
  let made = 0;
  const newId = (): string => `${NAME}-${openedLog.records.at(-1)?.n ?? 0}-${++made}`;
  const bodies = createContextBodies(store, config.offload.maxSessionBytes);
  const snapshots = createContextSnapshots(store, now);
  const session = new Session(openedLog, bodies, { now, newId, measure });
  const deps: AgentDeps = {
    config,
    model: modelOf(settings),
    clock: { now, newId, deadline: (ms) => AbortSignal.timeout(ms) },
    report: { emit: (event) => settings.onEvent?.(recordedFields(event)) },
    person: personOf(config),
    disk: { snapshots, memories: noMemoryStore, past: () => openedLog.records },
    prompts: { summary: () => promptsIn(world.packageRoot), base: () => base },
    measure,
  };
  return { session, deps, bodies, snapshots };
}

/** Nothing of it is about a person or a folder: what is learned stays in the summary. */
function configOf({ settings = {}, maxOutputTokens = MAX_OUTPUT_TOKENS }: ContextSettings): Config {
  const other = Object.keys(settings).find((section) => !SECTIONS.includes(section));
  const known = SECTIONS.join(', ');
  if (other !== undefined)
    throw new SanbotError(
      'config_invalid',
      { en: `settings: ${JSON.stringify(other)} is not one of ${known}`, zh: `settings：${JSON.stringify(other)} 不在 ${known} 之中` },
      { en: `Only these sections count here: ${known}.`, zh: `此处只有这些部分有效：${known}。` },
    );
  const resolved = resolveConfig([{ kind: 'file', path: 'settings', trust: 'user', text: JSON.stringify(settings) }]);
  if (resolved.kind === 'bad') throw configError(resolved.problems);
  const { compaction, memory, model } = resolved.config;
  return {
    ...resolved.config,
    compaction: { ...compaction, memoryFlush: false },
    memory: { ...memory, enabled: false },
    model: { ...model, maxOutputTokens },
  };
}

function modelOf({ windowTokens, maxOutputTokens = MAX_OUTPUT_TOKENS, summarise }: ContextSettings): AgentDeps['model'] {
  const facts: ModelFacts = { windowTokens, assumed: false, maxOutputTokens, seesImages: true, costUsd: () => undefined };
  return { ask: askBy(summarise), facts: () => facts, canSummarise: summarise !== undefined };
}

const askBy =
  (summarise: Summarise | undefined): AskModel =>
  async ({ system, tools, messages, maxOutputTokens, model }, { signal }) => {
    if (signal.aborted) throw new AbortedError();
    const text = (await summarise?.({ system, tools, messages, maxOutputTokens }, signal)) ?? '';
    return { kind: 'reply', content: [{ type: 'text', text }], stopReason: 'end_turn', model, usage: undefined };
  };

/** Nobody who could be asked, and nothing to ask about. */
const personOf = ({ permissions }: Config): AgentDeps['person'] => ({
  mode: 'ask',
  repeatsMode: false,
  allowed: new Set(),
  permissions: { current: () => permissions, keep: () => undefined },
  trustsFolder: false,
  askPermission: async () => 'nobody',
  confirm: async () => true,
});

function promptsIn(packageRoot: string): ReturnType<AgentDeps['prompts']['summary']> {
  const prompt = (name: string): string => readPrompt(join(packageRoot, 'prompts'), name);
  const [first, update, merge, prefix] = [
    prompt('compact-summary'),
    prompt('compact-update'),
    prompt('compact-merge'),
    prompt('compact-prefix'),
  ];
  return { first, update, merge, prefix, memories: '' };
}

export const blocksOf = (content: InputMessage['content']): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

export const usageOf = ({ inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: TokenUsage): Usage => ({
  ...{ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
});

/** With what a reply of this content ended, where nobody says it. */
export const stopReasonOf = ({ stopReason }: InputMessage, content: readonly ContentBlock[]): string =>
  stopReason ?? (content.some(isToolUse) ? 'tool_use' : 'end_turn');

function messageOf(message: InputMessage, stamp: Pick<Message, 'id' | 'at'>): Message {
  const { role, usage } = message;
  const content = blocksOf(message.content);
  if (role === 'user') return { ...stamp, role, origin: content.some(isToolResult) ? 'tools' : 'user', content };
  const stopReason = stopReasonOf(message, content);
  return { ...stamp, role, origin: 'model', content, model: NAME, stopReason, ...(usage && { usage: { ...noUsage, ...usageOf(usage) } }) };
}
