import type { SanbotEvent } from '../../src/domain/event.ts';
import { sameInBoth } from '../../src/domain/language.ts';
import type { MemoryLine } from '../../src/domain/memory/memory-line.ts';
import type { RecallHit } from '../../src/domain/recall.ts';
import { noUsage } from '../../src/domain/session/message.ts';
import type { SnapshotMeta } from '../../src/domain/session/snapshot.ts';
import type { ChatPort } from '../../src/terminal/chat/chat-port.ts';
import type { RollbackPort, SessionsPort } from '../../src/terminal/chat/history-port.ts';
import { createRepl } from '../../src/terminal/repl/repl.ts';
import type { Repl } from '../../src/terminal/repl/types.ts';
import type { EditResult } from '../../src/terminal/slash/command.ts';
import { createTheme, type Theme } from '../../src/terminal/text/theme.ts';
import { afterThisTest } from './clean-up.ts';
import { type OpenedTerminal, openTerminal } from './terminal.ts';

/** The REPL on a pseudo terminal with a chat that only notes what reached it. */
export type ReplWorld = {
  readonly terminal: OpenedTerminal;
  readonly repl: Repl;
  /** What reached the chat, in order. */
  readonly said: readonly string[];
  /** What was kept for later runs. */
  readonly saved: readonly string[];
  readonly exitCode: Promise<number>;
};

export type ChatPart = (world: {
  readonly emit: (event: SanbotEvent) => void;
  readonly hear: (text: string) => void;
  readonly repl: Repl;
}) => { readonly [Concept in keyof ChatPort]?: Partial<ChatPort[Concept]> };

export type ReplOptions = {
  readonly chat?: ChatPart;
  readonly earlier?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly edit?: (text: string) => EditResult;
  /** Without one there are no colours. */
  readonly theme?: Theme;
  readonly clipboard?: { readonly path: string } | { readonly why: string };
};

export const aSnapshot: SnapshotMeta = {
  v: 1,
  id: 's1-20260201T110000000Z',
  sessionId: 's1',
  group: 'main',
  at: '2026-02-01T11:00:00.000Z',
  reason: 'compaction',
  model: 'm',
  messages: 310,
  bodies: 2,
  tokens: 182_340,
  bytes: 1_200_000,
  sha256: 'x',
};

export const aPin = { messageId: 'm3', who: 'you' as const, text: 'never touch the \u001b[31mschema' };

export const aMemory = (id: string): MemoryLine => ({
  ...{ id, kind: 'facts', text: 'the port is \u001b[31m8080', line: '', byHand: false, day: '2026-02-01', supersedes: [] },
  ...{ sessionId: 's1', messageId: 'm1', by: 'user', cwd: undefined, supersededBy: undefined },
});

const NOW = new Date('2026-02-01T12:00:00.000Z');

export async function startRepl({
  chat: part = () => ({}),
  earlier = [],
  columns = 100,
  rows = 30,
  edit = (text) => ({ kind: 'edited', text }),
  clipboard = { why: 'There is no image in the clipboard.' },
  theme,
}: ReplOptions = {}): Promise<ReplWorld> {
  const terminal = await openTerminal({ columns, rows });
  const said: string[] = [];
  const saved: string[] = [];
  const repl = createRepl({
    input: terminal.input,
    output: terminal.output,
    colour: theme !== undefined,
    theme: theme ?? createTheme('auto', {}, () => undefined),
    dumb: false,
    version: '9.9.9',
    history: { load: () => earlier, save: (message) => void saved.push(message) },
    clipboardImage: async () => clipboard,
    suspend: async () => undefined,
    edit: async (text) => edit(text),
    now: () => NOW,
    retentionDays: 7,
  });
  const hear = (text: string) => void said.push(text);
  const emit = (event: SanbotEvent) => repl.onEvent(event);
  const [base, parts] = [listeningChat(hear, emit), part({ emit, hear, repl })];
  const chat: ChatPort = {
    turn: { ...base.turn, ...parts.turn },
    model: { ...base.model, ...parts.model },
    compaction: { ...base.compaction, ...parts.compaction },
    rollback: { ...base.rollback, ...parts.rollback },
    changes: { ...base.changes, ...parts.changes },
    memory: { ...base.memory, ...parts.memory },
    permissions: { ...base.permissions, ...parts.permissions },
    mcp: { ...base.mcp, ...parts.mcp },
    pins: { ...base.pins, ...parts.pins },
    jobs: { ...base.jobs, ...parts.jobs },
    sessions: { ...base.sessions, ...parts.sessions },
    settings: { ...base.settings, ...parts.settings },
    skills: { ...base.skills, ...parts.skills },
    instructions: { ...base.instructions, ...parts.instructions },
  };
  const world = { terminal, repl, said, saved, exitCode: repl.run(chat) };
  afterThisTest(() => {
    repl.restore();
    terminal.close();
  });
  await terminal.waitFor(/(?:sanbot setup|lists\s+the\s+commands|列\s*出\s*命\s*令)[\s\S]*>\s*$/);
  return world;
}

export function listeningChat(hear: (text: string) => void, emit: (event: SanbotEvent) => void): ChatPort {
  const model = { name: 'claude-test', offline: false, windowTokens: 200_000, windowAssumed: false };
  const limits = { tokens: 50_000, softTokens: 140_000, hardTokens: 160_000 };
  return {
    turn: {
      say: async (text) => {
        hear(text);
        emit({ type: 'text', text: `you said ${JSON.stringify(text)}` });
      },
      becomesFile: async () => false,
      printed: () => undefined,
      toBackground: () => sameInBoth('no command is running'),
      run: async (command) => {
        hear(`run:${command}`);
        return { ok: command !== 'false', output: `out of ${command}\n`, note: sameInBoth('exit 0 in 0.1 s') };
      },
      todo: () => [
        { text: 'find the leak', status: 'done' },
        { text: 'fix \u001b[31mit', status: 'in_progress' },
      ],
      output: (toolUseId) => (toolUseId === 'gone' ? undefined : `all of ${toolUseId}`),
      findPaths: async (prefix) => ['src/', 'src.txt'].filter((path) => path.startsWith(prefix)),
    },
    model: {
      current: () => model,
      change: async (name) => hear(`model:${name}`),
      rereadCost: () => ({ tokens: 50_000, costUsd: 0.125 }),
      choices: async () => [
        { name: model.name, isCurrent: true, windowTokens: 200_000 },
        { name: 'local/small', isCurrent: false, windowTokens: undefined },
        { name: 'local/lar\u001bge', isCurrent: false, windowTokens: 64_000 },
      ],
      contextTokens: () => 50_000,
      limitTokens: () => 160_000,
      context: async () => ({ ...model, ...limits, messages: 12, parts: [{ name: 'tools', tokens: 5_000 }], freeable: [] }),
      costSinceOpened: () => 0.5,
      cost: async () => ({
        requests: 3,
        usage: noUsage,
        costUsd: 0.5,
        compactions: 0,
        compactionUsage: noUsage,
        compactionCostUsd: undefined,
      }),
    },
    compaction: {
      compact: async ({ instructions = '', ...once }) =>
        hear(`compact:${instructions}${Object.keys(once).length === 0 ? '' : JSON.stringify(once)}`),
      preview: async (instructions) => {
        hear(`preview:${instructions ?? ''}`);
        return undefined;
      },
      clear: async () => hear('clear'),
    },
    rollback: listeningRollback(hear),
    changes: {
      acts: async () => [],
      differences: async () => [],
      total: async () => [],
      restorable: async () => ({ files: [], unrestorable: [], restore: async () => [] }),
    },
    memory: {
      view: () => ({ on: true, files: [] }),
      remember: (text) => {
        hear(`remember:${text}`);
        return { outcome: 'added', id: 'm00000001', kind: 'facts', superseded: [] };
      },
      forget: async (id) => {
        hear(`forget:${id}`);
        return aMemory(id);
      },
      learned: () => [],
      recall: async (query) => {
        hear(`recall:${query}`);
        return { hits: query === 'nothing' ? [] : [aHit], sessionsLeft: query === 'much' ? 1_234 : 0 };
      },
    },
    permissions: {
      view: () => ({
        rules: [{ number: 1, kind: 'deny', rule: { tool: 'run_command', prefix: 'cu\u200brl' } }],
        readOnlyCommands: 'ask',
        sandboxedCommands: 'ask',
      }),
      add: (kind, { tool, pattern, irreversible }) => hear(`permissions:${kind} ${irreversible ? 'irreversible ' : ''}${tool} ${pattern}`),
      folders: () => ['/elsewhere/lib'],
      addFolder: (path) => hear(`folder:${path}`),
      nextMode: () => 'ask',
      changeMode: (mode) => hear(`mode:${mode}`),
      remove: (number) => hear(`permissions:remove ${number}`),
      setReadOnlyCommands: (value) => hear(`permissions:readonly ${value}`),
    },
    jobs: { jobs: () => [], stop: async () => true, keep: () => true },
    mcp: {
      servers: () => [],
      changed: async () => [],
      approve: (server) => hear(`mcp:approve ${server}`),
    },
    pins: {
      choices: () => [{ ...aPin, number: 3, pinned: false }],
      view: async () => ({ pins: [aPin], tokens: 90, budgetTokens: 1_200 }),
      pin: async (number) => hear(`pin:${number}`),
      unpin: async (messageId) => hear(`unpin:${messageId}`),
      plan: () => undefined,
      endPlan: async () => false,
    },
    sessions: listeningSessions(hear),
    settings: {
      table: (prefix) => (prefix === 'nothing' ? '' : 'key  value  from\n'),
      keys: () => ['model.name', 'agent.maxSteps'],
      tools: () => [{ name: 'look', description: 'Looks at \u001b[31mit. And more.' }],
    },
    skills: {
      commands: () => [],
      list: () => [],
      agents: () => ({ agents: [], problems: [] }),
      problems: () => [],
      broken: () => undefined,
    },
    instructions: { draft: () => ({ kind: 'refused', why: 'There is one.' }), write: () => undefined },
  };
}

const aHit: RecallHit = {
  ref: 's0:4',
  sessionId: 's0',
  at: '2026-01-31T10:00:00.000Z',
  kind: 'assistant',
  tool: undefined,
  failed: false,
  score: 1,
  snippet: { text: 'the retry \u001b[31mdelay is 250 ms', marks: [[4, 9]] },
  folder: undefined,
  copies: [],
  charOffset: 0,
};

const listeningRollback = (hear: (text: string) => void): RollbackPort => ({
  snapshots: () => [aSnapshot],
  preview: async () => {
    const difference = { returning: [{ who: 'you', text: 'hello' }], leaving: [] };
    return { snapshot: aSnapshot, messagesNow: 24, tokensNow: 24_112, ...difference };
  },
  previewUndo: async () => undefined,
  rollBack: async (id) => hear(`rollback:${id}`),
  pastMessages: () => [],
  previewRewind: async () => ({
    ...{ message: { id: 'm1', at: '2026-02-01T11:00:00.000Z', text: 'write it' }, messagesNow: 4, messagesThen: 0 },
    ...{ returning: [], leaving: [{ who: 'you', text: 'write it' }] },
  }),
  rewind: async (message) => {
    hear(`rewind:${message}`);
    return 'write it';
  },
  restorableFiles: async () => ({ files: [], unrestorable: [], restore: async () => [] }),
});

const listeningSessions = (hear: (text: string) => void): SessionsPort => ({
  current: () => ({ sessionId: 's1', cwd: '/project', resumed: false, messages: 0 }),
  place: () => ({ folder: '~/project', branch: 'main' }),
  list: () => [],
  resume: async (id) => hear(`resume:${id}`),
  startNew: async () => hear('new'),
  fork: async () => {
    hear('fork');
    return 's2';
  },
  rename: async (title) => {
    hear(`rename:${title}`);
    return title;
  },
  exportTo: async (file) => {
    hear(`export:${file ?? ''}`);
    return { file: file ?? 's1.md', bytes: 2_048 };
  },
  events: () => [{ v: 1, at: '2026-02-01T11:00:00.000Z', sessionId: 's1', type: 'turn_started' }],
});
