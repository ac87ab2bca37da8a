import { expect, test } from 'vitest';
import type { Actor, Change, Entry } from '../../../../src/domain/session/change.ts';
import { isAllowedManifest } from '../../../../src/tools/place/allowed-manifests.ts';

const file: Entry = { kind: 'file', mode: 0o644, size: 1, mtime: 1, ctime: 1, ino: 1 };
const npm: Actor = { id: 'a', title: 'npm install x', record: 1, held: true, writes: ['package.json', 'package-lock.json'] };
const other: Actor = { id: 'b', title: 'make', record: 1, held: true };
const change = (path: string, more: Partial<Change> = {}): Change => ({ path: `/project/${path}`, before: file, after: file, ...more });
const none = { before: undefined, after: undefined };

test('what an allowed package manager writes stays, where nobody else was at work', () => {
  expect(isAllowedManifest(change('package-lock.json'), [npm], () => none)).toBe(true);
  expect(isAllowedManifest(change('sub/package-lock.json', { before: null }), [npm], () => none)).toBe(true);
  expect(isAllowedManifest(change('package-lock.json'), [npm, other], () => none)).toBe(false);
  expect(isAllowedManifest(change('.envrc'), [npm], () => none)).toBe(false);
  expect(isAllowedManifest(change('package-lock.json', { after: null }), [npm], () => none)).toBe(false);
  expect(isAllowedManifest(change('package-lock.json', { after: { ...file, kind: 'link' } }), [npm], () => none)).toBe(false);
});

test('of a package.json, packages and the version may be others, and nothing that runs', () => {
  const before = '{"name":"a","version":"1.0.0","scripts":{"test":"x"},"dependencies":{"a":"1"}}';
  const isAllowed = (after: string | undefined, isNew = false) =>
    isAllowedManifest(change('package.json'), [npm], () => ({ before: isNew ? undefined : before, after }));
  expect(isAllowed('{"name":"a","version":"1.0.1","scripts":{"test":"x"},"dependencies":{"a":"1","b":"2"}}')).toBe(true);
  expect(isAllowed('{"name":"a","scripts":{"test":"x"},"devDependencies":{"b":"2"}}')).toBe(true);
  expect(isAllowed('{"dependencies":{"b":"2"}}', true)).toBe(true);
  for (const after of [
    '{"name":"a","scripts":{"test":"evil"},"dependencies":{"a":"1"}}',
    '{"name":"a","scripts":{"test":"x"},"bin":"evil"}',
    '{"name":"a","scripts":{"test":"x"},"workspaces":["evil"]}',
    '{"name":"a","scripts":{"test":"x"}',
    '[]',
    undefined,
  ])
    expect([after, isAllowed(after)]).toEqual([after, false]);
  expect(isAllowed('{"scripts":{"test":"evil"}}', true)).toBe(false);
});
