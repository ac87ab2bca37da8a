import type { NewId } from '../../agent/ports/effects.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { callName } from '../../domain/session/call-name.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';
import { eventLine, initialEventState, reduceEvent } from '../../terminal/screen/event-line.ts';
import { type EventLine, type EventOf, type EventState, undoByCommand } from '../../terminal/screen/line.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Editor } from './editor.ts';
import type { PlanEntry, SessionUpdate, ToolCall } from './protocol.ts';
import { diffContents, pathIn, resultContent, textContent } from './tool-calls.ts';

/** What updates tell of a conversation beside its events. */
export type UpdateSources = {
  readonly newId: NewId;
  readonly cwd: () => string;
  /** A call of the model's by its id; undefined for one of a helper, or of a hook. */
  readonly call: (toolUseId: string) => ToolCall | undefined;
  /** The whole result of a call. */
  readonly output: (toolUseId: string) => string | undefined;
  /** The end of what the command has printed that runs now. */
  readonly printed: () => string | undefined;
  /** Until what a command has printed is looked at again. */
  readonly pause: () => Promise<void>;
  /** The sections of the newest summary. */
  readonly summary: () => string | undefined;
  /** Dollars of the session; undefined where a price is not known. */
  readonly costUsd: () => number | undefined;
  /** Another model may answer now. */
  readonly onModel: () => void;
};

export type Updates = Readonly<ReturnType<typeof createUpdates>>;

type Parts = { readonly editor: Editor; readonly sources: UpdateSources };

/** Told by updates of their own. */
const OTHERWISE: ReadonlySet<SanbotEvent['type']> = new Set([
  ...(['tool_ended', 'tool_output', 'files_changed', 'turn_ended', 'helper_called', 'helper_started', 'session_ended'] as const),
]);

const severities: Readonly<Partial<Record<EventLine['tone'], 'warning' | 'error'>>> = { notice: 'warning', bad: 'error' };

/** Turns the events of a conversation into updates of its session, in their order. */
export function createUpdates(editor: Editor, sources: UpdateSources) {
  const parts = { editor, sources };
  const messages = createMessages(parts);
  const calls = createCalls(parts);
  const compactions = createCompactions(parts);
  let state = initialEventState;
  const tell = ({ text, tone }: EventLine): void => {
    if (editor.capabilities.session?.notices != null)
      void editor.send({ sessionUpdate: 'notice', severity: severities[tone] ?? 'info', title: text });
    else if (tone !== 'quiet') messages.say(`${text}\n\n`);
  };
  const usage = (used: number, size: number): void => {
    const amount = sources.costUsd();
    const cost = amount === undefined ? {} : { cost: { amount, currency: 'USD' } };
    void editor.send({ sessionUpdate: 'usage_update', used: Math.round(used), size, ...cost });
  };
  return {
    ...{ announce: calls.announce, say: messages.say, tell, usage },
    plan: (items: readonly TodoItem[]): void => void editor.send(planOf(items)),
    onEvent: (event: SanbotEvent): void => {
      if (event.type === 'request' && event.purpose === 'turn') usage(event.tokens, event.windowTokens);
      if (event.type === 'turn_ended' && event.contextTokens !== undefined && state.windowTokens > 0)
        usage(event.contextTokens, state.windowTokens);
      if (event.type === 'model_changed') sources.onModel();
      messages.onEvent(event);
      calls.onEvent(event, state);
      if (!compactions.onEvent(event, state) && !OTHERWISE.has(event.type)) {
        const line = eventLine(state, event, { undo: undoByCommand });
        if (line !== undefined) tell(line);
      }
      state = reduceEvent(state, event);
    },
  };
}

/** What the model says and thinks. */
function createMessages({ editor, sources: { newId } }: Parts) {
  let messageId = newId();
  let [isSummary, isSaid] = [false, false];
  const chunk = (kind: 'agent_message_chunk' | 'agent_thought_chunk', text: string): void =>
    void editor.send({ sessionUpdate: kind, messageId, content: { type: 'text', text } });
  return {
    /** A message that is none of the model's. */
    say: (text: string): void => {
      messageId = newId();
      chunk('agent_message_chunk', text);
      messageId = newId();
    },
    /** What a model says in a summary is no message. */
    onEvent: (event: SanbotEvent): void => {
      if (event.type === 'request') [messageId, isSummary, isSaid] = [newId(), event.purpose === 'summary', false];
      if (event.type === 'thinking' && !isSummary) chunk('agent_thought_chunk', event.text);
      // A model that does not stream has said all of it at once.
      const text = event.type === 'text' || (event.type === 'reply' && !isSaid) ? event.text : '';
      if (text === '' || isSummary) return;
      isSaid = true;
      chunk('agent_message_chunk', text);
    },
  };
}

const RUN_COMMAND = 'run_command';

/** The calls of the model, each told of before anybody is asked about it. */
function createCalls({ editor, sources }: Parts) {
  const announced = new Set<string>();
  const announce = (toolUseId: string): ToolCall | undefined => {
    const call = sources.call(toolUseId);
    if (call !== undefined && !announced.has(toolUseId)) void editor.send({ sessionUpdate: 'tool_call', status: 'pending', ...call });
    if (call !== undefined) announced.add(toolUseId);
    return call;
  };
  const end = (event: EventOf<'tool_ended'>, state: EventState): void => {
    const { toolUseId, tool, ok, diff, todo } = event;
    if (todo !== undefined) void editor.send(planOf(todo));
    const call = announce(toolUseId);
    announced.delete(toolUseId);
    if (call === undefined) return;
    const path = call.locations?.[0]?.path ?? (diff && pathIn(diff.path, sources.cwd()));
    const line = eventLine(state, event)?.text;
    const changed = diff !== undefined && path !== undefined ? diffContents(path, diff.text) : [];
    const shown = changed.length > 0 ? changed : resultContent(tool, sources.output(toolUseId) ?? '');
    const content = shown.length === 0 && line !== undefined ? [textContent(line)] : shown;
    void editor.send({ sessionUpdate: 'tool_call_update', toolCallId: toolUseId, status: ok ? 'completed' : 'failed', content });
  };
  /** Shows what a command prints while it runs. */
  const follow = async (toolUseId: string): Promise<void> => {
    let shown: string | undefined;
    for (await sources.pause(); announced.has(toolUseId); await sources.pause()) {
      const printed = sources.printed();
      if (printed !== undefined && printed !== shown)
        void editor.send({ sessionUpdate: 'tool_call_update', toolCallId: toolUseId, content: resultContent(RUN_COMMAND, printed) });
      shown = printed;
    }
  };
  return {
    announce,
    onEvent: (event: SanbotEvent, state: EventState): void => {
      if (event.type === 'tool_ended') end(event, state);
      if (event.type !== 'tool_started' || announce(event.toolUseId) === undefined) return;
      const title = safeLine(callName(event.title));
      void editor.send({ sessionUpdate: 'tool_call_update', toolCallId: event.toolUseId, status: 'in_progress', title });
      if (event.tool === RUN_COMMAND) void follow(event.toolUseId);
    },
  };
}

/** How a compaction ended that has begun. */
const ENDS: Readonly<Partial<Record<SanbotEvent['type'], 'completed' | 'failed' | 'cancelled'>>> = {
  ...{ compacted: 'completed', compaction_failed: 'failed' },
  ...{ compaction_cancelled: 'cancelled', compaction_discarded: 'cancelled', nothing_to_compact: 'cancelled' },
};

function createCompactions({ editor, sources }: Parts) {
  let compactionId: string | undefined;
  return {
    /** True where the editor is told of it as a compaction; one that knows none gets the line of it. */
    onEvent: (event: SanbotEvent, state: EventState): boolean => {
      if (event.type === 'compaction_started') compactionId = sources.newId();
      const status = event.type === 'compaction_started' ? 'in_progress' : ENDS[event.type];
      if (status === undefined || compactionId === undefined || !editor.hearsCompactions) return false;
      const line = eventLine(state, event, { undo: undoByCommand })?.text;
      for (const text of status === 'completed' ? [sources.summary(), line] : [])
        if (text !== undefined)
          void editor.send({ sessionUpdate: 'compaction_summary_chunk', compactionId, content: { type: 'text', text: `${text}\n\n` } });
      const error = status === 'failed' ? { error: line ?? null } : {};
      void editor.send({ sessionUpdate: 'compaction_update', compactionId, status, ...error });
      if (status !== 'in_progress') compactionId = undefined;
      return true;
    },
  };
}

const planOf = (items: readonly TodoItem[]): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: items.map(
    ({ text, status }): PlanEntry => ({ content: text, priority: 'medium', status: status === 'done' ? 'completed' : status }),
  ),
});
