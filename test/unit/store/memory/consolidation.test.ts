import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { masterItem, masterNote } from '../../../../src/domain/memory/master-page.ts';
import type { MemoryEntry } from '../../../../src/domain/memory/memory.ts';
import { namesOf, storeOf, systemError, thrownBy } from '../files/world.ts';

const AT = '2026-03-05T00:00:00.000Z';
const entryOf = (text: string, at = '2026-03-04T05:06:07.000Z'): MemoryEntry => ({
  kind: 'facts',
  text,
  sessionId: 's1',
  messageId: at,
  at,
});

/** A home with two entries, one of which the consolidation contradicts. */
function home() {
  let broken: string | undefined;
  const made = storeOf({
    at: (point) => {
      if (point === broken) throw systemError('EIO');
      return undefined;
    },
  });
  const memories = made.store.memories('main');
  const consolidations = made.store.consolidations('main');
  memories.add([entryOf('The port is 8080'), entryOf('The team is in Graz')]);
  const master = `# Master memory\n\n${masterItem('The team is in Graz', ['m00000001'])}\n\n${masterNote(AT, ['m00000001'])}\n`;
  const change = { at: AT, entries: [entryOf('The port is 9090', AT), entryOf('The host is otter', AT)], aside: [], master };
  const apply = () => consolidations.exclusively(async () => consolidations.apply(change));
  const facts = () => readFileSync(made.paths.extracted('main', 'facts'), 'utf8').split('\n').sort().join('\n');
  return { ...made, memories, consolidations, apply, facts, breakAt: (point: string | undefined) => (broken = point) };
}

describe('a consolidation', () => {
  test('changes L1 and L2, keeps what was before, and is undone whole', async () => {
    const { apply, consolidations, facts, memories, paths } = home();
    const before = facts();
    await apply();
    expect(facts()).toContain('The port is 9090');
    expect(facts()).not.toContain('The port is 8080');
    expect(consolidations.master()).toContain('The team is in Graz');
    expect(consolidations.undo()).toEqual({ at: AT, removed: 2, putBack: 1 });
    expect(facts()).toBe(before);
    expect(consolidations.master()).toBe('');
    expect(consolidations.undo()).toBeUndefined();
    expect(namesOf(paths.consolidations('main'))).toEqual(['20260305T000000000Z.undone.json']);
    memories.add([entryOf('The host is otter', AT)]);
    expect(facts()).toContain('The host is otter');
  });

  test.each(['consolidation.write', 'consolidation.rename', 'memory.write', 'known.rename', 'master.write', 'master.rename'])(
    'that fails at %s has changed nothing, as the next one finds [D-45]',
    async (point) => {
      const { apply, breakAt, consolidations, facts, paths } = home();
      const before = facts();
      breakAt(point);
      await expect(apply()).rejects.toMatchObject({ code: 'store_failed' });
      breakAt(undefined);
      await consolidations.exclusively(async () => undefined);
      expect(facts()).toBe(before);
      expect(consolidations.master()).toBe('');
      expect(existsSync(paths.pendingConsolidation('main'))).toBe(false);
      await apply();
      expect(facts()).toContain('The port is 9090');
    },
  );

  test('has what was forgotten since taken out of the page it wrote, and the rest stays', async () => {
    const { apply, consolidations } = home();
    await apply();
    const before = consolidations.master();
    consolidations.dropEntries(['m99999999']);
    expect(consolidations.master()).toBe(before);
    consolidations.dropEntries(['m00000001']);
    expect(consolidations.master()).not.toContain('The team is in Graz');
    expect(consolidations.master()).toContain(masterNote(AT, []).slice(0, 30));
  });

  test('runs in one process at a time [C-14]', async () => {
    const { consolidations } = home();
    await consolidations.exclusively(async () => {
      await expect(consolidations.exclusively(async () => undefined)).rejects.toMatchObject({ code: 'refused' });
    });
    await consolidations.exclusively(async () => undefined);
  });
});

test('the days from one on are read, oldest first, and nothing else that lies there', () => {
  const { consolidations, memories, paths } = home();
  expect(consolidations.daily('2026-03-05')).toEqual([]);
  for (const day of ['2026-03-06', '2026-03-04', '2026-03-05', '2026-03-07']) memories.addDaily(day, '- one\n');
  writeFileSync(`${paths.daily('main', '2026-03-08')}.bak`, 'not read');
  const page = (day: string) => ({ day, text: `# ${day}\n\n- one\n` });
  expect(consolidations.daily('2026-03-05')).toEqual([page('2026-03-05'), page('2026-03-06'), page('2026-03-07')]);
});

describe('an entry that a person deleted', () => {
  test('is not extracted again in these words or others, but is there again when the user asks for it', () => {
    const { memories, paths } = home();
    const [first] = memories.list();
    memories.forget([first?.id ?? '']);
    expect(memories.add([entryOf('The port is 8080', AT)])).toMatchObject({ facts: 0 });
    expect(memories.remember(entryOf('The port is 8080', AT))).toMatchObject({ outcome: 'added' });
    expect(readFileSync(paths.knownMemories('main'), 'utf8')).not.toContain('port');
  });

  test('of ours that was put aside is not deleted: said again later, it holds again', () => {
    const { memories } = home();
    memories.add([entryOf('The port is 9090', AT)]);
    memories.add([entryOf('The port is 8080', '2026-03-06T00:00:00.000Z')]);
    expect(memories.list().map(({ text }) => text)).toEqual(['The team is in Graz', 'The port is 8080']);
    memories.add([entryOf('The port is 7070', '2026-03-01T00:00:00.000Z')]);
    expect(memories.list().map(({ text }) => text)).not.toContain('The port is 7070');
  });

  test('and a line written by hand no newer statement moves', () => {
    const { memories, paths } = home();
    const path = paths.extracted('main', 'facts');
    writeFileSync(path, `${readFileSync(path, 'utf8')}- The branch is main\n`);
    memories.add([entryOf('The branch is trunk', AT)]);
    expect(memories.list().map(({ text, byHand }) => [text, byHand])).toEqual([
      ['The port is 8080', false],
      ['The team is in Graz', false],
      ['The branch is main', true],
      ['The branch is trunk', false],
    ]);
    memories.reword(memories.list()[0]?.id ?? '', 'The port is 6060');
    expect(readFileSync(path, 'utf8')).toContain('The port is 6060 <!-- session s1');
  });
});

test('putting entries aside keeps them with what took their place', () => {
  const { memories } = home();
  const [port] = memories.list();
  expect(memories.putAside([{ id: port?.id ?? '', by: 'rollback' }])).toBe(1);
  expect(memories.list().map(({ text }) => text)).toEqual(['The team is in Graz']);
  expect(memories.older()).toMatchObject([{ text: 'The port is 8080', supersededBy: 'rollback' }]);
});

test('a daily log that has no room is closed by a line that says so, once, and a smaller turn does not slip in behind it', () => {
  const { store, paths } = home();
  const memories = store.memories('main');
  const turn = `- 09:00 asked: ${'数'.repeat(100_000)}\n`;
  const outcomes = [turn, turn, turn, turn, turn, '- small\n'].map((text) => memories.addDaily('2026-03-05', text));
  expect(outcomes).toEqual(['added', 'added', 'added', 'closed', 'full', 'full']);
  const page = readFileSync(paths.daily('main', '2026-03-05'), 'utf8');
  expect(page.split('\n').slice(-2)).toEqual(['- This day is full: its further turns stand in the logs of their sessions.', '']);
  expect(page).not.toContain('small');
  expect(memories.addDaily('2026-03-06', '- small\n')).toBe('added');
});

test('a daily log has one heading and every digest', () => {
  const { store, paths } = home();
  const memories = store.memories('main');
  memories.addDaily('2026-03-05', '- one\n');
  memories.addDaily('2026-03-05', '- 二\n');
  expect(readFileSync(paths.daily('main', '2026-03-05'), 'utf8')).toBe('# 2026-03-05\n\n- one\n- 二\n');
  expect(thrownBy(() => memories.addDaily('../x', '- y\n'))).toBeInstanceOf(Error);
});
