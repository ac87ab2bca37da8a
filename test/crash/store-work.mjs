/**
 * The store at work in a process of its own, that its tests kill. One argument: { home, script, killAt?, pieces? } as JSON.
 * Whatever has been acknowledged is said on standard output, one line of JSON each, before the next thing is begun.
 */
import { readSync, writeSync } from 'node:fs';
import { createStore } from '../../src/store/store.ts';

const { home, script, killAt = -1, pieces } = JSON.parse(process.argv[2] ?? '{}');

const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`);

let steps = 0;
let serial = 0;
const points = [];
/** Kills this process at the step with the number `killAt`; with `pieces` every write takes so many bytes only, a step each. */
const at = (point) => {
  if (steps++ === killAt) process.kill(process.pid, 'SIGKILL');
  points.push(point);
  return point.endsWith('.write') ? pieces : undefined;
};

const newId = () => `${(++serial).toString(36)}p${process.pid.toString(36)}`.padStart(8, '0');
const store = createStore(
  { home, now: () => new Date(), newId, pid: process.pid, platform: process.platform, probePid: (pid) => process.kill(pid, 0), at },
  { maxSessionBytes: 1e9, warn: ({ en: told }) => say({ told }) },
);

const AT = '2026-01-02T03:04:05.000Z';
const said = (text) => ({
  type: 'message',
  message: { id: newId(), at: AT, role: 'user', origin: 'user', content: [{ type: 'text', text }] },
});
const contextOf = (messages) => ({ system: 'You are SanBot.', shortTermSummary: '', tools: [], messages, anchorFloor: 0 });
const headerOf = (sessionId) => ({ type: 'header', v: 1, sessionId, group: 'main', cwd: '/', model: 'm', context: contextOf([]) });
const stubOf = (ref) => ({ type: 'offload', stubs: [{ ref: { toolUseId: 't1', tool: 'read_file', body: ref }, text: 'stub' }] });

/** A line of the tests' own, when they say what to do next. */
function nextOrder() {
  const byte = Buffer.alloc(1);
  let line = '';
  while (readSync(0, byte) === 1 && byte[0] !== 0x0a) line += byte.toString();
  return line;
}

const scripts = {
  /** Everything a session does to the disk, once, in the order in which the agent does it. */
  life() {
    const { log } = store.sessions.create(headerOf('s1'));
    say({ created: 's1' });
    const first = said('first');
    say({ appended: log.append(first).n });
    const text = `body of the result\n${'line\n'.repeat(200)}`;
    const bodies = store.bodies('s1');
    const { ref } = bodies.save(text);
    say({ body: ref, text });
    say({ appended: log.append(stubOf(ref)).n });
    const meta = store.snapshots.write({
      sessionId: 's1',
      group: 'main',
      reason: 'compaction',
      model: 'm',
      tokens: 10,
      context: contextOf([first.message]),
      bodies: [{ ref, text }],
    });
    say({ snapshot: meta.id });
    say({ archived: store.archive('main').write({ title: 'A talk', markdown: '# A talk\n\nfirst\n' }) });
    store.memories('main').add([{ kind: 'facts', text: 'the port is 8080', sessionId: 's1', messageId: 'm1', at: AT }]);
    say({ remembered: 'the port is 8080' });
    say({ appended: log.append({ type: 'checkpoint', reason: 'compaction', snapshotId: meta.id, context: contextOf([]) }).n });
    const { retired, failed } = bodies.retire(new Set());
    say({ retired, failed });
    store.memories('main').writeSessionSummary('s1', 'summary one\n');
    store.memories('main').writeSessionSummary('s1', 'summary two\n');
    say({ summary: 'summary two\n' });
    store.snapshots.recordOutcome(meta.id, { at: AT, messages: 0, tokensAfter: 1, line: 'compacted' });
    store.events.append({ v: 1, at: AT, sessionId: 's1', type: 'compacted' });
    say({ appended: log.append(said('last')).n });
    log.close();
    say({ points });
  },

  /** Appends long lines until it is killed. */
  append() {
    const { log } = store.sessions.create(headerOf('s1'));
    say({ created: 's1' });
    for (let i = 0; ; i++) {
      const { n } = log.append(said(`${i} ${'x'.repeat(i % 3 === 0 ? 1_000_000 : 100_000)}`));
      say({ appended: n });
    }
  },

  /** Opens a session and keeps it until it is told to go. */
  hold() {
    const { log } = store.sessions.open('s1');
    say({ held: process.pid });
    nextOrder();
    say({ appended: log.append(said('by the holder')).n });
    log.close();
  },

  /** At each order tries to open the session; holds it until the next order. */
  race() {
    say({ ready: true });
    for (;;) {
      if (nextOrder() !== 'try') return;
      try {
        const { log } = store.sessions.open('s1');
        const { n } = log.append(said(`by ${process.pid}`));
        say({ held: n });
        if (nextOrder() !== 'release') return;
        log.close();
        say({ released: true });
      } catch (error) {
        say({ refused: error.code });
        if (nextOrder() !== 'release') return;
        say({ released: false });
      }
    }
  },

  /** Writes events and memories as fast as it can, together with others. */
  share() {
    const own = process.pid;
    say({ ready: true });
    nextOrder();
    const { large, small } = JSON.parse(nextOrder());
    for (let i = 0; i < small; i++) {
      store.events.append({ v: 1, at: AT, sessionId: `p${own}`, type: 'small', i, text: 'x'.repeat(8_000) });
      if (i % 4 === 0) store.memories('main').add([{ kind: 'facts', text: `fact ${i} of ${own}`, sessionId: 's', messageId: 'm', at: AT }]);
      if (i < large) store.events.append({ v: 1, at: AT, sessionId: `p${own}`, type: 'large', i, text: 'y'.repeat(1_200_000) });
    }
    say({ done: true });
  },
};

scripts[script]();
