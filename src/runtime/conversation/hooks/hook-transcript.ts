import { appendFileSync, lstatSync } from 'node:fs';
import { warn } from '../../../agent/deps.ts';
import { addPromptContext, addStartContext, notify, type StartSource } from '../../../agent/hooks/hooks.ts';
import type { RecordedActs } from '../../../agent/ports/disk.ts';
import type { Emit, Sleep } from '../../../agent/ports/effects.ts';
import { sdkLine } from '../../../context/history/transcript.ts';
import { AbortedError, errorReason, SanbotError } from '../../../domain/errors.ts';
import { type Bilingual, because } from '../../../domain/language.ts';
import { unlinkIfExists } from '../../../store/files/atomic-write.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import { encodeLine } from '../../../store/files/record-line.ts';
import { rewriteLines } from '../../../store/files/rewrite-lines.ts';
import { recordsFrom } from '../../../store/session/peek-session.ts';
import { versionOf } from '../../home.ts';
import { storeEnvironmentOf } from '../../open-store.ts';
import type { Runtime } from '../../runtime.ts';
import type { Conversation, EndReason } from '../types.ts';

/** `acts` records what hooks change. */
export type HookOwner = HookSession & { readonly acts: RecordedActs };

export type HookSession = { readonly sessionId: string; readonly cwd: string; readonly emit: Emit };

/** How far a transcript has come: what it holds needs not be read again before the next hook. */
type Progress = { position: number; bytes: number; parent: string | null; readonly seenIds: Set<string> };

/**
 * Returns a function that brings the transcript for hooks up to date, the whole conversation from the log, and says where it is. A session
 * that is not on disk yet has none, and what fails is told.
 */
export function createHookTranscript({ sessionId, cwd, emit }: HookSession, { environment, home, store }: Runtime): () => string {
  const paths = pathsOf(home);
  const path = paths.transcript(sessionId);
  const place = { sessionId, cwd, version: versionOf(environment), bodyOf: store.bodies(sessionId).read };
  const disk = { ...storeEnvironmentOf(environment, home), warn: (message: Bilingual) => warn(emit, message) };
  let progress: Progress | undefined;
  function* newLines(state: Progress): Generator<Uint8Array> {
    for (const { record, end } of recordsFrom(paths, sessionId, state.position)) {
      state.position = end;
      const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
      for (const message of messages) {
        if (state.seenIds.has(message.id)) continue;
        state.seenIds.add(message.id);
        const line = encodeLine(sdkLine(message, state.parent, place));
        state.parent = message.id;
        state.bytes += line.length;
        yield line;
      }
    }
  }
  const update = (): void => {
    const before = progress;
    progress = undefined;
    const state = before ?? { position: 0, bytes: 0, parent: null, seenIds: new Set() };
    if (before === undefined) rewriteLines(disk, path, newLines(state));
    else for (const line of newLines(state)) appendFileSync(path, line);
    progress = state;
  };
  return () => {
    const log = lstatSync(paths.log(sessionId), { throwIfNoEntry: false });
    if (log === undefined) return path;
    // A hook may have moved the file away, or written to it.
    const isAsLeft = progress !== undefined && progress.position <= log.size && sizeOf(path) === progress.bytes;
    if (!isAsLeft) progress = undefined;
    try {
      update();
    } catch (error) {
      warn(emit, because({ en: 'The transcript for the hooks was not written', zh: '没有写入供钩子使用的会话记录' }, errorReason(error)));
    }
    return path;
  };
}

const sizeOf = (path: string): number | undefined => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : undefined;
};

/** It is there for hooks, as long as the session is open. */
export const removeTranscript = (home: string, sessionId: string): void => unlinkIfExists(pathsOf(home).transcript(sessionId));

export type SessionHooks = ReturnType<typeof createSessionHooks>;

/** How long nothing is said before that is a notification. */
const IDLE_MS = 60_000;
const IDLE = { type: 'idle_prompt', title: 'Waiting for you', message: 'SanBot is waiting for what you say next' };

/** When the hooks of one session run. Looking at a session and leaving again runs none. */
export function createSessionHooks(
  { session, deps }: Pick<Conversation, 'session' | 'deps'>,
  { source: initialSource, sleep }: { readonly source: StartSource; readonly sleep: Sleep },
) {
  let source: StartSource | undefined = initialSource;
  let hasStarted = false;
  let rest = new AbortController();
  const waitIdly = (): void => {
    rest = new AbortController();
    sleep(IDLE_MS, rest.signal).then(
      () => notify(IDLE, deps.person),
      () => undefined,
    );
  };
  return {
    /** Before each turn: runs the SessionStart hooks once, and once more after `renew`. Rejects only with store_failed. */
    start: async (signal: AbortSignal): Promise<void> => {
      rest.abort();
      if (source === undefined) return;
      const from = source;
      source = undefined;
      hasStarted = true;
      await addStartContext(from, session, deps, signal).catch((error: unknown) => {
        // The turn itself sees the signal, and keeps what the user said.
        if (!(error instanceof AbortedError)) throw error;
      });
    },
    /**
     * Shows the UserPromptSubmit hooks what was said, before anything is made of it. Rejects with refused when one blocks it, with
     * AbortedError when the user did not wait for their answer: nothing was said then.
     */
    submit: async (prompt: string, signal: AbortSignal): Promise<void> => {
      const why = await addPromptContext(prompt, session, deps, signal);
      if (why === undefined) return;
      throw new SanbotError(
        'refused',
        { en: `A UserPromptSubmit hook blocked what you said: ${why}`, zh: `UserPromptSubmit 钩子阻止了你的消息：${why}` },
        { en: 'Nothing was sent or stored.', zh: '没有发送或保存任何内容。' },
      );
    },
    /** The turn that runs. When it has ended and nothing is said for a minute, the Notification hooks hear that the prompt waits. */
    turn: async <T>(running: Promise<T>): Promise<T> => {
      try {
        return await running;
      } finally {
        if (deps.person.interactive === true) waitIdly();
      }
    },
    renew: (nextSource: StartSource): void => {
      source = nextSource;
    },
    /** Runs the SessionEnd hooks of a session that was begun. Never rejects. */
    end: async (reason: EndReason): Promise<void> => {
      rest.abort();
      if (hasStarted) await deps.person.runHooks?.('SessionEnd', { reason }, new AbortController().signal);
    },
  };
}
