import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/domain/session/message.ts';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import type { FindingKind } from '../../../../src/store/doctor/finding.ts';
import { answers, calls, contextOf, user } from '../../../support/build.ts';
import { runs } from '../../../support/runs.ts';
import { headerOf, modeOf, namesOf, START, said, storeOf } from '../files/world.ts';

/** A session with a stub, a retired body, a checkpoint with its snapshot, and a message after it. */
function usedHome() {
  const made = storeOf();
  const { store, paths } = made;
  const { log } = store.sessions.create(headerOf('s1'));
  const bodies = store.bodies('s1');
  const kept = bodies.save('kept body\n'.repeat(200));
  const old = bodies.save('old body\n'.repeat(200));
  if (kept === undefined || old === undefined) throw new Error('not saved');
  log.append(said('first'));
  const messages = [calls({ id: 'c1' }), stubbed('c1', kept), user('go on')];
  log.append({ type: 'message', message: calls({ id: 'c0' }) });
  log.append({ type: 'message', message: stubbed('c0', old) });
  const snapshot = store.snapshots.write({
    sessionId: 's1',
    group: 'main',
    reason: 'compaction',
    model: 'm',
    tokens: 7,
    context: contextOf(messages),
    bodies: [
      { ref: kept.ref, text: 'kept body\n'.repeat(200) },
      { ref: old.ref, text: 'old body\n'.repeat(200) },
    ],
  });
  log.append({ type: 'checkpoint', reason: 'compaction', snapshotId: snapshot.id, context: contextOf(messages) });
  bodies.retire(new Set([kept.ref.sha256]));
  log.append(said('last'));
  log.close();
  const look = (repair = false) => diagnose(made.world, { sessionId: undefined, repair });
  return { ...made, look, kept, old, snapshot, log: paths.log('s1') };
}

/** A session with a message and no snapshot; `first` in the place of its header. */
function headerOnly(first?: string) {
  const made = storeOf();
  const { log } = made.store.sessions.create(headerOf('s1'));
  log.append(said('first'));
  log.close();
  const path = made.paths.log('s1');
  if (first !== undefined) edit(path, (text) => text.replace(lineOf(text, 0), first));
  return { ...made, log: path, look: (repair = false) => diagnose(made.world, { sessionId: undefined, repair }) };
}

type Saved = { readonly ref: { readonly sha256: string; readonly bytes: number; readonly lines: number }; readonly path: string };
const stubbed = (id: string, { ref, path }: Saved): Message => ({
  ...answers({ id, content: `Tool result is at: ${path}` }),
  stubs: [{ toolUseId: id, tool: 'read_file', body: ref }],
});

type Home = ReturnType<typeof usedHome>;
const kinds = (found: { readonly findings: readonly { readonly kind: FindingKind }[] }) => found.findings.map(({ kind }) => kind);
const texts = ({ store }: Home) => {
  const { log, warnings } = store.sessions.open('s1');
  log.close();
  return { warnings };
};
const edit = (path: string, change: (text: string) => string) => writeFileSync(path, change(readFileSync(path, 'utf8')), { mode: 0o600 });
const lineOf = (text: string, n: number) => text.split('\n')[n] ?? '';

describe('a home in order', () => {
  test('is told to be well, and looking changes nothing in it', () => {
    const home = usedHome();
    const before = snapshotOfFiles(home.paths.home);
    expect(home.look()).toEqual({ sessions: 1, snapshots: 1, inUse: [], repaired: [], findings: [] });
    expect(home.look(true).repaired).toEqual([]);
    expect(snapshotOfFiles(home.paths.home)).toEqual(before);
  });

  test('may not exist yet', () => {
    const { world } = storeOf();
    expect(diagnose(world, { sessionId: undefined, repair: true }).findings).toEqual([]);
    expect(existsSync(world.home)).toBe(false);
  });
});

/** One way to be damaged: what is found, and what is left of it after a repair. */
const damages: readonly (readonly [
  name: string,
  act: (home: Home) => void,
  found: readonly FindingKind[],
  left: readonly FindingKind[],
])[] = [
  ['a torn last line [D-06, P20]', ({ log }) => appendFileSync(log, '{"type":"mess'), ['log_tail'], []],
  ['a last record without its line end [D-07]', ({ log }) => edit(log, (text) => text.slice(0, -1)), ['log_tail'], []],
  [
    'NULs in the middle of a log [D-08]',
    ({ log }) => edit(log, (text) => text.replace(lineOf(text, 1), '\0'.repeat(300))),
    ['log_lines'],
    [],
  ],
  [
    'two records spliced into one line [D-09]',
    ({ log }) => edit(log, (text) => text.replace(lineOf(text, 1), `{"a":"x{"b":1}`)),
    ['log_lines'],
    [],
  ],
  ['a header that cannot be read [D-10]', ({ log }) => edit(log, (text) => text.replace(lineOf(text, 0), '{"type":')), ['log_header'], []],
  ['a folder that is a copy of another session', copyAs('s2'), ['log_header'], []],
  ['a log that is gone', ({ log }) => rmSync(log), ['log_missing'], []],
  ['an empty log [D-10]', ({ log }) => writeFileSync(log, '', { mode: 0o600 }), ['log_header'], []],
  ['a record deleted by hand', ({ log }) => edit(log, (text) => text.replace(`${lineOf(text, 1)}\n`, '')), ['log_order'], ['log_order']],
  ['an offloaded result that is gone [D-44]', ({ kept }) => rmSync(kept.path), ['body_missing'], []],
  ['an offloaded result that was changed [D-44]', ({ kept }) => appendFileSync(kept.path, 'x'), ['body_changed', 'body_missing'], []],
  ['an offloaded result that nothing refers to [D-03]', ({ store }) => void store.bodies('s1').save('orphan'), ['body_orphan'], []],
  [
    'a damaged line of retired results',
    ({ paths }) => edit(paths.retiredBodies('s1'), (text) => `{"sha256":"zz\n${text}`),
    ['bodies_lines'],
    [],
  ],
  ['a torn end of retired results [D-06]', ({ paths }) => appendFileSync(paths.retiredBodies('s1'), '{"sha'), ['bodies_tail'], []],
  [
    'a snapshot of NULs [D-11]',
    ({ paths, snapshot }) => writeFileSync(paths.snapshot('main', snapshot.id), '\0'.repeat(413), { mode: 0o600 }),
    ['snapshot_altered'],
    ['snapshot_missing'],
  ],
  [
    'a snapshot with a changed byte [S-38]',
    ({ paths, snapshot }) => edit(paths.snapshot('main', snapshot.id), (text) => text.replace('go on', 'go in')),
    ['snapshot_altered'],
    ['snapshot_missing'],
  ],
  ['a snapshot without its meta', ({ paths, snapshot }) => rmSync(paths.snapshotMeta('main', snapshot.id)), ['snapshot_unlisted'], []],
  [
    'a snapshot whose meta is no JSON',
    ({ paths, snapshot }) => writeFileSync(paths.snapshotMeta('main', snapshot.id), '{', { mode: 0o600 }),
    ['snapshot_meta'],
    [],
  ],
  [
    'a snapshot that is gone',
    ({ paths, snapshot }) => {
      rmSync(paths.snapshot('main', snapshot.id));
      rmSync(paths.snapshotMeta('main', snapshot.id));
    },
    ['snapshot_missing'],
    ['snapshot_missing'],
  ],
  ['a log that others can read [S-33]', ({ log }) => chmodSync(log, 0o644), ['open_to_others'], []],
  ['a folder that others can enter [S-33]', ({ paths }) => chmodSync(paths.sessions, 0o755), ['open_to_others'], []],
  ['a log that cannot be written', ({ log }) => chmodSync(log, 0o400), ['not_usable'], []],
  [
    'a lock of a process that has ended [C-09]',
    ({ paths }) => writeFileSync(paths.sessionLock('s1'), deadHolder(), { mode: 0o600 }),
    ['stale_lock'],
    [],
  ],
  ['an empty lock [C-11]', ({ paths }) => writeFileSync(paths.sessionLock('s1'), '', { mode: 0o600 }), ['stale_lock'], []],
  [
    'a dead lock of the memories',
    ({ paths }) => writeFileSync(paths.memoryLock('main'), deadHolder(), { mode: 0o600 }),
    ['stale_lock'],
    [],
  ],
  ['a title that only the log has', entitle, ['title'], []],
  ['a reply that no provider takes back', answerInVain, ['log_unsendable'], []],
  ['a half-written file of a killed process [D-35]', leaveTemporary, ['temporary'], []],
];

test('a session of which only the snapshot is left is told with the way to rebuild it, which works', () => {
  const home = usedHome();
  const { paths, store } = home;
  rmSync(paths.session('s1'), { recursive: true });
  mkdirSync(paths.session('s1'), { mode: 0o700 });
  expect(store.sessions.list()).toMatchObject([{ sessionId: 's1', problem: { en: 'log.jsonl is missing' } }]);
  expect(() => store.sessions.open('s1')).toThrow(
    expect.objectContaining({ code: 'store_damaged', hint: expect.stringContaining('sanbot doctor --session s1 --repair') }),
  );
  expect(kinds(home.look())).toEqual(['log_missing']);
  expect(kinds(home.look(true))).toEqual([]);
  expect(texts(home).warnings).toEqual([]);
  expect(store.bodies('s1').read(home.kept.ref)).toBe('kept body\n'.repeat(200));
});

test('a snapshot that the retention has removed since is not missed: a newer one is there', () => {
  const { paths, store, snapshot, look } = usedHome();
  store.snapshots.write({ ...snapshot, reason: 'clear', context: contextOf([user('newer')]), bodies: [] });
  for (const path of [paths.snapshot('main', snapshot.id), paths.snapshotMeta('main', snapshot.id)]) rmSync(path);
  expect(look().findings).toEqual([]);
});

describe('a home in which there is', () => {
  test.each(damages)('%s: it is found, told with its path, and salvaged', (_, act, found, left) => {
    const home = usedHome();
    act(home);
    const told = home.look();
    expect(kinds(told)).toEqual(found);
    for (const { path } of told.findings) expect(path.startsWith(home.paths.home)).toBe(true);
    const repaired = home.look(true);
    expect(kinds(repaired)).toEqual(left);
    if (left.length === 0) {
      expect(texts(home).warnings).toEqual([]);
      expect(home.store.bodies('s1').read(home.kept.ref)).toBe('kept body\n'.repeat(200));
      expect(home.store.bodies('s1').read(home.old.ref)).toBe('old body\n'.repeat(200));
    }
    expect(kinds(home.look(true))).toEqual(left);
  });
});

function copyAs(sessionId: string) {
  return ({ paths }: Home) => {
    mkdirSync(paths.session(sessionId), { mode: 0o700 });
    mkdirSync(paths.offloaded(sessionId), { mode: 0o700 });
    for (const [from, to] of [
      [paths.log('s1'), paths.log(sessionId)],
      [paths.retiredBodies('s1'), paths.retiredBodies(sessionId)],
    ] as const)
      writeFileSync(to, readFileSync(from), { mode: 0o600 });
    for (const name of readdirSync(paths.offloaded('s1')))
      writeFileSync(join(paths.offloaded(sessionId), name), readFileSync(join(paths.offloaded('s1'), name)), { mode: 0o600 });
  };
}

const deadHolder = () => JSON.stringify({ pid: 999_999_99, host: hostName(), nonce: 'abc', since: START.toISOString() });
const hostName = () => readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();

function entitle({ store }: Home): void {
  const { log } = store.sessions.open('s1');
  log.append({ type: 'title', title: '新' });
  log.close();
}

function answerInVain({ store }: Home): void {
  const { log } = store.sessions.open('s1');
  log.append({ type: 'message', message: calls({ id: 'c2', name: '' }) });
  log.close();
}

function leaveTemporary({ paths }: Home) {
  const path = join(paths.session('s1'), '.log.jsonl.99999999.abc.tmp');
  writeFileSync(path, 'half', { mode: 0o600 });
  utimesSync(path, new Date(0), new Date(0));
}

/** Every file with its bytes, and every mode. */
const snapshotOfFiles = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, `${modeOf(path)} ${entry.isFile() ? readFileSync(path, 'latin1') : ''}`];
    }),
  );

describe('a repair', () => {
  test('keeps every byte that was there before: in place, beside it, or in set-aside [D-09, C96, C99]', () => {
    for (const [name, act] of damages) {
      const home = usedHome();
      act(home);
      const before = contentsOf(home.paths.home);
      home.look(true);
      const after = contentsOf(home.paths.home).join('\n');
      const lost = before
        .flatMap((text) => text.split('\n'))
        .filter((line) => line !== '' && !line.includes('"nonce"') && !after.includes(line));
      expect({ name, lost: lost.filter((line) => !isMovedBody(line, home)) }).toEqual({ name, lost: [] });
    }
  });

  test('leaves a session alone that a running process has open [C-04]', () => {
    const home = usedHome();
    const { log } = home.store.sessions.open('s1');
    appendFileSync(home.log, '{"type":"mess');
    home.store.bodies('s1').save('not referred to yet');
    expect(home.look(true)).toMatchObject({ inUse: ['s1'], repaired: [], findings: [] });
    log.close();
    expect(kinds(home.look())).toEqual(['log_tail', 'body_orphan']);
  });

  test('of a damaged header gives back the system prompt and the tools of the newest that is known', () => {
    const home = usedHome();
    edit(home.log, (text) => `garbage\n${text.slice(text.indexOf('\n') + 1)}`);
    home.look(true);
    const { header, records, log } = home.store.sessions.open('s1');
    log.close();
    expect(header).toMatchObject({ sessionId: 's1', group: 'main', context: { system: 'You are SanBot.', messages: [] } });
    expect(records.map((record) => record.type)).toEqual(['checkpoint', 'message']);
    expect(namesOf(home.paths.session('s1')).filter((name) => name.startsWith('log.jsonl.damaged-'))).toHaveLength(1);
  });

  test('says so when nothing of a session can be opened again', () => {
    const home = usedHome();
    rmSync(home.paths.summaries('main'), { recursive: true });
    writeFileSync(home.log, 'garbage\n', { mode: 0o600 });
    const { findings } = home.look(true);
    const header = findings.find(({ kind }) => kind === 'log_header');
    expect(header?.what.en).toContain('no checkpoint and no snapshot says');
    expect(header?.what.en).toContain('sanbot sessions delete s1');
    expect(header?.remedy).toBeUndefined();
    expect(readFileSync(home.log, 'utf8')).toBe('garbage\n');
  });

  test('of damaged lines is made also when the header cannot be repaired', () => {
    const { log, look } = headerOnly('garbage');
    appendFileSync(log, 'neither\n');
    expect(look(true).repaired).toEqual([
      { path: log, did: expect.objectContaining({ en: expect.stringContaining('written without what cannot be read') }) },
    ]);
    expect(look(true)).toMatchObject({ repaired: [], findings: [{ kind: 'log_header', remedy: undefined }] });
    expect(readFileSync(log, 'utf8')).toMatch(/^garbage\n\{"type":"message".*\}\n$/);
  });

  test('finds the header among stray bytes and behind stray lines, without any snapshot [D-10]', () => {
    for (const strays of [
      ['X', ''],
      ['', '\0\0'],
      ['{"a":', ''],
      ['stray\n{"type":"message"}\n', ''],
    ] as const) {
      const { log, look, store } = headerOnly();
      edit(log, (text) => text.replace(lineOf(text, 0), () => `${strays[0]}${lineOf(text, 0)}${strays[1]}`));
      expect(look().findings.map(({ remedy }) => remedy)).not.toContain(undefined);
      expect({ strays, findings: look(true).findings }).toEqual({ strays, findings: [] });
      const opened = store.sessions.open('s1');
      opened.log.close();
      expect(opened.header).toMatchObject(headerOf('s1'));
      expect(opened.records).toMatchObject([{ type: 'message' }]);
    }
  });

  test('of a log that is gone without a snapshot is not promised', () => {
    const { log, look } = headerOnly();
    writeFileSync(join(log, '..', 'title.json'), '{"v":1,"title":"t"}', { mode: 0o600 });
    rmSync(log);
    for (const repair of [false, true])
      expect(look(repair)).toMatchObject({ repaired: [], findings: [{ kind: 'log_missing', remedy: undefined }] });
  });

  test('of one session touches no other', () => {
    const home = usedHome();
    home.store.sessions.create(headerOf('s2')).log.close();
    appendFileSync(home.log, 'torn');
    appendFileSync(home.paths.log('s2'), 'torn');
    rmSync(home.paths.snapshotMeta('main', home.snapshot.id));
    expect(diagnose(home.world, { sessionId: 's2', repair: true }).findings).toEqual([]);
    expect(kinds(home.look())).toEqual(['log_tail', 'snapshot_unlisted']);
  });

  test('of a dead lock of the memories leaves them open to everybody', () => {
    const { paths, look } = usedHome();
    writeFileSync(paths.memoryLock('main'), deadHolder(), { mode: 0o600 });
    expect(look(true).repaired).toHaveLength(1);
    expect(existsSync(paths.memoryLock('main'))).toBe(false);
  });

  test('that sets a file aside has both folders on disk', () => {
    const home = usedHome();
    leaveTemporary(home);
    const points: string[] = [];
    const at = (point: string): undefined => void points.push(point);
    expect(diagnose({ ...home.world, at }, { sessionId: undefined, repair: true }).repaired).toHaveLength(1);
    expect(points.filter((point) => point === 'aside.syncFolder')).toHaveLength(2);
  });

  test('of a session that is not there names the nearest', () => {
    const home = usedHome();
    expect(() => diagnose(home.world, { sessionId: 's3', repair: false })).toThrow(
      expect.objectContaining({ code: 'not_found', hint: 'Similar ids: s1.' }),
    );
    expect(() => diagnose(home.world, { sessionId: '../s1', repair: true })).toThrow(expect.objectContaining({ code: 'not_found' }));
  });
});

test('any bytes in any file of a session: the doctor never fails, and a second repair finds nothing more to do [D-08, D-09, B-08]', () => {
  const places = ['log', 'retiredBodies', 'sessionLock'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.uint8Array({ maxLength: 40 }), fc.nat(), (place, bytes, at) => {
      const home = usedHome();
      const path = home.paths[place]('s1');
      const old = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
      const from = at % (old.length + 1);
      writeFileSync(path, Buffer.concat([old.subarray(0, from), bytes, old.subarray(from + (at % 50))]), { mode: 0o600 });
      const first = home.look(true);
      const second = home.look(true);
      expect(kinds(second)).toEqual(kinds(first));
      expect(second.repaired.filter(({ did }) => !did.en.startsWith('could not be'))).toEqual([]);
      if (kinds(first).every((kind) => kind === 'log_order')) expect(texts(home).warnings).toEqual([]);
      rmSync(home.paths.home, { recursive: true });
    }),
    { numRuns: runs(60) },
  );
});

const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** An orphan's text stands in bodies.jsonl as JSON. */
const isMovedBody = (line: string, home: Home) =>
  readFileSync(home.paths.retiredBodies('s1'), 'utf8').includes(JSON.stringify(line).slice(1, -1));
