/**
 * Runs the store on a disk that is about to be full. One argument: { folder, script } as JSON, `folder` on a small disk of its own.
 * Says on standard output, as one line of JSON, what it found: `violations` must be empty.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStore } from '../../src/store/store.ts';

const { folder, script } = JSON.parse(process.argv[2] ?? '{}');
const AT = '2026-01-02T03:04:05.000Z';

let serial = 0;
const newId = () => `d${(++serial).toString(36).padStart(6, '0')}`;
const storeIn = (home) =>
  createStore(
    { home, now: () => new Date(AT), newId, pid: process.pid, platform: process.platform, probePid: (pid) => process.kill(pid, 0) },
    { maxSessionBytes: 1e9, warn: ({ en }) => violations.push(`told: ${en}`) },
  );
const said = (text) => ({
  type: 'message',
  message: { id: newId(), at: AT, role: 'user', origin: 'user', content: [{ type: 'text', text }] },
});
const contextOf = (messages) => ({ system: '', shortTermSummary: '', tools: [], messages, anchorFloor: 0 });
const headerOf = (sessionId) => ({ type: 'header', v: 1, sessionId, group: 'main', cwd: '/', model: 'm', context: contextOf([]) });
const snapshotOf = (text) => ({
  sessionId: 's1',
  group: 'main',
  reason: 'compaction',
  model: 'm',
  tokens: 1,
  context: contextOf([said(text).message]),
  bodies: [],
});

const violations = [];
const messages = new Set();
let errors = 0;
let levels = 0;

/** Whether it was done; anything but a store_failed is a violation. */
function attempt(run) {
  try {
    run();
    return true;
  } catch (error) {
    errors += 1;
    if (error.code !== 'store_failed') violations.push(String(error.stack));
    messages.add(error.message.replace(/^.*: /, ''));
    return false;
  }
}

const expectSame = (what, a, b) => {
  if (a !== b) violations.push(`${what}: ${JSON.stringify(a)?.slice(0, 80)} instead of ${JSON.stringify(b)?.slice(0, 80)}`);
};

function atFreeSpace(free, home) {
  const store = storeIn(home);
  const { log } = store.sessions.create(headerOf('s1'));
  log.append(said('kept'));
  const memories = store.memories('main');
  memories.add([]);
  memories.writeSessionSummary('s1', 'old');
  const bodies = store.bodies('s1');
  const moved = bodies.save('m'.repeat(60_000));
  const logPath = join(home, 'sessions/s1/log.jsonl');
  fillUpTo(free);

  const before = readFileSync(logPath, 'utf8');
  const appended = attempt(() => log.append(said('x'.repeat(500_000))));
  if (!appended) expectSame(`log after a failed append at ${free}`, readFileSync(logPath, 'utf8'), before);
  const replaced = attempt(() => memories.writeSessionSummary('s1', 'n'.repeat(300_000)));
  expectSame(
    `summary at ${free}`,
    readFileSync(join(home, 'memory/session-summaries/s1.md'), 'utf8'),
    replaced ? 'n'.repeat(300_000) : 'old',
  );
  const snapshots = store.snapshots;
  const count = snapshots.list().length;
  const snapped = attempt(() => snapshots.write(snapshotOf('y'.repeat(100_000))));
  expectSame(`snapshots at ${free}`, snapshots.list().length, count + (snapped ? 1 : 0));
  for (const { id } of snapshots.list()) expectSame(`snapshot at ${free}`, snapshots.read(id).kind, 'found');
  let saved;
  attempt(() => {
    saved = bodies.save('z'.repeat(80_000));
  });
  if (saved !== undefined) expectSame(`body at ${free}`, bodies.read(saved.ref), 'z'.repeat(80_000));
  const { retired } = bodies.retire(new Set(saved === undefined ? [] : [saved.ref.sha256]));
  expectSame(`moved body at ${free}, retired: ${retired}`, bodies.read(moved.ref), 'm'.repeat(60_000));
  attempt(() => memories.add([{ kind: 'facts', text: 'fact', sessionId: 's1', messageId: 'm', at: AT }]));
  expectSame(`leftovers at ${free}`, leftovers(home).join(), '');

  rmSync(join(folder, 'filler'));
  log.append(said('after'));
  log.close();
  const opened = store.sessions.open('s1');
  expectSame(`warnings at ${free}`, opened.warnings.join(), '');
  expectSame(`records at ${free}`, opened.records.length, appended ? 3 : 2);
  expectSame(`last record at ${free}`, opened.records.at(-1)?.message.content[0].text, 'after');
  opened.log.close();
}

const leftovers = (home) =>
  readdirSync(home, { recursive: true }).filter((name) => /\.tmp$|torn|lock\.claim|memory\/lock$/.test(String(name)));

function fillUpTo(free) {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - free)));
}

const scripts = {
  /** All levels of free space, in steps small enough to meet each write in its middle. */
  bytes() {
    for (let free = 0; free <= 1_310_720; free += 16_384) {
      const home = join(folder, 'home');
      atFreeSpace(free, home);
      levels += 1;
      rmSync(home, { recursive: true });
    }
  },

  /** As many files as the disk takes, though bytes are free. */
  inodes() {
    const store = storeIn(join(folder, 'home'));
    const { log } = store.sessions.create(headerOf('s1'));
    mkdirSync(join(folder, 'many'));
    for (let i = 0; statfsSync(folder).ffree > 0; i++) writeFileSync(join(folder, 'many', `${i}`), '');
    attempt(() => store.snapshots.write(snapshotOf('x')));
    attempt(() => store.archive('main').write({ title: 'x', markdown: 'x' }));
    // What exists already needs no new file.
    if (!attempt(() => log.append(said('still')))) violations.push('the log was not written');
    expectSame('leftovers', leftovers(join(folder, 'home')).join(), '');
  },

  /** Under a limit of file size. */
  limit() {
    const home = join(folder, 'home');
    const store = storeIn(home);
    const { log } = store.sessions.create(headerOf('s1'));
    const path = join(home, 'sessions/s1/log.jsonl');
    let whole = readFileSync(path, 'utf8');
    while (attempt(() => log.append(said('x'.repeat(1000))))) whole = readFileSync(path, 'utf8');
    expectSame('log', readFileSync(path, 'utf8'), whole);
    const memories = store.memories('main');
    memories.writeSessionSummary('s1', 'old');
    attempt(() => memories.writeSessionSummary('s1', 'n'.repeat(20_000)));
    expectSame('summary', readFileSync(join(home, 'memory/session-summaries/s1.md'), 'utf8'), 'old');
    log.close();
    store.sessions.open('s1').log.close();
    expectSame('leftovers', leftovers(home).join(), '');
  },

  /** A disk that only gives. */
  readonly() {
    const store = storeIn(join(folder, 'home'));
    expectSame('sessions', store.sessions.list().length, 1);
    attempt(() => store.sessions.open('s1'));
    attempt(() => store.sessions.create(headerOf('s2')));
    expectSame('event', store.events.append({ v: 1, at: AT, sessionId: 's1', type: 'x' }), false);
  },
};

scripts[script]();
process.stdout.write(`${JSON.stringify({ levels, errors, messages: [...messages], violations, done: existsSync(folder) })}\n`);
