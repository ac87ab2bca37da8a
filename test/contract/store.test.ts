import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Bodies, Memories, Snapshots } from '../../src/agent/ports/disk.ts';
import { createStore } from '../../src/store/store.ts';
import { contextOf, says, user } from '../support/build.ts';
import { createMemoryStore } from '../support/memory-store.ts';

/** What the agent's ports promise holds for the disk and for what stands for it. */
type Kept = { readonly bodies: Bodies; readonly snapshots: Snapshots; readonly memories: Memories };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const onDisk = (): Kept => {
  const home = mkdtempSync(join(tmpdir(), 'sanbot-contract-'));
  folders.push(home);
  let serial = 0;
  const store = createStore(
    {
      home,
      now: () => new Date('2026-01-02T03:04:05.000Z'),
      newId: () => `n${++serial}`,
      pid: process.pid,
      platform: process.platform,
      probePid: (pid) => void process.kill(pid, 0),
    },
    { maxSessionBytes: 1_000_000, warn: () => undefined },
  );
  return { bodies: store.bodies('s1'), snapshots: store.snapshots, memories: store.memories('main') };
};

const implementations: readonly (readonly [string, () => Kept])[] = [
  ['the disk', onDisk],
  ['the store of the tests', createMemoryStore],
];

describe.each(implementations)('%s', (_name, create) => {
  test('keeps a body once under its content, and finds it when it is retired, and after it is restored [S12, S10]', () => {
    const { bodies } = create();
    const text = '第一行\nsecond line\u2028with a separator\n';
    const first = bodies.save(text);
    const again = bodies.save(text);
    if (first === undefined) throw new Error('not saved');
    expect(again).toEqual(first);
    expect(first.path).toBe(bodies.path(first.ref));
    expect(bodies.read(first.ref)).toBe(text);
    expect(first.ref.bytes).toBe(Buffer.byteLength(text));
    const other = bodies.save('kept');
    expect(bodies.retire(new Set([other?.ref.sha256 ?? '']))).toEqual({ retired: 1, failed: [] });
    expect(bodies.read(first.ref)).toBe(text);
    bodies.restore([{ ref: first.ref, text }]);
    expect(bodies.read(first.ref)).toBe(text);
    expect(bodies.retire(new Set())).toEqual({ retired: 2, failed: [] });
    expect(bodies.read({ ...first.ref, sha256: '0'.repeat(64) })).toBeUndefined();
  });

  test('gives a snapshot back to the byte, under ids that sort by time and never collide [B9, B17]', () => {
    const { snapshots, bodies } = create();
    const context = contextOf([user('hello'), says('你好')], { shortTermSummary: 'a note' });
    const body = bodies.save('body');
    const wish = {
      sessionId: 's1',
      group: 'main',
      reason: 'compaction' as const,
      model: 'm',
      tokens: 9,
      context,
      bodies: body === undefined ? [] : [{ ref: body.ref, text: 'body' }],
    };
    const ids = [snapshots.write(wish).id, snapshots.write(wish).id, snapshots.write(wish).id];
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(3);
    const found = snapshots.read(ids[1] ?? '');
    expect(found.kind === 'found' && found.context).toEqual(context);
    expect(found.kind === 'found' && JSON.stringify(found.context.messages)).toBe(JSON.stringify(context.messages));
    expect(found.kind === 'found' && found.bodies).toEqual(wish.bodies);
    snapshots.recordOutcome(ids[1] ?? '', { at: '2026-01-02T03:04:06.000Z', messages: 1, tokensAfter: 3, line: 'done' });
    const noted = snapshots.read(ids[1] ?? '');
    expect(noted.kind === 'found' && noted.meta.outcome?.line).toBe('done');
    expect(snapshots.read('s1-20200101T000000000Z').kind).toBe('missing');
  });

  test('says how many memories were added, by kind', () => {
    const { memories } = create();
    const entry = { kind: 'decisions' as const, text: 'SQLite it is', sessionId: 's1', messageId: 'm1', at: '2026-01-02T03:04:05.000Z' };
    expect(memories.add([entry, { ...entry, kind: 'facts', text: 'The port is 8123' }])).toEqual({
      decisions: 1,
      facts: 1,
      preferences: 0,
      runtime: 0,
    });
  });
});
