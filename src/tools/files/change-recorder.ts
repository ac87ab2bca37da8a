import type { RecordFileChange } from '../../agent/ports/disk.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { FileContent } from '../../domain/session/file.ts';
import { sha256Hex } from './text-file.ts';

/** Records the change of a file, and adds to its note why the former content is not kept, if it is not. */
export function createChangeRecorder(
  { recordFileChange }: { readonly recordFileChange: RecordFileChange },
  { path, tool, bytes }: { readonly path: string; readonly tool: string; readonly bytes: Buffer | undefined },
): { readonly record: (before: FileContent | undefined) => void; readonly describe: (note: Bilingual) => Bilingual } {
  let why: Bilingual | undefined;
  const after = bytes === undefined ? undefined : { fingerprint: sha256Hex(bytes), bytes: bytes.length, content: bytes };
  return {
    record: (before) => {
      why = recordFileChange({ path, tool, before, after });
    },
    describe: (note) =>
      why === undefined
        ? note
        : {
            en: `${note.en}; what it held before is not kept: ${why.en}`,
            zh: `${note.zh}；未保留原有内容：${why.zh}`,
          },
  };
}
