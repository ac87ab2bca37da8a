import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryEntry } from '../../../../src/domain/memory/memory.ts';
import { markPage } from '../../../../src/store/memory/page-file.ts';
import { failing, storeOf, thrownBy } from '../files/world.ts';

const entry = (text: string, messageId: string, sessionId = 's1'): MemoryEntry => ({
  ...{ kind: 'decisions', text, sessionId, messageId },
  at: '2026-03-04T05:06:07.000Z',
});

const U1 = 's1-20260304T050607000Z';
const U2 = 's1-20260304T050608000Z';
const back = (by: string, later: readonly string[], undone: readonly string[] = []) => ({
  sessionId: 's1',
  by,
  isLater: (id: string) => later.includes(id),
  isUndone: (id: string) => undone.includes(id),
});

describe('when a session goes back, its memories', () => {
  test('that were extracted since are marked as superseded, and current again when that is undone [B10, C124]', () => {
    const { store } = storeOf();
    const memories = store.memories('main');
    memories.add([
      entry('use pnpm', 'm1'),
      entry('选择 PostgreSQL', 'm2'),
      entry('of another session', 'm2', 's2'),
      entry('keep the API', 'm3'),
    ]);
    const before = memories.read('decisions');
    expect(memories.rollBack(back(U1, ['m2', 'm3']))).toEqual({ superseded: 2, restored: 0 });
    const page = memories.read('decisions');
    expect(page).toMatch(/- \[2026-03-04\] ~~选择 PostgreSQL~~ <!-- session s1 message m2 id \S+ superseded-by s1-20260304T050607000Z -->/);
    expect(page.split('\n').filter((line) => line.includes('~~'))).toHaveLength(2);
    expect(memories.rollBack(back(U2, [], [U1]))).toEqual({ superseded: 0, restored: 2 });
    expect(memories.read('decisions')).toBe(before);
  });

  test('learned again after they were superseded stand there once', () => {
    const { store } = storeOf();
    const memories = store.memories('main');
    memories.add([entry('use pnpm', 'm1')]);
    memories.rollBack(back(U1, ['m1']));
    expect(memories.add([entry('use pnpm', 'm1')]).decisions).toBe(1);
    expect(memories.rollBack(back(U2, [], [U1]))).toEqual({ superseded: 0, restored: 0 });
    expect(memories.read('decisions').match(/\] use pnpm /g)).toHaveLength(1);
  });

  test('hold again that were replaced since, and are replaced again when that is undone', () => {
    const { store } = storeOf();
    const memories = store.memories('main');
    memories.add([entry('The port is 8080', 'm1')]);
    memories.add([entry('The port is 9090', 'm2')]);
    memories.add([entry('The port is 9091', 'm3')]);
    const [before, texts] = [memories.read('decisions'), () => memories.list().map(({ text }) => text)];
    expect(texts()).toEqual(['The port is 9091']);
    expect(memories.rollBack(back(U1, ['m2', 'm3']))).toEqual({ superseded: 1, restored: 1 });
    expect(texts()).toEqual(['The port is 8080']);
    expect(memories.rollBack(back(U2, [], [U1]))).toEqual({ superseded: 0, restored: 1 });
    expect([texts(), memories.read('decisions')]).toEqual([['The port is 9091'], before]);
    expect(memories.add([entry('The port is 8080', 'm1')]).decisions).toBe(0);
  });

  test('are left as they are when the disk refuses', () => {
    const { store } = storeOf({ at: failing('superseded.rename', 'ENOSPC') });
    const memories = store.memories('main');
    memories.add([entry('use pnpm', 'm1')]);
    const before = memories.read('decisions');
    expect(thrownBy(() => memories.rollBack(back(U1, ['m1'])))).toMatchObject({ code: 'store_failed' });
    expect(memories.read('decisions')).toBe(before);
  });

  test('of a group that has none are no failure, and nothing is made', () => {
    const { store, told } = storeOf();
    expect(store.memories('main').rollBack(back(U1, ['m1']))).toEqual({ superseded: 0, restored: 0 });
    expect([store.memories('main').read('facts'), told]).toEqual(['', []]);
  });

  test('come back to the byte on any page, whatever else a person wrote there', () => {
    const entries = fc.uniqueArray(
      fc.record({ text: fc.stringMatching(/^[^\n~]{0,20}$/), id: fc.constantFrom('m1', 'm2', 'm3'), session: fc.constantFrom('s1', 's2') }),
      { selector: ({ text }) => text },
    );
    fc.assert(
      fc.property(entries, fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 5 }), (learned, prose) => {
        const lines = learned.map(({ text, id, session }) => `- [2026-03-04] ${text} <!-- session ${session} message ${id} -->`);
        const page = [...lines, ...prose].join('\n');
        const there = markPage(page, back(U1, ['m2', 'm3']));
        expect(there.markedLines).toHaveLength(learned.filter(({ id, session }) => id !== 'm1' && session === 's1').length);
        expect(markPage(there.text, back(U2, [], [U1]))).toEqual({ text: page, markedLines: [], restoredLines: there.markedLines });
      }),
    );
  });
});
