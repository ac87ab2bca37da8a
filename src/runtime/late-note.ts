import type { NoteFile } from '../agent/ports.ts';

export type LateNote = { readonly note: NoteFile; readonly begin: (note: NoteFile) => void };

/** The tools are made before the session that records what they change. */
export function lateNote(): LateNote {
  let noteFile: NoteFile | undefined;
  return {
    note: (change) => {
      if (noteFile === undefined) throw new Error('A file was changed before its session was open');
      return noteFile(change);
    },
    begin: (note) => {
      noteFile = note;
    },
  };
}
