import type { SanbotEvent } from '../../src/domain/event.ts';
import { noUsage } from '../../src/domain/session/message.ts';
import type { SnapshotMeta } from '../../src/domain/session/snapshot.ts';
import type { ChatPort, EditResult } from '../../src/terminal/repl/chat-port.ts';
import { createRepl } from '../../src/terminal/repl/repl.ts';
import type { Repl } from '../../src/terminal/repl/types.ts';
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
}) => Partial<ChatPort>;

export type ReplOptions = {
  readonly chat?: ChatPart;
  readonly earlier?: readonly string[];
  readonly columns?: number;
  readonly edit?: (text: string) => EditResult;
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

const NOW = new Date('2026-02-01T12:00:00.000Z');

export async function startRepl({
  chat: part = () => ({}),
  earlier = [],
  columns = 100,
  edit = (text) => ({ kind: 'edited', text }),
}: ReplOptions = {}): Promise<ReplWorld> {
  const terminal = await openTerminal({ columns });
  const said: string[] = [];
  const saved: string[] = [];
  const repl = createRepl({
    input: terminal.input,
    output: terminal.output,
    colour: false,
    dumb: false,
    version: '9.9.9',
    history: { load: () => earlier, save: (message) => void saved.push(message) },
    edit: async (text) => edit(text),
    now: () => NOW,
    retentionDays: 7,
  });
  const hear = (text: string) => void said.push(text);
  const emit = (event: SanbotEvent) => repl.onEvent(event);
  const chat = { ...listeningChat(hear, emit), ...part({ emit, hear, repl }) };
  const world = { terminal, repl, said, saved, exitCode: repl.run(chat) };
  afterThisTest(() => {
    repl.restore();
    terminal.close();
  });
  await terminal.waitFor(/lists the commands[\s\S]*>\s*$/);
  return world;
}

export function listeningChat(hear: (text: string) => void, emit: (event: SanbotEvent) => void): ChatPort {
  const model = { name: 'claude-test', offline: false, windowTokens: 200_000, windowAssumed: false };
  const limits = { tokens: 50_000, softTokens: 140_000, hardTokens: 160_000 };
  return {
    session: () => ({ sessionId: 's1', resumed: false, messages: 0 }),
    send: async (text) => {
      hear(text);
      emit({ type: 'text', text: `you said ${JSON.stringify(text)}` });
    },
    compact: async (instructions) => hear(`compact:${instructions ?? ''}`),
    previewCompaction: async (instructions) => {
      hear(`preview:${instructions ?? ''}`);
      return undefined;
    },
    context: async () => ({ ...model, ...limits, messages: 12, parts: [{ name: 'tools', tokens: 5_000 }], freeable: [] }),
    history: () => [aSnapshot],
    previewRollback: async () => {
      const difference = { returning: [{ who: 'you', text: 'hello' }], leaving: [] };
      return { snapshot: aSnapshot, messagesNow: 24, tokensNow: 24_112, ...difference };
    },
    rollback: async (id) => {
      hear(`rollback:${id}`);
      return 0;
    },
    previewUndo: async () => undefined,
    remember: (text) => {
      hear(`remember:${text}`);
      return { outcome: 'added', id: 'm00000001', kind: 'facts', superseded: [] };
    },
    pastMessages: () => [],
    previewRewind: async () => ({
      ...{ message: { id: 'm1', at: '2026-02-01T11:00:00.000Z', text: 'write it' }, messagesNow: 4, messagesThen: 0 },
      ...{ returning: [], leaving: [{ who: 'you', text: 'write it' }] },
    }),
    rewind: async (message) => {
      hear(`rewind:${message}`);
      return { text: 'write it', since: 0 };
    },
    restorableFiles: async () => ({ files: [], unrestorable: [] }),
    memory: () => ({ on: true, files: [] }),
    recall: async (query) => {
      hear(`recall:${query}`);
      const snippet = { text: 'the retry \u001b[31mdelay is 250 ms', marks: [[4, 9]] as const };
      const source = {
        ref: 's0:4',
        sessionId: 's0',
        at: '2026-01-31T10:00:00.000Z',
        kind: 'assistant' as const,
        tool: undefined,
        failed: false,
      };
      return query === 'nothing' ? [] : [{ ...source, score: 1, snippet, charOffset: 0 }];
    },
    sessions: () => [],
    resume: async (id) => hear(`resume:${id}`),
    newSession: async () => hear('new'),
    clear: async () => hear('clear'),
    model: () => model,
    changeModel: async (name) => hear(`model:${name}`),
    cost: () => ({ requests: 3, usage: noUsage, costUsd: 0.5, compactions: 0, compactionUsage: noUsage, compactionCostUsd: undefined }),
    pinnable: () => [{ ...aPin, number: 3, pinned: false }],
    pins: async () => ({ pins: [aPin], tokens: 90, budgetTokens: 1_200 }),
    pin: async (number) => hear(`pin:${number}`),
    unpin: async (messageId) => hear(`unpin:${messageId}`),
    todo: () => [
      { text: 'find the leak', status: 'done' },
      { text: 'fix \u001b[31mit', status: 'in_progress' },
    ],
    events: () => [{ v: 1, at: '2026-02-01T11:00:00.000Z', sessionId: 's1', type: 'turn_started' }],
    rename: async (title) => {
      hear(`rename:${title}`);
      return title;
    },
    fork: async () => {
      hear('fork');
      return 's2';
    },
    exportTo: async (file) => {
      hear(`export:${file ?? ''}`);
      return { file: file ?? 's1.md', bytes: 2_048 };
    },
    files: async (prefix) => ['src/', 'src.txt'].filter((path) => path.startsWith(prefix)),
  };
}
