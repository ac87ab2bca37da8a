import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { SanbotEvent, StopReason } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Questions } from '../../terminal/input/questions.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Chat } from '../chat/chat.ts';
import { givenFile } from '../chat/clipboard.ts';
import { unsavedText } from './asking.ts';
import type { Editor } from './editor.ts';
import { promptText } from './prompt-text.ts';
import type { PromptBlock, PromptStopReason } from './protocol.ts';
import { commandIn, runSlash } from './slash.ts';
import { type createTurn, stillRunning } from './turn.ts';
import type { Updates } from './updates.ts';

export type PromptParts = {
  readonly chat: Chat;
  readonly runtime: Runtime;
  readonly editor: Editor;
  readonly turn: ReturnType<typeof createTurn>;
  readonly questions: Questions;
};

const MAX_TITLE_CHARS = 80;

/** What the editor sends, said to the model or run as a command; and what it is told meanwhile. */
export function createPrompts({ chat, runtime, editor, turn, questions }: PromptParts, updates: Updates) {
  const { environment, config, givenFiles } = runtime;
  let stopReason: StopReason | undefined;
  let compared = new Set<string>();
  const lookForUnsaved = async (path: string): Promise<void> => {
    if (compared.has(path)) return;
    compared.add(path);
    if (await editor.hasUnsaved(path)) updates.tell({ tone: 'notice', text: unsavedText(path) });
  };
  const perform = (text: string, command: ReturnType<typeof commandIn>, signal: AbortSignal): Promise<void> => {
    const say = (said: string) => chat.turn.say(said, signal);
    if (command === undefined) return say(text);
    return runSlash(command, {
      ...{ chat, questions, signal, say, show: updates.say },
      ...{ now: environment.now, retentionDays: config.compaction.snapshotRetentionDays },
    });
  };
  return {
    onEvent: (event: SanbotEvent): void => {
      if (event.type === 'turn_ended') ({ stopReason } = event);
      updates.onEvent(event);
      const call = event.type === 'tool_started' ? updates.announce(event.toolUseId) : undefined;
      const path = call?.kind === 'read' || call?.kind === 'edit' ? call.locations?.[0]?.path : undefined;
      if (path !== undefined) void lookForUnsaved(path);
    },
    run: async (blocks: readonly PromptBlock[], outer: AbortSignal): Promise<PromptStopReason> => {
      if (turn.isRunning()) throw stillRunning();
      const text = promptText(blocks, (bytes, name) => givenFile(bytes, name, environment, givenFiles), config.agent);
      if (text === '') throw new SanbotError('usage', { en: 'The prompt is empty', zh: '提示词为空' });
      const isFirst = chat.conversation().session.context.messages.length === 0;
      [stopReason, compared] = [undefined, new Set()];
      const command = commandIn(text);
      try {
        await turn.run((signal) => perform(text, command, signal), outer);
      } catch (error) {
        const reason = endOf(error);
        if (reason === undefined) throw error;
        if (error instanceof SanbotError) updates.say(`${localize(error.shown.message)}. ${localize(error.shown.hint)}\n\n`);
        return reason;
      }
      const named = command?.name === 'rename' ? command.argument : isFirst && command === undefined ? text : '';
      const title = safeLine(named.split('\n', 1)[0] ?? '').slice(0, MAX_TITLE_CHARS);
      if (title !== '') void editor.send({ sessionUpdate: 'session_info_update', title });
      return stopReason === undefined ? 'end_turn' : stopReasons[stopReason];
    },
  };
}

/** How a turn ended that the next prompt goes on with; undefined for a failure. */
function endOf(error: unknown): PromptStopReason | undefined {
  if (error instanceof AbortedError) return 'cancelled';
  const isBound = error instanceof SanbotError && (error.code === 'steps_exhausted' || error.code === 'loop_detected');
  return isBound ? 'max_turn_requests' : undefined;
}

const stopReasons: Readonly<Record<StopReason, PromptStopReason>> = {
  ...{ end_turn: 'end_turn', max_tokens: 'max_tokens', refusal: 'refusal', interrupted: 'cancelled' },
  ...{ max_steps: 'max_turn_requests', loop: 'max_turn_requests', max_cost: 'end_turn', max_seconds: 'end_turn', failed: 'end_turn' },
};
