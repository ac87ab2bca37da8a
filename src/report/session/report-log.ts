import { createHelperList } from '../../agent/session/helper-list.ts';
import { toolCalls } from '../../context/ledger/tool-calls.ts';
import type { ToolCall } from '../../context/ledger/types.ts';
import { utf8Bytes } from '../../context/measure/count.ts';
import type { Measure } from '../../context/measure/measure.ts';
import { oneLine } from '../../context/text/sentences.ts';
import { isToolResult, isToolUse, type Message, resultText, stubOf, textOf, type Usage } from '../../domain/session/message.ts';
import type { Helper, LogRecord } from '../../domain/session/record.ts';
import { redact } from '../../domain/value/redact.ts';
import {
  addFile,
  type ContextSize,
  createRunningContext,
  emptyFileTally,
  type FileTally,
  type RunningContext,
  sum,
} from './report-size.ts';

export type LoggedStep = { readonly at: string; readonly size: ContextSize; readonly usage: Usage | undefined };

export type LoggedTurn = {
  readonly at: string;
  readonly prompt: string;
  readonly stepsBefore: number;
  steps: number;
  calls: number;
  failedCalls: number;
  lastAt: string;
  stopReason: string | undefined;
};

export type ToolTally = { calls: number; failed: number; unanswered: number; bytes: number };

export type LoggedChange = { readonly at: string; readonly steps: number } & (
  | {
      readonly type: 'checkpoint';
      readonly reason: string;
      readonly snapshotId: string | undefined;
      readonly before: number;
      readonly after: number;
    }
  | { readonly type: 'offloaded'; readonly results: number; readonly bytes: number; readonly arrival: boolean }
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'pins'; readonly pins: number }
);

export type LogSummary = Readonly<Omit<Fold, 'context' | 'open' | 'helpers'>> & {
  readonly helpers: readonly Helper[];
  readonly now: ContextSize | undefined;
  readonly messagesNow: number;
};

export function foldLog(records: Iterable<LogRecord>, measure: Measure): LogSummary {
  const fold = newFold(measure);
  for (const record of records) addRecord(fold, record);
  return {
    ...fold,
    helpers: fold.helpers.all(),
    now: fold.header === undefined ? undefined : fold.context.size(),
    messagesNow: fold.context.context().messages.length,
  };
}

type Fold = {
  header: Extract<LogRecord, { type: 'header' }> | undefined;
  readonly context: RunningContext;
  records: number;
  lastAt: string;
  model: string;
  readonly steps: LoggedStep[];
  readonly turns: LoggedTurn[];
  readonly tools: Map<string, ToolTally>;
  readonly files: FileTally;
  readonly changes: LoggedChange[];
  readonly open: Map<string, ToolCall>;
  readonly helpers: ReturnType<typeof createHelperList>;
};

const newFold = (measure: Measure): Fold => ({
  header: undefined,
  context: createRunningContext(measure),
  records: 0,
  lastAt: '',
  model: '',
  steps: [],
  turns: [],
  tools: new Map(),
  files: emptyFileTally(),
  changes: [],
  open: new Map(),
  helpers: createHelperList(new Set()),
});

function addRecord(fold: Fold, record: LogRecord): void {
  fold.records += 1;
  fold.lastAt = record.at > fold.lastAt ? record.at : fold.lastAt;
  const note = (change: NewChange): void => void fold.changes.push({ at: record.at, steps: fold.steps.length, ...change });
  switch (record.type) {
    case 'header':
      fold.header = record;
      fold.model = record.model;
      break;
    case 'message':
      addMessage(fold, record.message, note);
      break;
    case 'checkpoint':
      addCheckpoint(fold, record, note);
      break;
    case 'offload': {
      const moved = record.stubs.filter(({ shrunk }) => shrunk !== true);
      note({ type: 'offloaded', arrival: false, results: moved.length, bytes: sum(moved.map(({ ref }) => ref.body.bytes)) });
      break;
    }
    case 'model':
      fold.model = record.model;
      note({ type: 'model', model: record.model });
      break;
    case 'pins':
      note({ type: 'pins', pins: record.pins.length });
      break;
    case 'file':
      addFile(fold.files, record);
      break;
    case 'title':
    case 'branch':
      break;
    default:
      record satisfies never;
  }
  fold.context.apply(record);
  fold.helpers.apply(record, record.n);
}

type WithoutPosition<T> = T extends unknown ? Omit<T, 'at' | 'steps'> : never;
type NewChange = WithoutPosition<LoggedChange>;
type NoteChange = (change: NewChange) => void;

function addCheckpoint(fold: Fold, record: Extract<LogRecord, { type: 'checkpoint' }>, note: NoteChange): void {
  if (record.reason === 'repeat') return;
  const { reason, snapshotId } = record;
  const before = fold.context.size().tokens;
  const after = fold.context.sizeOf(record.context).tokens;
  note({ type: 'checkpoint', reason, snapshotId, before, after });
}

function addMessage(fold: Fold, message: Message, note: NoteChange): void {
  if (message.origin === 'user') fold.turns.push(newTurn(message, fold.steps.length));
  if (message.origin === 'model') addReply(fold, message);
  for (const block of message.content) if (isToolResult(block)) addResult(fold, message, block);
  const bodies = message.stubs ?? [];
  if (bodies.length > 0)
    note({ type: 'offloaded', arrival: true, results: bodies.length, bytes: sum(bodies.map(({ body }) => body.bytes)) });
}

const MAX_PROMPT_CHARS = 160;
const MAX_SCANNED_CHARS = 20_000;

const newTurn = ({ at, content }: Message, stepsBefore: number): LoggedTurn => ({
  at,
  prompt: oneLine(firstLine(redact(textOf(content).slice(0, MAX_SCANNED_CHARS))), MAX_PROMPT_CHARS),
  stepsBefore,
  steps: 0,
  calls: 0,
  failedCalls: 0,
  lastAt: at,
  stopReason: undefined,
});

const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? '';

function addReply(fold: Fold, message: Message): void {
  const { at, usage, stopReason } = message;
  fold.steps.push({ at, usage, size: fold.context.sizeBefore(message) });
  const calls = toolCalls([message], () => undefined);
  for (const [index, block] of message.content.filter(isToolUse).entries()) {
    const call = calls[index];
    if (call === undefined) continue;
    fold.open.set(block.id, call);
    const tally = tallyOf(fold, call.tool);
    tally.calls += 1;
    tally.unanswered += 1;
  }
  const turn = fold.turns.at(-1);
  if (turn === undefined) return;
  turn.steps += 1;
  turn.calls += calls.length;
  turn.lastAt = at;
  turn.stopReason = stopReason;
}

function addResult(fold: Fold, message: Message, block: Parameters<typeof resultText>[0]): void {
  const call = fold.open.get(block.tool_use_id);
  if (call === undefined) return;
  fold.open.delete(block.tool_use_id);
  const tally = tallyOf(fold, call.tool);
  const body = stubOf(message, block)?.body;
  tally.unanswered -= 1;
  tally.bytes += body?.bytes ?? utf8Bytes(resultText(block));
  const turn = fold.turns.at(-1);
  if (block.is_error === true || message.origin === 'interrupted') {
    tally.failed += 1;
    if (turn !== undefined) turn.failedCalls += 1;
  } else addFile(fold.files, call);
}

function tallyOf({ tools }: Fold, tool: string): ToolTally {
  const tally = tools.get(tool) ?? { calls: 0, failed: 0, unanswered: 0, bytes: 0 };
  tools.set(tool, tally);
  return tally;
}
