import type { Bilingual } from '../../domain/language.ts';
import type { FileContent, FileVersion } from '../../domain/session/file.ts';
import type { FileVersions, RecordFileChange } from '../ports/disk.ts';
import type { Session } from './session.ts';

/** Both contents first, then the record that names them; what the disk refuses leaves no record, and the file must stay as it is. */
export const fileChangeRecorder =
  (session: Session, versions: FileVersions): RecordFileChange =>
  ({ path, tool, before, after }) => {
    const previous = keep(before, versions);
    const current = keep(after, versions);
    session.appendOrDiscard({ type: 'file', path, tool, before: previous.version, after: current.version });
    return previous.why;
  };

function keep(
  file: FileContent | undefined,
  versions: FileVersions,
): { readonly version: FileVersion | null; readonly why: Bilingual | undefined } {
  if (file === undefined) return { version: null, why: undefined };
  const { fingerprint, bytes, mode, content } = file;
  const why = content === undefined ? { en: 'it is too large', zh: '文件太大' } : versions.keep(content);
  return { version: { fingerprint, bytes, ...(mode === undefined ? {} : { mode }), kept: why === undefined }, why };
}
