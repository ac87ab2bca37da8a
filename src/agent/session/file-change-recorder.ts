import type { FolderChanges, RecordFileChange } from '../ports/disk.ts';
import type { Session } from './session.ts';

type RecorderDeps = { readonly changes: () => Promise<Pick<FolderChanges, 'edit'>>; readonly newId: () => string };

/** For a session, or a helper of it by its name. */
export type FileChangeRecorder = (helper?: string) => Promise<RecordFileChange>;

/** Gives what writes down the edits of a session among the changes of its commands; that is loaded for the first of them. */
export const fileChangeRecorder =
  (session: Pick<Session, 'cwd' | 'lastRecord'>, { changes, newId }: RecorderDeps): FileChangeRecorder =>
  async (helper) => {
    const { edit } = await changes();
    const [idStart, titleStart] = helper === undefined ? ['', ''] : [`${helper}-`, `${helper}: `];
    return ({ tool, ...change }) => {
      const title = `${titleStart}${tool} ${nameIn(session.cwd, change.path)}`;
      return edit(change, { id: `${idStart}${newId()}`, title, record: session.lastRecord });
    };
  };

const nameIn = (cwd: string, path: string): string => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
