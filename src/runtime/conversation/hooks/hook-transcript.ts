import { appendFileSync, lstatSync } from 'node:fs';
import { warn } from '../../../agent/deps.ts';
import type { RecordedActs } from '../../../agent/ports/disk.ts';
import type { Emit } from '../../../agent/ports/effects.ts';
import { sdkLine } from '../../../context/history/transcript.ts';
import { errorReason } from '../../../domain/errors.ts';
import { type Bilingual, because } from '../../../domain/language.ts';
import { unlinkIfExists } from '../../../store/files/atomic-write.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import { encodeLine } from '../../../store/files/record-line.ts';
import { rewriteLines } from '../../../store/files/rewrite-lines.ts';
import { recordsFrom } from '../../../store/session/peek-session.ts';
import { versionOf } from '../../home.ts';
import { storeEnvironmentOf } from '../../open-store.ts';
import type { Runtime } from '../../runtime.ts';

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
