import { wholeText } from '../../agent/turn/person-input.ts';
import { standingMessages } from '../../context/history/past.ts';
import { localize } from '../../domain/language.ts';
import {
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  resultText,
  storedResult,
  textOf,
} from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import type { holdEvents } from '../../runtime/conversation/open-runtime.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { Chat } from '../chat/chat.ts';
import type { Editor } from './editor.ts';
import { createOptions } from './options.ts';
import { createPrompts, type PromptParts } from './prompts.ts';
import type { PromptBlock, PromptStopReason, SessionUpdate } from './protocol.ts';
import { plannedDiff, resultContent, toolCallOf } from './tool-calls.ts';
import { createUpdates, type UpdateSources, type Updates } from './updates.ts';

type SessionParts = PromptParts & {
  /** The events since before it was open. */
  readonly events: ReturnType<typeof holdEvents>;
  /** What follows once all is written. */
  readonly ended: () => Promise<void>;
};

/** A person sees that a command goes on. */
const FOLLOW_MS = 500;
/** What there is to type, and the models that there are, can wait, while the first prompt is answered too. */
const COMMANDS_AFTER_MS = 50;
const MODELS_AFTER_MS = 1_000;
/** Commands get two seconds between the two signals that end them. */
const MOST_STOP_MS = 4_000;

export type AcpSession = Readonly<ReturnType<typeof createSession>>;

export function createSession(parts: SessionParts) {
  const { chat, runtime, editor, turn } = parts;
  const { session } = chat.conversation();
  const options = createOptions(parts);
  const cost = createCost(chat);
  const updates = createUpdates(editor, { ...sourcesOf(parts), costUsd: cost.total, onModel: options.tell });
  const prompts = createPrompts(parts, updates);
  const closing = new AbortController();
  let begun: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    begun ??= tellAll(parts, { updates, prompts, options, learnCost: cost.learn, closing: closing.signal });
    return begun;
  };
  return {
    ...{ id: session.id, options, announce: updates.announce, cancel: turn.cancel, isRunning: turn.isRunning, reflect: chat.reflect },
    /** To be called when the editor knows of the session: tells what has happened, and what there is to choose from. */
    begin,
    prompt: async (blocks: readonly PromptBlock[], signal: AbortSignal): Promise<PromptStopReason> => {
      // Whoever prompts knows of the session.
      void begin().catch(() => undefined);
      const stopReason = await prompts.run(blocks, signal);
      options.tell();
      return stopReason;
    },
    /** Plays the whole conversation back. */
    replay: (): Promise<void> => {
      const past = () => chat.conversation().deps.disk.past(session.id);
      return replay(standingMessages(past), editor, { cwd: session.cwd, read: session.bodies.read });
    },
    /** Stops what runs, and leaves the session as one does at a terminal. */
    close: async (): Promise<void> => {
      closing.abort();
      turn.cancel();
      const waiting = new AbortController();
      await Promise.race([turn.ended(), runtime.environment.sleep(MOST_STOP_MS, waiting.signal).catch(() => undefined)]);
      waiting.abort();
      await chat.close('other');
      await runtime.mcp.close().finally(parts.ended);
    },
  };
}

type Told = {
  readonly updates: Updates;
  readonly prompts: ReturnType<typeof createPrompts>;
  readonly options: ReturnType<typeof createOptions>;
  readonly learnCost: () => Promise<void>;
  readonly closing: AbortSignal;
};

async function tellAll(
  { chat, editor, events, turn, runtime }: SessionParts,
  { updates, prompts, options, learnCost, closing }: Told,
): Promise<void> {
  let hear = (): void => undefined;
  const words = new Promise<void>((resolve) => {
    hear = resolve;
  });
  events.release((event) => {
    prompts.onEvent(event);
    if (event.type === 'text') hear();
  });
  await tellState(chat, updates, learnCost);
  const isOpenAfter = (ms: number): Promise<boolean> => isStillOpenAfter(ms, runtime.environment, closing);
  if (!(await isOpenAfter(COMMANDS_AFTER_MS))) return;
  // They are many files of the terminal's: a prompt that came at once has its first words before.
  if (turn.isRunning() && !(await Promise.race([words, turn.ended()]).then(() => isOpenAfter(COMMANDS_AFTER_MS)))) return;
  const { availableCommands } = await import('./slash.ts');
  void editor.send({ sessionUpdate: 'available_commands_update', availableCommands: availableCommands(chat) });
  if (!(await isOpenAfter(MODELS_AFTER_MS))) return;
  await turn.ended();
  await options.learnModels();
}

const isStillOpenAfter = (ms: number, { sleep }: Pick<Environment, 'sleep'>, closing: AbortSignal): Promise<boolean> =>
  sleep(ms, closing).then(
    () => true,
    () => false,
  );

/** What an editor shows of a session beside its messages. One that has just begun has a window to be told of, if anything. */
async function tellState(chat: Chat, updates: Updates, learnCost: () => Promise<void>): Promise<void> {
  if (!chat.conversation().resumed) return chat.checkWindow();
  const todo = chat.turn.todo();
  if (todo.length > 0) updates.plan(todo);
  await learnCost();
  updates.usage(chat.model.contextTokens(), chat.model.current().windowTokens);
}

function sourcesOf({ chat, runtime: { environment } }: SessionParts): Omit<UpdateSources, 'costUsd' | 'onModel'> {
  const messages = () => chat.conversation().session.context.messages;
  return {
    ...{ newId: environment.newId, cwd: environment.cwd, output: chat.turn.output, printed: chat.turn.printed },
    pause: () => environment.sleep(FOLLOW_MS, new AbortController().signal),
    call: (toolUseId) => {
      const calls =
        messages()
          .findLast(({ origin }) => origin === 'model')
          ?.content.filter(isToolUse) ?? [];
      const call = calls.find(({ id }) => id === toolUseId);
      return call === undefined ? undefined : toolCallOf(call, environment.cwd());
    },
    summary: () => messages().find(({ summary }) => summary !== undefined)?.summary?.text,
  };
}

/** What a session has cost, also before it was opened; that is read once. */
function createCost({ model, conversation }: Chat) {
  let earlierUsd: number | undefined = 0;
  return {
    total: (): number | undefined => {
      const since = model.costSinceOpened();
      return since === undefined || earlierUsd === undefined ? undefined : since + earlierUsd;
    },
    learn: async (): Promise<void> => {
      if (conversation().resumed) earlierUsd = (await model.cost()).earlier?.costUsd;
    },
  };
}

/** Plays stored messages to the editor as if they were said now, each as what it is; no faster than it takes them. */
export async function replay(
  messages: Iterable<Message>,
  editor: Editor,
  { cwd, read }: { readonly cwd: string; readonly read: ReadBody },
) {
  const edits = new Map<string, ReturnType<typeof plannedDiff>>();
  const names = new Map<string, string>();
  for (const message of messages) for (const update of updatesOf(message)) await editor.send(update);

  function updatesOf(message: Message): readonly SessionUpdate[] {
    const { origin, id: messageId, content, summary } = message;
    if (origin === 'user') return userChunks(message, read);
    if (origin === 'summary') return summaryUpdates(messageId, summary?.text ?? textOf(content), editor);
    return content.flatMap((block): SessionUpdate[] => {
      if (origin === 'model' && isText(block) && block.text !== '')
        return [{ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text: block.text } }];
      if (isThinking(block) && isString(block.thinking) && block.thinking !== '')
        return [{ sessionUpdate: 'agent_thought_chunk', messageId, content: { type: 'text', text: block.thinking } }];
      if (isToolUse(block)) {
        edits.set(block.id, plannedDiff(block, cwd));
        names.set(block.id, block.name);
        return [{ sessionUpdate: 'tool_call', status: 'in_progress', ...toolCallOf(block, cwd) }];
      }
      if (!isToolResult(block)) return [];
      const { tool_use_id: toolCallId, is_error: isError } = block;
      const diff = isError === true ? [] : (edits.get(toolCallId) ?? []);
      const text = storedResult(message, block, read) ?? resultText(block);
      const shown = diff.length > 0 ? diff : resultContent(names.get(toolCallId) ?? '', text);
      edits.delete(toolCallId);
      names.delete(toolCallId);
      return [{ sessionUpdate: 'tool_call_update', toolCallId, status: isError === true ? 'failed' : 'completed', content: shown }];
    });
  }
}

function userChunks(message: Message, read: ReadBody): readonly SessionUpdate[] {
  const media = message.content.flatMap(({ type, source }) =>
    type === 'image' && isObject(source) && isString(source.data) && isString(source.media_type)
      ? [{ type, data: source.data, mimeType: source.media_type } as const]
      : [],
  );
  return [{ type: 'text', text: wholeText(message, read) } as const, ...media].map((content) => ({
    ...{ sessionUpdate: 'user_message_chunk', messageId: message.id, content },
  }));
}

/** What took the place of older messages: a compaction to an editor that knows them, else a message that says what it is. */
function summaryUpdates(compactionId: string, text: string, { hearsCompactions }: Editor): readonly SessionUpdate[] {
  if (hearsCompactions)
    return [{ sessionUpdate: 'compaction_update', compactionId, status: 'completed', summary: [{ type: 'text', text }] }];
  const head = localize({ en: 'Compacted here; the summary that the model works with:', zh: '在此压缩；模型使用的摘要：' });
  return [{ sessionUpdate: 'agent_message_chunk', messageId: compactionId, content: { type: 'text', text: `${head}\n\n${text}\n\n` } }];
}
