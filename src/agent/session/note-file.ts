import type { FileContent, FileVersion } from '../../domain/file.ts';
import type { FileVersions, NoteFile } from '../ports.ts';
import type { Session } from './session.ts';

/** Both contents first, then the record that names them; what the disk refuses leaves no record, and the file must stay as it is. */
export const noteFiles =
  (session: Session, versions: FileVersions): NoteFile =>
  ({ path, tool, before, after }) => {
    const was = keep(before, versions);
    const is = keep(after, versions);
    session.appendOrForget({ type: 'file', path, tool, before: was.version, after: is.version });
    return was.why;
  };

function keep(
  file: FileContent | undefined,
  versions: FileVersions,
): { readonly version: FileVersion | null; readonly why: string | undefined } {
  if (file === undefined) return { version: null, why: undefined };
  const { fingerprint, bytes, mode, content } = file;
  const why = content === undefined ? 'it is too large' : versions.keep(content);
  return { version: { fingerprint, bytes, ...(mode === undefined ? {} : { mode }), kept: why === undefined }, why };
}
