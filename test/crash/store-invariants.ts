import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { LogRecord } from '../../src/domain/session/record.ts';
import { pathsOf } from '../../src/store/files/paths.ts';
import type { Store } from '../../src/store/store.ts';
import { user } from '../support/build.ts';
import { filesIn, type Said, storeIn } from './store-world.ts';

const HOURS_LATER = 7_200_000;

/** What must hold after a kill at any moment of the script "life", given all that it acknowledged before [I1, I2, I3, I4, I5, I6, I7]. */
export function checkAfterKill(home: string, said: readonly Said[]): void {
  const { store } = storeIn(home);
  expect(store.sessions.list().filter(({ problem }) => problem !== undefined)).toEqual([]);
  if (existsSync(pathsOf(home).log('s1'))) checkSession(home, said);
  else expect(said.filter(({ created }) => created)).toEqual([]);
  checkSnapshots(store, said);
  checkWholeFiles(home, said);
  checkFreshStart(home);
}

function checkSession(home: string, said: readonly Said[]): void {
  const { store } = storeIn(home);
  const paths = pathsOf(home);
  const opened = store.sessions.open('s1');
  const lines = logLines(paths.log('s1'));
  const acknowledged = said.flatMap(({ appended }) => (typeof appended === 'number' ? [appended] : []));
  // Acknowledged lines are there, one after the other, and at most the one in the making beside them.
  expect(lines.map(({ n }) => n)).toEqual(lines.map((_, i) => i));
  expect(lines.length - 1 - Math.max(0, ...acknowledged)).toBeOneOf([0, 1]);
  expect(opened.records.at(-1)?.n ?? 0).toBe(lines.length - 1);
  const torn = filesIn(paths.session('s1')).filter((path) => basename(path).includes('.torn-'));
  expect(opened.warnings).toHaveLength(torn.length);
  checkReferences(store, lines, said);

  const { n } = opened.log.append({ type: 'message', message: user('after the crash') });
  opened.log.close();
  const again = store.sessions.open('s1');
  expect(again.warnings).toEqual([]);
  expect(again.records.at(-1)).toMatchObject({ n, message: { content: [{ text: 'after the crash' }] } });
  again.log.close();
}

const logLines = (path: string): readonly LogRecord[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** No record names a body or a snapshot that is not there, whole. */
function checkReferences(store: Store, lines: readonly LogRecord[], said: readonly Said[]): void {
  const bodies = store.bodies('s1');
  const text = said.find(({ body }) => body !== undefined)?.text;
  for (const line of lines) {
    if (line.type === 'offload') for (const { ref } of line.stubs) expect(bodies.read(ref.body)).toBe(text);
    if (line.type === 'checkpoint')
      expect(store.snapshots.read(line.snapshotId ?? '')).toMatchObject({ kind: 'found', bodies: [{ text }] });
  }
  expect(said.flatMap(({ failed }) => failed ?? [])).toEqual([]);
}

function checkSnapshots(store: Store, said: readonly Said[]): void {
  const listed = store.snapshots.list().map(({ id }) => id);
  for (const id of listed) expect(store.snapshots.read(id)).toMatchObject({ kind: 'found', context: { messages: [{ role: 'user' }] } });
  for (const { snapshot } of said) if (snapshot !== undefined) expect(listed).toContain(snapshot);
}

/** A file that is replaced or made is whole or not there, and there when it was acknowledged. */
function checkWholeFiles(home: string, said: readonly Said[]): void {
  const has = (key: string) => said.some((each) => key in each);
  const texts = new Map(existsSync(home) ? filesIn(home).map((path) => [path, readFileSync(path, 'utf8')]) : []);
  const one = (pattern: RegExp) => [...texts].filter(([path]) => pattern.test(path)).map(([, text]) => text);
  const pages = one(/conversations\/[^.][^/]*\.md$/);
  expect(pages).toEqual(has('archived') || pages.length > 0 ? ['# A talk\n\nfirst\n'] : []);
  const facts = one(/extracted\/facts\.md$/);
  expect(facts.every((text) => /^# Facts\n\n- \[2026-01-02\] the port is 8080 <!--.*-->\n$/.test(text))).toBe(true);
  if (has('remembered')) expect(facts).toHaveLength(1);
  const summary = one(/session-summaries\/s1\.md$/);
  expect(summary.every((text) => text === 'summary two\n' || (!has('summary') && text === 'summary one\n'))).toBe(true);
  if (has('summary')) expect(summary).toHaveLength(1);
}

/** Nothing that is left stands in the way of a later start, and that start leaves no rubbish. */
function checkFreshStart(home: string): void {
  const { store, told } = storeIn(home, HOURS_LATER);
  void store.recover();
  store.memories('main').add([]);
  if (existsSync(pathsOf(home).log('s1'))) store.sessions.open('s1').log.close();
  const made = store.sessions.create({
    type: 'header',
    v: 1,
    sessionId: store.sessions.newSessionId(),
    group: 'main',
    cwd: '/',
    model: 'm',
    context: { system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 },
  });
  made.log.close();
  const begun = join(pathsOf(home).sessions, 's1');
  const rubbish = filesIn(home).filter((path) => /\.tmp$|\/lock/.test(path));
  // A session that was never acknowledged has no log, is not listed, and keeps what little its folder holds.
  expect(rubbish.filter((path) => existsSync(join(begun, 'log.jsonl')) || !path.startsWith(begun))).toEqual([]);
  expect(told).toEqual([]);
}
