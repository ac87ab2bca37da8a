import { SanbotError } from '../../domain/errors.ts';
import { type FileDiff, recordedFields, type SanbotEvent, type StopReason } from '../../domain/event.ts';
import { exitCodeOf } from '../text/error-text.ts';
import type { EventOf } from './line.ts';

/** The one object of `--output-format json`. Fields are added here, never taken away. */
export type JsonResult = {
  /** Empty when it failed before there was a session. */
  readonly sessionId: string;
  /** What the assistant said last. */
  readonly result: string;
  readonly stopReason: StopReason;
  readonly steps: number;
  readonly usage: EventOf<'turn_ended'>['usage'];
  /** Null when the price is not known. */
  readonly costUsd: number | null;
  /** How many compactions there were, and how many tool results went to files. */
  readonly compactions: number;
  readonly offloads: number;
  /** What each edit changed, in order. */
  readonly edits: readonly FileDiff[];
  /** Only when the turn failed, or what comes before it. */
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string; readonly exitCode: number };
};

/** The version of the lines of `stream-json`: another one when a field goes or changes its meaning. */
export const STREAM_SCHEMA = 1;

export type JsonState = Omit<JsonResult, 'error'> & { readonly summarising: boolean };

export const initialJsonState = (sessionId: string): JsonState => ({
  sessionId,
  result: '',
  stopReason: 'failed',
  steps: 0,
  usage: { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
  costUsd: 0,
  compactions: 0,
  offloads: 0,
  edits: [],
  summarising: false,
});

/** The reply to a request for a summary is no answer to the user, and is never taken for one. */
export function reduceJson(state: JsonState, event: SanbotEvent): JsonState {
  switch (event.type) {
    case 'request':
      return { ...state, summarising: event.purpose === 'summary' };
    case 'reply':
      return state.summarising || event.text === '' ? state : { ...state, result: event.text };
    case 'compacted':
      return { ...state, compactions: state.compactions + 1 };
    case 'offloaded':
      return { ...state, offloads: state.offloads + event.results.length };
    case 'tool_ended':
      return event.diff === undefined ? state : { ...state, edits: [...state.edits, event.diff] };
    case 'turn_ended':
      return { ...state, stopReason: event.stopReason, steps: event.steps, usage: event.usage, costUsd: event.costUsd ?? null };
    default:
      return state;
  }
}

function jsonResult({ summarising: _, ...result }: JsonState, error?: unknown): JsonResult {
  if (error === undefined) return result;
  const cause = error instanceof Error ? error.message : String(error);
  const { code, message, hint } = error instanceof SanbotError ? error : { code: 'internal', message: cause, hint: '' };
  return { ...result, error: { code, message, hint, exitCode: exitCodeOf(error) } };
}

type JsonOptions = { readonly sessionId: string; readonly streaming: boolean; readonly write: (text: string) => void };

/** `streaming` writes each event in a line as it happens; events have the shapes of SanbotEvent, and the session's id in the first. */
export function createJsonOutput({ sessionId, streaming, write }: JsonOptions) {
  let state = initialJsonState(sessionId);
  const writeLine = (value: unknown): void => write(`${JSON.stringify(value)}\n`);
  return {
    onEvent: (event: SanbotEvent): void => {
      state = reduceJson(state, event);
      if (!streaming) return;
      const fields = recordedFields(event);
      writeLine(event.type === 'session_started' ? { ...fields, sessionId, schema: STREAM_SCHEMA } : fields);
    },
    /** Writes the object; in a stream it is the line that ends a turn, of type `result`. What comes after it counts anew. */
    finish: (error?: unknown): void => {
      const result = jsonResult(state, error);
      state = initialJsonState(sessionId);
      writeLine(streaming ? { type: 'result', schema: STREAM_SCHEMA, ...result } : result);
    },
  };
}
