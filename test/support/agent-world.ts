import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDeps } from '../../src/agent/deps.ts';
import type { AskModel, ModelFacts, ModelRequest } from '../../src/agent/ports/model.ts';
import type { Tool, ToolOutcome } from '../../src/agent/ports/tools.ts';
import { Session } from '../../src/agent/session/session.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { type Config, configSchema } from '../../src/domain/config/config.ts';
import { AbortedError } from '../../src/domain/errors.ts';
import type { SanbotEvent } from '../../src/domain/event.ts';
import { sameInBoth } from '../../src/domain/language.ts';
import type { PermissionMode } from '../../src/domain/permission.ts';
import type { ToolSpec } from '../../src/domain/session/context.ts';
import type { ContentBlock, Message } from '../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../src/domain/session/model-answer.ts';
import type { HeaderRecord } from '../../src/domain/session/record.ts';
import { contextOf } from './build.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { root } from './source.ts';

/** An agent with a scripted model, tools made of functions and a disk in memory. Time stands still unless a test moves it. */
export type AgentWorld = {
  readonly store: MemoryStore;
  readonly session: Session;
  readonly deps: AgentDeps;
  readonly tools: readonly Tool[];
  readonly events: SanbotEvent[];
  /** All requests in order, as they left. */
  readonly requests: ModelRequest[];
  /** What a new process would find. */
  readonly reopened: () => Session;
  readonly clock: { now: Date };
};

export type AgentWish = {
  readonly ask?: (request: ModelRequest, n: number) => ModelAnswer | Promise<ModelAnswer>;
  readonly window?: number;
  readonly config?: { readonly [Section in keyof Config]?: Partial<Config[Section]> };
  readonly messages?: readonly Message[];
  readonly tools?: readonly ToolWithSpec[];
  readonly mode?: PermissionMode;
  readonly canSummarise?: boolean;
  /** What takes the place of the world's own, in each group. */
  readonly deps?: { readonly [Group in Exclude<keyof AgentDeps, 'config'>]?: Partial<AgentDeps[Group]> };
};

export function createAgentWorld(wish: AgentWish = {}): AgentWorld {
  const { ask = () => replies('ok'), window = 32_000, tools = [], mode = 'bypass', canSummarise = false } = wish;
  const store = createMemoryStore();
  const clock = { now: new Date('2026-01-02T03:04:05.000Z') };
  const events: SanbotEvent[] = [];
  const requests: ModelRequest[] = [];
  const measure = { ...createMeasure(roughCount), ...wish.deps?.measure };
  let serial = 0;
  const newId = () => `n${++serial}`;
  const context = contextOf(wish.messages ?? [], { tools: tools.map((tool) => tool.spec) });
  const header: HeaderRecord = { type: 'header', v: 1, sessionId: 's1', group: 'main', cwd: '/home/dev', model: 'test', context };
  const open = () => new Session(store.open(header), store.bodies, { now: () => clock.now, newId, measure });
  const session = open();
  const facts: ModelFacts = { windowTokens: window, assumed: false, maxOutputTokens: 8_000, costUsd: () => 0.01 };
  const asked: AskModel = async (request, { signal }) => {
    if (signal.aborted) throw new AbortedError();
    requests.push(request);
    return ask(request, requests.length);
  };
  const { deps: own = {} } = wish;
  const deps: AgentDeps = {
    config: configSchema.parse(wish.config ?? {}),
    model: { ask: asked, facts: () => facts, canSummarise, ...own.model },
    clock: { now: () => clock.now, newId, deadline: () => new AbortController().signal, ...own.clock },
    report: { emit: (event) => void events.push(event), ...own.report },
    person: { ...silentPerson, mode, ...own.person },
    disk: { snapshots: store.snapshots, past: () => store.records, archive: store.archive, memories: store.memories, ...own.disk },
    prompts: { summary: () => summaryPrompts, base: () => ({ system: 'You are SanBot.', tools: context.tools }), ...own.prompts },
    measure,
  };
  return { store, session, deps, tools, events, requests, reopened: open, clock };
}

/** Nobody who says yes, and no rules. */
export const silentPerson: AgentDeps['person'] = {
  mode: 'ask',
  allowed: new Set(),
  permissions: { current: () => configSchema.parse({}).permissions, keep: () => undefined },
  trustsFolder: true,
  askPermission: async () => 'no',
  confirm: async () => true,
};

/** One token for four characters: an oracle that is easy to check by hand. */
export const roughCount = (text: string): number => Math.ceil(text.length / 4);

const promptNamed = (name: string): string => readFileSync(join(root, 'prompts', `${name}.md`), 'utf8');
const summaryPrompts = {
  first: promptNamed('compact-summary'),
  update: promptNamed('compact-update'),
  merge: promptNamed('compact-merge'),
  prefix: promptNamed('compact-prefix'),
  memories: promptNamed('compact-memories'),
};

export const replies = (text: string, stopReason = 'end_turn'): ModelAnswer => ({
  kind: 'reply',
  content: text === '' ? [] : [{ type: 'text', text }],
  stopReason,
  model: 'test',
  usage: undefined,
});

export const callsTools = (...calls: readonly { readonly id: string; readonly name: string; readonly input?: unknown }[]): ModelAnswer => ({
  kind: 'reply',
  content: calls.map(({ id, name, input = {} }): ContentBlock => ({ type: 'tool_use', id, name, input })),
  stopReason: 'tool_use',
  model: 'test',
  usage: undefined,
});

export type ToolWithSpec = Tool & { readonly spec: ToolSpec };
export type ToolWish = { readonly access?: 'read' | 'write' | 'run'; readonly place?: 'inside' | 'outside' };

/** A tool that answers what `run` returns; its title is its name and its preview the input. */
export const tool = (
  name: string,
  run: (input: unknown, signal: AbortSignal) => string | Promise<string>,
  wish: ToolWish = {},
): ToolWithSpec => ({
  name,
  spec: { name, description: `The ${name} tool`, inputSchema: { type: 'object' } },
  plan: async (input) => ({
    kind: 'ready',
    access: wish.access ?? 'read',
    path: undefined,
    place: wish.place ?? 'inside',
    title: name,
    preview: JSON.stringify(input),
    run: async (signal): Promise<ToolOutcome> => ({ ok: true, content: await run(input, signal), note: sameInBoth('done') }),
  }),
});
