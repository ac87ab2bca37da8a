import type { Bilingual } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, readOwnFile } from '../files/disk.ts';
import { failureReason } from '../files/failure.ts';
import type { StorePaths } from '../files/paths.ts';

/** Reads the title from its file beside the log, for lists. The newest title record of the log is authoritative. Undefined for none. */
export const readTitle = (paths: StorePaths, sessionId: string): string | undefined =>
  orUndefined(() => readOwnFile(paths.title(sessionId))?.toString('utf8'));

export type SessionTitle = { readonly sessionId: string; readonly title: string };

/** Writes the title; it is on disk on return. Throws store_failed. */
export function writeTitle(disk: Disk, paths: StorePaths, { sessionId, title }: SessionTitle): void {
  writeFileAtomic(disk, paths.title(sessionId), Buffer.from(title, 'utf8'), { point: 'title' });
}

/** Brings the title file up to date with the log, which is one step ahead after a crash. Never throws: a failure is a warning. */
export function syncTitle(disk: Disk, paths: StorePaths, { sessionId, title }: SessionTitle): readonly Bilingual[] {
  try {
    if (readOwnFile(paths.title(sessionId))?.toString('utf8') !== title) writeTitle(disk, paths, { sessionId, title });
    return [];
  } catch (error) {
    const why = failureReason(error, paths.title(sessionId));
    return [{ en: `The file with the session's title differs from the log: ${why.en}.`, zh: `会话标题文件与日志不一致：${why.zh}。` }];
  }
}
