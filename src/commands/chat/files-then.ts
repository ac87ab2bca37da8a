import { filesSince } from '../../context/history/past.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Setting } from '../../runtime/setting.ts';
import type { FilesThen, FileToRestore } from '../../terminal/views/file-restore.ts';
import { planRestore } from '../../tools/files/restore-file.ts';

/** The files that this session's tools changed after record `n` of its log, and that are not what they were then. */
export async function filesThen({ session, deps, noteFile }: Conversation, { world, store }: Setting, n: number): Promise<FilesThen> {
  const { read } = store.fileVersions(session.id);
  const files: FileToRestore[] = [];
  const cannot: FilesThen['cannot'][number][] = [];
  for (const file of filesSince(deps.past(session.id), n)) {
    const plan = await planRestore(file, { cwd: world.cwd(), read, recordFileChange: noteFile, newId: world.newId, now: world.now });
    if (plan.kind === 'cannot') cannot.push(plan);
    if (plan.kind === 'ready') files.push({ ...plan, restore: plan.perform });
  }
  return { files, cannot };
}
