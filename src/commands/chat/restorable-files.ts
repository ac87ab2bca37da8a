import { filesSince } from '../../context/history/past.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { RestorableFile, RestorableFiles } from '../../terminal/views/file-restore.ts';
import { planRestore } from '../../tools/files/restore-file.ts';

/** The files that this session's tools changed after record `n` of its log, and that are not what they were then. */
export async function restorableFiles(
  { session, deps, recordFileChange }: Conversation,
  { environment, store }: Runtime,
  n: number,
): Promise<RestorableFiles> {
  const { read } = store.fileVersions(session.id);
  const files: RestorableFile[] = [];
  const unrestorable: RestorableFiles['unrestorable'][number][] = [];
  for (const file of filesSince(deps.disk.past(session.id), n)) {
    const plan = await planRestore(file, {
      cwd: environment.cwd(),
      read,
      recordFileChange,
      newId: environment.newId,
      now: environment.now,
    });
    if (plan.kind === 'cannot') unrestorable.push(plan);
    if (plan.kind === 'ready') files.push({ ...plan, restore: plan.perform });
  }
  return { files, unrestorable };
}
