import { SanbotError } from '../../domain/errors.ts';
import { type FileDiff, recordedFields, type SanbotEvent, type StopReason } from '../../domain/event.ts';
import { addUsage } from '../../domain/session/message.ts';
import { exitCodeOf } from '../text/error-text.ts';
import type { EventOf } from './line.ts';

/** The one object of `--output-format json`. Fields are added here, never taken away. */
export type JsonResult = {
  /** Empty when it failed before there was a session. */
  readonly sessionId: string;
  readonly result: string;
  readonly stopReason: StopReason;
  readonly steps: number;
  readonly usage: EventOf<'turn_ended'>['usage'];
  /** Null when the price is not known. */
  readonly costUsd: number | null;
  readonly compactions: number;
  readonly offloads: number;
  readonly edits: readonly FileDiff[];
  /** The calls that were not allowed, in order; `allow` is what `--allow` takes to let one run, where something does. */
  readonly denied: readonly DeniedCall[];
  /** The model that answers at the end, where another one did at the beginning. */
  readonly model?: string;
  /** With `--json-schema`: the answer as the value that it is. */
  readonly structured?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string; readonly exitCode: number };
};

/** The line that ends a turn in a stream. */
export type ResultEvent = JsonResult & { readonly type: 'result'; readonly schema: typeof STREAM_SCHEMA };

type DeniedCall = { readonly tool: string; readonly title: string; readonly allow?: string };

/** The version of the lines of `stream-json`: another one when a field goes or changes its meaning. */
export const STREAM_SCHEMA = 1;

export type JsonState = Omit<JsonResult, 'error'> & {
  readonly summarising: boolean;
  readonly titles: Readonly<Record<string, string>>;
};

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
  denied: [],
  summarising: false,
  titles: {},
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
    case 'tool_started':
      return { ...state, titles: { ...state.titles, [event.toolUseId]: event.title } };
    case 'tool_ended':
      return endCall(state, event);
    case 'model_changed':
      return { ...state, model: event.model };
    case 'turn_ended':
      return endTurn(state, event);
    default:
      return state;
  }
}

/** An answer that had to be asked for again took several turns. */
const endTurn = (state: JsonState, { stopReason, steps, usage, costUsd }: EventOf<'turn_ended'>): JsonState => ({
  ...{ ...state, stopReason, steps: state.steps + steps, usage: addUsage(state.usage, usage) },
  costUsd: costUsd === undefined || state.costUsd === null ? null : state.costUsd + costUsd,
});

function endCall(state: JsonState, { toolUseId, tool, denied, diff }: EventOf<'tool_ended'>): JsonState {
  const { [toolUseId]: title = tool, ...titles } = state.titles;
  return {
    ...{ ...state, titles },
    ...(diff !== undefined && { edits: [...state.edits, diff] }),
    ...(denied && { denied: [...state.denied, { tool, title }] }),
  };
}

function jsonResult({ summarising: _, titles: _titles, ...result }: JsonState, error?: unknown): JsonResult {
  if (error === undefined) return result;
  const cause = error instanceof Error ? error.message : String(error);
  const { code, message, hint } = error instanceof SanbotError ? error : { code: 'internal', message: cause, hint: '' };
  return { ...result, error: { code, message, hint, exitCode: exitCodeOf(error) } };
}

type JsonOptions = { readonly sessionId: string; readonly streaming: boolean; readonly write: (text: string) => void };

/** `streaming` writes each event in a line as it happens; events have the shapes of SanbotEvent, and the session's id in the first. */
export function createJsonOutput({ sessionId, streaming, write }: JsonOptions) {
  let state = initialJsonState(sessionId);
  const allowing = new Map<string, string>();
  const writeLine = (value: unknown): void => write(`${JSON.stringify(value)}\n`);
  return {
    onEvent: (event: SanbotEvent): void => {
      state = reduceJson(state, event);
      if (!streaming) return;
      const fields = recordedFields(event);
      writeLine(event.type === 'session_started' ? { ...fields, sessionId, schema: STREAM_SCHEMA } : fields);
    },
    onDenied: ({ title, allow }: { readonly title: string; readonly allow: string | undefined }): void => {
      if (allow !== undefined) allowing.set(title, allow);
    },
    onStructured: (structured: unknown): void => {
      state = { ...state, structured };
    },
    /** Writes the object; in a stream it is the line that ends a turn, of type `result`. What comes after it counts anew. */
    finish: (error?: unknown): void => {
      const denied = state.denied.map((call) => {
        const allow = allowing.get(call.title);
        return allow === undefined ? call : { ...call, allow };
      });
      const result = jsonResult({ ...state, denied }, error);
      state = initialJsonState(sessionId);
      writeLine(streaming ? { type: 'result', schema: STREAM_SCHEMA, ...result } : result);
    },
  };
}
