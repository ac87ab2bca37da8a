import { expect, test } from 'vitest';
import type { FolderChanges } from '../../../../src/agent/ports/disk.ts';
import { fileChangeRecorder } from '../../../../src/agent/session/file-change-recorder.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';

test('an edit is written down as an act of its own, after the last record of the log, and nothing is loaded before the first', async () => {
  const edits: unknown[] = [];
  let loads = 0;
  const edit: FolderChanges['edit'] = (change, by) => {
    edits.push([change.path, by]);
    return sameInBoth('why');
  };
  const changes = async () => {
    loads += 1;
    return { edit };
  };
  const session = { cwd: '/w', lastRecord: 4 };
  let id = 0;
  const open = fileChangeRecorder(session, { changes, newId: () => `id-${++id}` });
  expect(loads).toBe(0);
  const record = await open();
  expect(record({ path: '/w/甲 a.txt', tool: 'edit_file', before: undefined, after: undefined })).toEqual(sameInBoth('why'));
  session.lastRecord = 7;
  record({ path: '/elsewhere/b', tool: 'write_file', before: undefined, after: undefined });
  const ofHelper = await open('helper-1');
  ofHelper({ path: '/w/c', tool: 'edit_file', before: undefined, after: undefined });
  expect(edits).toEqual([
    ['/w/甲 a.txt', { id: 'id-1', title: 'edit_file 甲 a.txt', record: 4 }],
    ['/elsewhere/b', { id: 'id-2', title: 'write_file /elsewhere/b', record: 7 }],
    ['/w/c', { id: 'helper-1-id-3', title: 'helper-1: edit_file c', record: 7 }],
  ]);
});
