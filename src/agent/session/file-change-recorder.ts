import type { FolderChanges, RecordFileChange } from '../ports/disk.ts';
import type { Session } from './session.ts';

type RecorderDeps = { readonly changes: () => Promise<Pick<FolderChanges, 'edit'>>; readonly newId: () => string };

/** Gives what writes down the edits of a session among the changes of its commands; that is loaded for the first of them. */
export const fileChangeRecorder =
  (session: Pick<Session, 'cwd' | 'lastRecord'>, { changes, newId }: RecorderDeps) =>
  async (): Promise<RecordFileChange> => {
    const { edit } = await changes();
    return ({ tool, ...change }) =>
      edit(change, { id: newId(), title: `${tool} ${nameIn(session.cwd, change.path)}`, record: session.lastRecord });
  };

const nameIn = (cwd: string, path: string): string => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
