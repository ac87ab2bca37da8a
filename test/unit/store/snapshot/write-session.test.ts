import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseImportedSnapshot, writeImportedSnapshot } from '../../../../src/store/snapshot/write-session.ts';
import { contextOf, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';

/** A snapshot as an exported file holds it. */
function exported() {
  const { store, paths } = storeOf();
  const context = contextOf([user('hello')]);
  const meta = store.snapshots.write({ sessionId: 's1', group: 'main', reason: 'clear', model: 'm', tokens: 7, context, bodies: [] });
  return { context, meta, bytes: readFileSync(paths.snapshot('main', meta.id)) };
}

test('a snapshot of another home is written under its own id, and never over one that is there', () => {
  const { context, meta, bytes } = exported();
  const parsed = parseImportedSnapshot(meta, bytes);
  if ('why' in parsed) throw new Error(parsed.why.en);
  const { disk, paths, store } = storeOf();
  expect(writeImportedSnapshot(disk, paths, parsed)).toBe(true);
  expect(store.snapshots.read(meta.id)).toMatchObject({ kind: 'found', context });
  const before = readFileSync(paths.snapshotMeta('main', meta.id), 'utf8');
  expect(writeImportedSnapshot(disk, paths, { ...parsed, context: contextOf([]), meta: { ...meta, tokens: 8 } })).toBe(false);
  expect(store.snapshots.read(meta.id)).toMatchObject({ kind: 'found', context });
  expect(readFileSync(paths.snapshotMeta('main', meta.id), 'utf8')).toBe(before);
});

test('one that is not what was exported is refused, with the reason [S-36]', () => {
  const { meta, bytes } = exported();
  const whyOf = (otherMeta: unknown, otherBytes = bytes): unknown => {
    const parsed = parseImportedSnapshot(otherMeta, otherBytes);
    return 'why' in parsed ? parsed.why.en : undefined;
  };
  expect(whyOf(meta)).toBeUndefined();
  expect(whyOf({ ...meta, id: '../x' })).toBe('its meta is damaged');
  expect(whyOf({ ...meta, tokens: 'x' })).toBe('its meta is damaged');
  expect(whyOf(meta, Buffer.concat([bytes, bytes]))).toBe('sha256 differs');
  expect(whyOf({ ...meta, sessionId: 's2' })).toMatch(/\w/);
});
