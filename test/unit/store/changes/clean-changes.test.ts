import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Changes } from '../../../../src/store/changes/changes.ts';
import { createContents } from '../../../../src/store/changes/contents.ts';
import { cleanChanges } from '../../../../src/store/changes/room/home-room.ts';
import { run } from '../../../support/destructive.ts';
import { changeLimits, workFolder } from '../../../support/kept-changes.ts';
import { headerOf, namesOf, newFolder, said, storeOf } from '../files/world.ts';

const DAY_MS = 86_400_000;

/** A home with sessions that work in one folder, on days that the test counts. */
function homeOf(limits: Partial<typeof changeLimits> = {}) {
  let day = 0;
  const made = storeOf({ now: () => new Date(Date.now() + day * DAY_MS) });
  const folder = workFolder(newFolder());
  const session = async (id: string): Promise<Changes> => {
    if (!made.store.sessions.has(id)) {
      const { log } = made.store.sessions.create(headerOf(id));
      log.append(said('first'));
      log.close();
    }
    return folder.open(made.store, id, limits);
  };
  /** Runs commands in a session that is closed afterwards. */
  const works = async (id: string, ...commands: readonly string[]): Promise<void> => {
    const changes = await session(id);
    for (const command of commands) folder.act(changes, command);
    changes.close();
  };
  const titles = async (id: string): Promise<readonly (string | undefined)[]> => {
    const changes = await session(id);
    const sets = changes.sets();
    changes.close();
    return sets.map(({ by }) => by?.title);
  };
  const clean = (dryRun = false) => {
    const { dropped, keptBytes } = cleanChanges(made.disk, made.paths, { ...changeLimits, ...limits, dryRun });
    return { dropped: dropped.map(({ sessionId, why }) => `${sessionId} ${why}`), bytes: dropped.map(({ bytes }) => bytes), keptBytes };
  };
  const later = (days: number): void => {
    day += days;
  };
  return { ...made, ...folder, session, works, titles, clean, later };
}

/** Writes so many bytes that are like no others. */
const fill = (name: string, bytes: number): string =>
  `seq ${name.length}${bytes} ${bytes}9 | head -c ${bytes} > ${name}; echo ${name} >> ${name}`;

test('what commands changed goes after its days, and edits stay as long as their session', async () => {
  const { works, titles, clean, later, root, paths } = homeOf();
  await works('s1', fill('a', 3_000), 'rm a');
  const log = join(paths.changes('s1'), 'log.jsonl');
  const [set = ''] = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"changes"'))
    .slice(-1);
  appendFileSync(
    log,
    `${JSON.stringify({ ...JSON.parse(set), root: undefined, n: 3, by: { id: 'edit', title: 'edit_file a', record: 9 } })}\n`,
  );
  later(6);
  await works('s2', 'echo b > b');
  expect(clean().dropped).toEqual([]);
  later(2);
  const planned = clean(true);
  expect(planned.dropped).toEqual(['s1 age']);
  expect(await titles('s1')).toEqual([expect.stringContaining('> a'), 'rm a', 'edit_file a']);
  expect(clean()).toEqual(planned);
  expect([await titles('s1'), await titles('s2')]).toEqual([['edit_file a'], ['echo b > b']]);
  expect(clean().dropped).toEqual([]);
  // What the edit needs is still there.
  const contents = [...readFileSync(join(paths.changes('s1'), 'contents-1'), 'latin1').matchAll(/^[0-9a-f]{64} \d+$/gm)];
  expect([contents.length, existsSync(join(root, 'a'))]).toEqual([1, false]);
  await works('s1', 'echo c > c');
  expect(await titles('s1')).toEqual(['edit_file a', 'echo c > c']);
});

test('a session that begins drops what is over its days, but for what its last ten commands need', async () => {
  const { works, titles, later, told } = homeOf();
  await works('s1', ...Array.from({ length: 12 }, (_, i) => `echo ${i} > f${i}`));
  await works('s2', 'echo x > x');
  later(8);
  await works('s1', 'echo last > last');
  const kept = Array.from({ length: 10 }, (_, i) => `echo ${i + 2} > f${i + 2}`);
  // What s2 did is of others here.
  expect(await titles('s1')).toEqual([...kept, undefined, 'echo last > last']);
  expect([await titles('s2'), told]).toEqual([[], []]);
});

test('beyond what the home may keep the oldest goes first, and nothing of a session that is open elsewhere', async () => {
  const { works, titles, session, store, clean, later, paths } = homeOf({ homeBytes: 100_000 });
  await works('open', fill('a', 30_000), 'rm a');
  later(1);
  await works('old', fill('b', 30_000), 'rm b');
  later(1);
  await works('new', fill('c', 20_000), 'rm c');
  expect(clean(true).dropped).toEqual([]);
  const { log } = store.sessions.open('open');
  await works('own', fill('d', 40_000), 'rm d', fill('e', 30_000), 'rm e', 'echo f > f');
  expect(await titles('old')).toEqual([]);
  expect([(await titles('open')).length, (await titles('own')).length]).toEqual([2, 5]);
  expect(namesOf(paths.changes('old'))).toEqual(['log.jsonl']);
  log.close();
  // A number is never given twice.
  await works('old', 'echo g > g');
  const again = await session('old');
  expect(again.sets().map(({ n }) => n)).toEqual([3]);
  again.close();
});

test('contents that nothing needs any more go, and nothing else', async () => {
  const { works, clean, disk, paths, titles } = homeOf();
  await works('s1', fill('a', 3_000), 'rm a');
  expect(clean().dropped).toEqual([]);
  const contents = createContents(disk, paths.changes('s1'));
  contents.add(Buffer.alloc(5_000, 'x'));
  contents.commit();
  expect(clean()).toMatchObject({ dropped: ['s1 unneeded'], bytes: [5_000] });
  expect(clean().dropped).toEqual([]);
  expect(await titles('s1')).toHaveLength(2);
});

test('what does not fit is told, and kept as soon as there is room', async () => {
  const { session, act, root } = homeOf({ sessionBytes: 10_000 });
  writeFileSync(join(root, 'large'), 'l'.repeat(8_000));
  writeFileSync(join(root, 'small'), 's'.repeat(4_000));
  const changes = await session('s1');
  const { set } = act(changes, 'rm large small');
  expect(set?.changes.map(({ path, before }) => [path.slice(root.length + 1), before?.holds?.slice(0, 6)]).toSorted()).toEqual([
    ['large', 'full'],
    ['small', 'sha256'],
  ]);
  writeFileSync(join(root, 'large'), 'm'.repeat(8_000));
  for (let i = 0; i < 11; i++) act(changes, `echo ${i} > f`);
  const last = act(changes, 'rm large').set?.changes.find(({ path }) => path.endsWith('large'));
  expect(changes.read([last?.before ?? null])[0]?.toString()).toBe('m'.repeat(8_000));
  changes.close();
});

test('objects that only a dropped command needed go with it, and those that are needed stay', async () => {
  const { works, later, clean, root, paths } = homeOf();
  run(root, 'git init -q && git commit -q --allow-empty -m one');
  const commit = 'date +%N > f && git add f && git commit -qm two';
  const lose = 'git reset -q --hard HEAD~1 && git reflog expire --expire=now --all && git gc -q --prune=now';
  const objects = (): readonly string[] =>
    run(paths.changes('s1'), 'find git/*/objects -type f 2>/dev/null | sort').stdout.split('\n').slice(0, -1);
  await works('s1', commit, lose);
  later(6);
  const before = objects();
  await works('s1', commit, lose);
  const both = objects();
  expect(both.length).toBeGreaterThan(before.length);
  later(2);
  clean();
  const left = objects();
  expect(before.filter((path) => left.includes(path) && !path.includes('/pack/'))).toEqual([]);
  expect(left.length).toBeGreaterThan(0);
  later(7);
  clean();
  expect(existsSync(join(paths.changes('s1'), 'git'))).toBe(false);
});
