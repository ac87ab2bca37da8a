import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeSet, Entry } from '../../src/domain/session/change.ts';
import { type Changes, createChanges } from '../../src/store/changes/changes.ts';
import { createHomeRoom } from '../../src/store/changes/room/home-room.ts';
import type { Disk } from '../../src/store/files/disk.ts';
import { pathsOf } from '../../src/store/files/paths.ts';
import { sha256Of } from '../../src/store/session/bodies/body-text.ts';
import { slowRuns } from '../support/runs.ts';

/** Where a sync costs nothing, when there is such a place. */
const RAM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const SESSION_BYTES = 20_000;
const MAX_FILE_BYTES = 2_500;
const NAMES = ['a', 'b', '文 件', 'd/e', 'd/f'];
const DAY_MS = 86_400_000;

/** What becomes of files: written with so many bytes, or deleted. */
const writes = fc.dictionary(fc.constantFrom(...NAMES), fc.option(fc.nat(MAX_FILE_BYTES), { freq: 3 }), { minKeys: 1 });
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ does: fc.constant('command' as const), writes }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('others' as const), writes }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('killed' as const), writes, at: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('days' as const), days: fc.nat(5) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A session in a folder of its own, in a process that can be killed at the n-th thing that it does to the disk. */
function worldIn(top: string) {
  const [root, home] = [join(top, 'w'), join(top, 'home')];
  mkdirSync(root);
  let [serial, offset, left] = [0, 0, Number.POSITIVE_INFINITY];
  const folder = pathsOf(home).changes('s');
  const saved = join(top, 'as-killed');
  const disk: Disk = {
    ...{ home, pid: process.pid, platform: process.platform, warn: () => undefined, probePid: () => undefined },
    now: () => new Date(Date.now() + offset),
    newId: () => `x${++serial}`,
    at: () => {
      if (left-- > 0) return undefined;
      // What the program does once it is dead does not count.
      if (existsSync(folder) && !existsSync(saved)) cpSync(folder, saved, { recursive: true });
      throw new Error('killed');
    },
  };
  const open = (): Changes =>
    createChanges(disk, {
      ...{ folder, gitConfigs: [], searchPath: process.env.PATH ?? '', notBeyond: [top], lookMs: 60_000 },
      caps: { fileBytes: MAX_FILE_BYTES - 100, sessionBytes: SESSION_BYTES },
      home: createHomeRoom(disk, pathsOf(home), 's', { keep: 7, homeBytes: SESSION_BYTES }),
    });
  let changes = open();
  const act = (files: Readonly<Record<string, number | null>>): void => {
    for (const [name, bytes] of Object.entries(files)) {
      const path = join(root, name);
      mkdirSync(join(path, '..'), { recursive: true });
      if (bytes === null) rmSync(path, { force: true });
      else writeFileSync(path, `${++serial} `.padEnd(bytes, 'x'));
    }
  };
  const command = (files: Readonly<Record<string, number | null>>): void => {
    const running = changes.begin(realpathSync(root), { id: `c${++serial}`, title: 'run', record: serial });
    act(files);
    running.end();
  };
  const killed = (files: Readonly<Record<string, number | null>>, at: number): void => {
    left = at;
    try {
      command(files);
    } catch (error) {
      if (left >= 0) throw error;
    }
    left = Number.POSITIVE_INFINITY;
    changes.close();
    if (existsSync(saved)) {
      rmSync(folder, { recursive: true });
      renameSync(saved, folder);
    }
    changes = open();
  };
  const days = (count: number): void => {
    offset += count * DAY_MS;
    changes.close();
    changes = open();
  };
  return { folder, open, act, command, killed, days };
}

const commandsOf = (sets: readonly ChangeSet[]): readonly ChangeSet[] => sets.filter(({ by }) => by !== undefined);
const entriesOf = (sets: readonly ChangeSet[], at: 'before' | 'after') =>
  sets.flatMap(({ changes }) => changes.map((change) => change[at]));
const isNamed = (entry: Entry | null): boolean => entry?.holds?.startsWith('sha256:') === true;

function checkRecord(world: ReturnType<typeof worldIn>, earlier: readonly ChangeSet[]): readonly ChangeSet[] {
  const changes = world.open();
  const sets = changes.sets();
  // What stood there before an act can be had back. What the act wrote is known by its name alone until the next act begins.
  const entries = entriesOf(sets, 'before');
  expect(entries.filter((entry) => entry?.holds === 'lost')).toEqual([]);
  const claimed = entries.filter(isNamed);
  expect(namesOf(changes.read(claimed))).toEqual(claimed.map((entry) => entry?.holds));
  const named = entriesOf(sets, 'after').filter(isNamed);
  const read = namesOf(changes.read(named));
  expect(read).toEqual(named.map((entry, i) => read[i] && entry?.holds));
  // What can be dropped is the oldest, and never what the last ten commands need.
  const known = new Map([...commandsOf(earlier), ...commandsOf(sets)].map((set) => [set.n, set]));
  const last = [...known.values()].sort((a, b) => a.n - b.n).slice(-10);
  expect(commandsOf(sets).slice(-last.length)).toEqual(last.map(({ n }) => earlier.find((set) => set.n === n) ?? known.get(n)));
  const kept = sets.map(({ n }) => n);
  expect(earlier.filter(({ n }) => n > (kept[0] ?? 0) && !kept.includes(n))).toEqual([]);
  const files = readdirSync(world.folder).filter((name) => name.startsWith('contents-'));
  const bytes = files.reduce((sum, name) => sum + lstatSync(join(world.folder, name)).size - headers(sets.length), 0);
  expect(bytes).toBeLessThanOrEqual(SESSION_BYTES + NAMES.length * MAX_FILE_BYTES);
  changes.close();
  return sets;
}

const namesOf = (contents: readonly (Buffer | undefined)[]) => contents.map((bytes) => bytes && `sha256:${sha256Of(bytes)}`);

/** No content is without its line. */
const headers = (sets: number): number => (sets + 1) * NAMES.length * 2 * 75;

function play(steps: readonly Step[]): void {
  const top = mkdtempSync(join(RAM, 'sanbot-kept-'));
  try {
    const world = worldIn(realpathSync(top));
    world.command({ a: 10 });
    let sets = checkRecord(world, []);
    for (const each of steps) {
      if (each.does === 'command') world.command(each.writes);
      else if (each.does === 'others') world.act(each.writes);
      else if (each.does === 'killed') world.killed(each.writes, each.at);
      else world.days(each.days);
      sets = checkRecord(world, sets);
    }
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

test('what is kept of commands can be had back whatever happened, stays within its bounds, and has the last ten', () => {
  fc.assert(fc.property(fc.array(step, { minLength: 20, maxLength: 45 }), play), { numRuns: slowRuns(60) });
});
