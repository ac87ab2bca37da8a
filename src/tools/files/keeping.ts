import type { NoteFile } from '../../agent/ports.ts';
import type { FileContent } from '../../domain/file.ts';
import { sha256Of } from './text-file.ts';

/** What a change of a file does to what is kept of it, and how a person is told when something is not. */
export function keepingOf(
  { noteFile }: { readonly noteFile: NoteFile },
  { path, tool, bytes }: { readonly path: string; readonly tool: string; readonly bytes: Buffer | undefined },
): { readonly note: (before: FileContent | undefined) => void; readonly told: (note: string) => string } {
  let why: string | undefined;
  const after = bytes === undefined ? undefined : { fingerprint: sha256Of(bytes), bytes: bytes.length, content: bytes };
  return {
    note: (before) => {
      why = noteFile({ path, tool, before, after });
    },
    told: (note) => (why === undefined ? note : `${note}; what it held before is not kept: ${why}`),
  };
}
