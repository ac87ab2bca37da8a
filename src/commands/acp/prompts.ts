import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted } from '../../agent/hooks/hooks.ts';
import { AbortedError, inOneLine, SanbotError } from '../../domain/errors.ts';
import type { SanbotEvent, StopReason } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { redact } from '../../domain/value/redact.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Questions } from '../../terminal/input/questions.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Chat } from '../chat/chat.ts';
import { givenFile } from '../chat/clipboard.ts';
import { unsavedText } from './asking.ts';
import type { Editor } from './editor.ts';
import type { PromptBlock, PromptStopReason } from './protocol.ts';
import type { SlashLine } from './slash.ts';
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
  const perform = async (text: string, command: SlashLine | undefined, signal: AbortSignal): Promise<void> => {
    const say = (said: string) => chat.turn.say(said, signal);
    if (command === undefined) return say(text);
    return (await import('./slash.ts')).runSlash(command, {
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
      const command = text.startsWith('/') ? (await import('./slash.ts')).commandIn(text) : undefined;
      try {
        await turn.run((signal) => perform(text, command, signal), outer);
      } catch (error) {
        const reason = endOf(error);
        if (reason === undefined) throw error;
        if (error instanceof SanbotError) updates.say(`${localize(inOneLine(error))}\n\n`);
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

/** What runs in a session, one thing at a time: a prompt, with all that is asked meanwhile. */
export function createTurn() {
  let current: { readonly controller: AbortController; readonly ended: Promise<unknown> } | undefined;
  const idle = new AbortController().signal;
  return {
    isRunning: (): boolean => current !== undefined,
    /** That of what runs now. */
    signal: (): AbortSignal => current?.controller.signal ?? idle,
    cancel: (): void => current?.controller.abort(),
    /** Resolves when nothing runs. */
    ended: async (): Promise<void> => {
      await current?.ended;
    },
    /** Rejects with refused while something runs, else as `work` does; `outer` ends it as well. */
    run: async <T>(work: (signal: AbortSignal) => Promise<T>, outer: AbortSignal): Promise<T> => {
      if (current !== undefined) throw stillRunning();
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      outer.addEventListener('abort', stop, { once: true });
      if (outer.aborted) stop();
      const running = work(controller.signal);
      current = { controller, ended: running.catch(() => undefined) };
      try {
        return await running;
      } finally {
        outer.removeEventListener('abort', stop);
        current = undefined;
      }
    },
  };
}

/** One thing at a time in a session. */
export const stillRunning = (): SanbotError =>
  new SanbotError(
    'refused',
    { en: 'A prompt is running in this session', zh: '此会话中已有一轮正在运行' },
    { en: 'Cancel it, or wait for its end.', zh: '请取消，或等它结束。' },
  );

/** Puts what the editor hands over into a file of the user's own, and returns its path. */
export type GiveFile = (bytes: Buffer, name: string) => string;

const endings: ReadonlyMap<string | null | undefined, string> = new Map([
  ...[['image/png', 'png'] as const, ['image/jpeg', 'jpg'] as const, ['image/gif', 'gif'] as const, ['image/webp', 'webp'] as const],
  ['application/pdf', 'pdf'],
]);

/**
 * What an editor sends as one message: links to files and images are named with @, as a person would at the prompt, and what it embeds stands
 * between tags with its path. That is a file's content and not their words: masked as every file, and quoted, so that nothing in it is taken
 * for what they want from now on.
 */
export function promptText(blocks: readonly PromptBlock[], give: GiveFile, { redactSecrets }: { readonly redactSecrets: boolean }): string {
  let text = '';
  const mention = (path: string): void => {
    text += `${/(?:^|\s)$/.test(text) ? '' : ' '}@"${path}" `;
  };
  for (const block of blocks) {
    if (block.type === 'text') text += block.text;
    else if (block.type === 'image') mention(give(Buffer.from(block.data, 'base64'), `image.${endings.get(block.mimeType) ?? 'bin'}`));
    else if (block.type === 'resource_link') {
      const path = pathOf(block.uri);
      if (path === undefined || /["\n]/.test(path)) text += `[${block.name}](${block.uri})`;
      else mention(path);
    } else if (block.type === 'resource') {
      const { resource } = block;
      const path = pathOf(resource.uri) ?? resource.uri;
      const ending = 'blob' in resource ? endings.get(resource.mimeType) : undefined;
      if ('text' in resource)
        text += `\n<file path=${JSON.stringify(path)}>\n${quoted(redactSecrets ? redact(resource.text) : resource.text)}\n</file>\n`;
      else if (ending !== undefined) mention(give(Buffer.from(resource.blob, 'base64'), `file.${ending}`));
      else text += `[${basename(path)}](${resource.uri})`;
    }
  }
  return text.trim();
}

/** Of a file on this machine; lines that its address names are none of its path. */
const pathOf = (uri: string): string | undefined => {
  if (!uri.startsWith('file:')) return undefined;
  return orUndefined(() => fileURLToPath(uri.replace(/[?#].*$/s, '')));
};
