import { expect, test } from 'vitest';
import { toolCalls } from '../../../../src/context/ledger/tool-calls.ts';
import type { Change, ChangeSet, Entry } from '../../../../src/domain/session/change.ts';
import { addFile, emptyFileTally, touchedFiles } from '../../../../src/report/session/report-size.ts';
import { answers, calls } from '../../../support/build.ts';

const entry = (size: number, kind: Entry['kind'] = 'file'): Entry => ({ kind, mode: 0o644, size, mtime: 0, ctime: 0, ino: 0 });
const change = (path: string, before: number | null, after: number | null): Change => ({
  path,
  before: before === null ? null : entry(before),
  after: after === null ? null : entry(after),
});
const set = (...changes: readonly Change[]): ChangeSet => ({ n: 1, at: '', by: { id: 'c', title: 'sed', record: 1 }, changes });

test('files that commands and tools changed are told from the record, each with its sizes, and others by what the calls name', () => {
  const tally = emptyFileTally();
  const made = toolCalls(
    [
      calls({ id: 'r', name: 'read_file', input: { path: 'a' } }, { id: 'e', name: 'edit_file', input: { path: 'a' } }),
      answers({ id: 'r' }, { id: 'e' }),
    ],
    () => undefined,
  );
  for (const call of made) addFile(tally, call);
  const version = (bytes: number) => ({ fingerprint: 'x', bytes, kept: true });
  addFile(tally, { type: 'file', path: '/w/old', tool: 'edit_file', before: version(3), after: version(4) });
  const changes = [
    set(change('/w/a', 10, 20)),
    set(change('/w/old', 4, 9), change('/w/gone', 5, null), change('/w/new', null, 6), change('/w/.git/index', 1, 2), {
      path: '/w/d',
      before: null,
      after: entry(1, 'folder'),
    }),
    { ...set(change('/w/theirs', 1, 2)), by: undefined },
  ];
  expect(touchedFiles(tally, { cwd: '/w', home: '/h', changes }).files).toEqual([
    { path: '/w/old', reads: 0, changes: 2, before: 3, after: 9 },
    { path: '/w/a', reads: 1, changes: 1, before: 10, after: 20 },
    { path: '/w/gone', reads: 0, changes: 1, before: 5, after: null },
    { path: '/w/new', reads: 0, changes: 1, before: null, after: 6 },
  ]);
});
