import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SanbotError } from '../../../../src/domain/errors.ts';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import { checkSecret, planPurge, purge } from '../../../../src/store/purge/purge.ts';
import { bodyRefOf, encodeBody } from '../../../../src/store/session/bodies/body-text.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';
import { runs, sampleOf } from '../../../support/runs.ts';
import { headerOf, namesOf, said, storeOf, thrownBy, worldOf } from '../files/world.ts';

const SECRET = 'sk-p"ur<ge>&密\\/9zqx7d6c5b4a';

/** A home in which the secret stands in every place and every form. */
function leakedHome(at?: (point: string) => number | undefined) {
  const made = storeOf();
  const { store, paths, world } = made;
  const { log } = store.sessions.create(headerOf('s1'));
  const bodies = store.bodies('s1');
  const [live, retired] = [`first ${SECRET} of all\n${'x\n'.repeat(400)}`, `second ${SECRET}`].map((text) => {
    const ref = bodies.save(text)?.ref;
    if (ref === undefined) throw new Error('no room');
    return { ref, text };
  });
  if (live === undefined || retired === undefined) throw new Error('two are two');
  const stub = `Tool result is at: ${bodies.path(live.ref)}\nsha256 ${live.ref.sha256}\nfirst sk-p"ur<ge>&密\\/9zqx…`;
  const result = { ...answers({ id: 't1', content: stub }), stubs: [{ toolUseId: 't1', tool: 'read_file', body: live.ref }] };
  const messages = [
    user(`my key is ${SECRET}`),
    calls({ id: 't1', name: 'read_file', input: { path: 'a.txt', [SECRET]: JSON.stringify({ key: SECRET }) } }),
    result,
    says(`&lt;b&gt; ${SECRET.replace('<', '&lt;')}`),
  ];
  for (const message of messages) log.append({ type: 'message', message });
  store.bodies('s1').retire(new Set([live.ref.sha256]));
  const context = contextOf(messages);
  const meta = store.snapshots.write({
    sessionId: 's1',
    group: 'main',
    reason: 'compaction',
    model: 'm',
    tokens: 5,
    context,
    bodies: [live],
  });
  store.snapshots.recordOutcome(meta.id, { at: '2026-03-04T05:06:08.000Z', messages: 1, tokensAfter: 1, line: `kept: ${SECRET}` });
  log.append({ type: 'checkpoint', reason: 'compaction', snapshotId: meta.id, context });
  log.close();
  store.archive('main').write({ title: `Key ${SECRET}`, markdown: `# Key ${SECRET}\n` });
  store.inputHistory.append(`${JSON.stringify(`type ${SECRET}`)}\n`);
  store.events.append({ v: 1, at: '2026-03-04T05:06:07.000Z', sessionId: 's1', type: 'warning', message: SECRET });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  put(join(paths.memory('main'), 'daily', '2026-03-04.md'), `- ${SECRET}\n`);
  put(join(paths.memory('other'), 'extracted', 'facts.md'), `# Facts\n\n- ${SECRET}\n`);
  put(paths.olderExtracted('main', 'facts'), `- ${SECRET} <!-- session s1 message m1 id m12345678 superseded-by m2 -->\n`);
  put(paths.master('main'), `# Memory\n\n- ${SECRET}\n`);
  put(join(paths.consolidations('main'), '20260304T050607000Z.json'), `${JSON.stringify({ before: SECRET, after: `- ${SECRET}\n` })}\n`);
  put(paths.pendingConsolidation('main'), `${JSON.stringify({ aside: [{ kind: 'facts', line: `- ${SECRET}` }] })}\n`);
  put(join(dirname(paths.events), 'events-000001-7.jsonl'), `${JSON.stringify({ v: 1, type: 'warning', message: SECRET })}\n`);
  put(join(paths.setAsideFolder, 'torn'), `{"v":1,"text":"${SECRET}`);
  put(paths.title('s1'), `About ${SECRET}`);
  appendFileSync(paths.events, `{"torn":"${JSON.stringify(SECRET).slice(1, -1)}`);
  const refs = { live, retired };
  return { ...made, ...refs, meta, failing: worldOf({ home: world.home, ...(at === undefined ? {} : { at }) }).disk };
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );

/** No form of the secret anywhere: what all its forms have in common is not there. */
const bytesLeft = (home: string) => filesBelow(home).filter((path) => `${path}${readFileSync(path, 'latin1')}`.includes('9zqx'));

function expectPurged({ store, world, paths, live, retired, meta }: ReturnType<typeof leakedHome>): void {
  expect(bytesLeft(world.home)).toEqual([]);
  expect(existsSync(paths.purgeJournal)).toBe(false);
  const opened = store.sessions.open('s1');
  expect(opened.warnings).toEqual([]);
  opened.log.close();
  const found = store.snapshots.read(meta.id);
  if (found.kind !== 'found') throw new Error(JSON.stringify(found));
  expect(JSON.stringify(found.context)).toContain('my key is [purged]');
  const body = live.text.replaceAll(SECRET, '[purged]');
  expect(found.bodies.map(({ text }) => text)).toEqual([body]);
  const refs = found.context.messages.flatMap(({ stubs }) => (stubs ?? []).map((stub) => stub.body));
  expect(refs.map((ref) => store.bodies('s1').read(ref))).toEqual([body]);
  expect(refs[0]?.bytes).toBe(Buffer.byteLength(body));
  // The path in the stub's text leads to the body too.
  const path = /Tool result is at: (\S+?)\\n/.exec(JSON.stringify(found.context))?.[1] ?? '';
  expect(store.bodies('s1').readPath(path)).toBe(body);
  expect(readFileSync(paths.retiredBodies('s1'), 'utf8')).toContain(retired.text.replaceAll(SECRET, '[purged]'));
  expect(diagnose(world, { sessionId: undefined, repair: false }).findings).toEqual([]);
}

describe('a purge', () => {
  test('leaves the secret nowhere, in no form; what is known by its hash is found under the new one, and all is well [S-30, C117]', () => {
    const home = leakedHome();
    const plan = planPurge(home.paths, SECRET);
    expect(plan.findings.map(({ name }) => name).sort()).toEqual(
      [
        'context/events-000001-7.jsonl',
        'context/events.jsonl',
        'groups/main/conversations/2026-03-04-Key-sk-p-ur-ge-密-9zqx7d6c5b4a.md',
        'groups/other/memory/extracted/facts.md',
        'history',
        'memory/daily/2026-03-04.md',
        'memory/extracted/older/facts.md',
        'memory/summary/master.md',
        'memory/summary/pending.json',
        'memory/summary/previous/20260304T050607000Z.json',
        `memory/session-summaries/${home.meta.id}.jsonl`,
        `memory/session-summaries/${home.meta.id}.meta.json`,
        'sessions/s1/bodies.jsonl',
        'sessions/s1/log.jsonl',
        `sessions/s1/offloaded/${home.live.ref.sha256.slice(0, 32)}.txt`,
        'sessions/s1/title',
        'set-aside/torn',
      ].sort(),
    );
    purge(home.disk, home.paths, SECRET);
    expect(planPurge(home.paths, SECRET).findings).toEqual([]);
    expectPurged(home);
    expect(namesOf(home.paths.conversations('main'))).toEqual(['2026-03-04-Key-purged.md']);
  });

  test('that only looks changes no byte', () => {
    const { paths, world } = leakedHome();
    const all = () => filesBelow(world.home).map((path) => [path, readFileSync(path, 'latin1')]);
    const before = all();
    planPurge(paths, SECRET);
    expect(all()).toEqual(before);
  });

  test('interrupted at its steps can be done again, and every file is whole meanwhile [D-02]', () => {
    const points: string[] = [];
    const first = leakedHome((point) => void points.push(point));
    purge(first.failing, first.paths, SECRET);
    expect(points.length).toBeGreaterThan(30);
    for (const k of sampleOf([...points.keys()].filter((at) => at % 3 === 0))) {
      let n = 0;
      const home = leakedHome((point) => {
        if (n++ === k) throw Object.assign(new Error(`EIO: ${point}`), { code: 'EIO' });
        return undefined;
      });
      try {
        purge(home.failing, home.paths, SECRET);
      } catch (error) {
        expect(error).toBeInstanceOf(SanbotError);
      }
      purge(home.disk, home.paths, SECRET);
      expectPurged(home);
    }
  });

  test('stopped at its steps leaves the home as it was, or is finished by the doctor, who does not know the secret [D-02]', () => {
    const points: string[] = [];
    const first = leakedHome((point) => void points.push(point));
    purge(first.failing, first.paths, SECRET);
    let untouched = 0;
    const steps = sampleOf([...points.keys()].filter((at) => at % 2 === 1));
    for (const k of steps) {
      let n = 0;
      const home = leakedHome((point) => {
        if (n++ >= k) throw Object.assign(new Error(`ENOSPC: ${point}`), { code: 'ENOSPC' });
        return undefined;
      });
      const all = () => filesBelow(home.world.home).map((path) => [path, readFileSync(path, 'latin1')]);
      const before = all();
      try {
        purge(home.failing, home.paths, SECRET);
      } catch (error) {
        expect(error).toBeInstanceOf(SanbotError);
      }
      const hasBegun = existsSync(home.paths.purgeJournal);
      const later = { ...home.world, now: () => new Date(home.world.now().getTime() + 7_200_000) };
      const found = diagnose(later, { sessionId: undefined, repair: true });
      expect(found.findings).toEqual([]);
      if (bytesLeft(home.world.home).length === 0) expectPurged(home);
      else {
        expect(hasBegun).toBe(false);
        expect(all()).toEqual(before);
        untouched += 1;
      }
    }
    expect(untouched).toBeGreaterThan(runs(5));
    expect(untouched).toBeLessThan(steps.length - runs(5));
  });

  test('keeps what was written to a session between an interruption and its end', () => {
    const home = leakedHome((point) => {
      if (point === 'purge.rename') throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return undefined;
    });
    expect(thrownBy(() => purge(home.failing, home.paths, SECRET))).toMatchObject({ code: 'store_failed' });
    const { log } = home.store.sessions.open('s1');
    log.append(said('written meanwhile'));
    log.close();
    writeFileSync(home.paths.title('s1'), `Another title with ${SECRET}`);
    const { repaired } = diagnose(home.world, { sessionId: undefined, repair: true });
    expect(repaired.filter(({ path }) => path === home.paths.purgeJournal)).toMatchObject([
      { path: home.paths.purgeJournal, did: { en: `finished, but for ${home.paths.title('s1')}, changed since; purge again` } },
    ]);
    const opened = home.store.sessions.open('s1');
    opened.log.close();
    expect(opened.warnings).toEqual([]);
    expect(opened.records.at(-1)).toMatchObject({ message: { content: [{ text: 'written meanwhile' }] } });
    expect(bytesLeft(home.world.home)).toEqual([home.paths.title('s1')]);
    purge(home.disk, home.paths, SECRET);
    expectPurged(home);
  });

  test('that SanBot 0.1 left half done is told by the doctor, and finished with the same text', () => {
    const home = leakedHome((point) => {
      if (point === 'purge.rename') throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return undefined;
    });
    const { paths, meta, live, retired } = home;
    expect(thrownBy(() => purge(home.failing, paths, SECRET))).toMatchObject({ code: 'store_failed' });
    const { moves, removes } = JSON.parse(readFileSync(paths.purgeJournal, 'utf8'));
    const place = (name: string) => join(paths.home, name);
    const done = moves.findIndex(({ to }: { to: string }) => to.endsWith(`${meta.id}.jsonl`)) + 1;
    expect(done).toBeGreaterThan(0);
    for (const { from, to } of moves.slice(0, done)) renameSync(place(from), place(to));
    for (const name of [...removes, ...moves.slice(done).map(({ from }: { from: string }) => from)]) rmSync(place(name));
    const bodies = [live, retired].map(({ ref, text }) => [ref.sha256, bodyRefOf(encodeBody(text.replaceAll(SECRET, '[purged]')))]);
    const snapshots = [[meta.sha256, bodyRefOf(readFileSync(paths.snapshot('main', meta.id)))]];
    writeFileSync(paths.purgeJournal, JSON.stringify({ v: 1, bodies, snapshots }));
    expect(home.store.snapshots.read(meta.id).kind).toBe('altered');
    expect(planPurge(paths, SECRET).unfinished).toBe(true);
    expect(diagnose(home.world, { sessionId: undefined, repair: false }).findings).toContainEqual(
      expect.objectContaining({ path: paths.purgeJournal, remedy: undefined }),
    );
    purge(home.disk, paths, SECRET);
    expectPurged(home);
  });

  test('whose journal cannot be read is told by the doctor, and the next purge removes it', () => {
    const home = leakedHome();
    writeFileSync(home.paths.purgeJournal, '{"v":2,"mov');
    expect(diagnose(home.world, { sessionId: undefined, repair: true }).findings).toMatchObject([{ kind: 'purge', remedy: undefined }]);
    purge(home.disk, home.paths, SECRET);
    expectPurged(home);
  });

  test('finds the secret in the name of an archive that was cut inside of it', () => {
    const { store, disk, paths } = storeOf();
    const secret = 'k9'.repeat(15);
    for (const markdown of ['one', 'two']) store.archive('main').write({ title: `A key for the pump house ${secret}`, markdown });
    expect(planPurge(paths, secret).findings.map(({ count }) => count)).toEqual([1, 1]);
    purge(disk, paths, secret);
    const at = '2026-03-04-A-key-for-the-pump-house-purged';
    expect(namesOf(paths.conversations('main'))).toEqual([`${at}-2.md`, `${at}.md`]);
  });

  test.each(sampleOf([6_000, 400, 20_000]))('takes out a text of %i characters', (length) => {
    const { store, disk, paths, world } = storeOf();
    const text = Array.from({ length: length / 10 }, (_, i) => `line ${String(i).padStart(4, '0')}\n`)
      .join('')
      .slice(0, length)
      .trim();
    const { log } = store.sessions.create(headerOf('s1'));
    log.append(said(`before ${text} after`));
    log.append(said(text.slice(0, -9)));
    log.close();
    expect(planPurge(paths, text).findings).toMatchObject([{ name: 'sessions/s1/log.jsonl' }]);
    purge(disk, paths, text);
    expect(planPurge(paths, text).findings).toEqual([]);
    expect(readFileSync(paths.log('s1'), 'utf8')).toContain('before [purged] after');
    expect(diagnose(world, { sessionId: undefined, repair: false }).findings).toEqual([]);
  });

  test('is refused while a session is open, and changes nothing [C-04]', () => {
    const { store, disk, paths, world } = leakedHome();
    const before = filesBelow(world.home)
      .filter((path) => !path.endsWith('lock'))
      .map((path) => readFileSync(path, 'latin1'));
    const { log } = store.sessions.open('s1');
    expect(thrownBy(() => purge(disk, paths, SECRET))).toMatchObject({ code: 'session_locked' });
    log.close();
    expect(
      filesBelow(world.home)
        .filter((path) => !path.endsWith('lock'))
        .map((path) => readFileSync(path, 'latin1')),
    ).toEqual(before);
    purge(disk, paths, SECRET);
  });

  test('is refused while memories are being consolidated [C-04]', async () => {
    const { store, disk, paths } = leakedHome();
    await store.consolidations('main').exclusively(async () => {
      expect(thrownBy(() => purge(disk, paths, SECRET))).toMatchObject({ code: 'session_locked' });
    });
    purge(disk, paths, SECRET);
  });

  test('takes a memory out of its page, and leaves nothing of it among the known ones but hashes', () => {
    const { store, disk, paths, world } = leakedHome();
    const entry = { kind: 'facts', sessionId: 's1', messageId: 'm1', at: '2026-03-04T05:06:07.000Z', by: 'user' } as const;
    store.memories('main').remember({ ...entry, text: `The key is ${SECRET}` });
    expect(readFileSync(paths.extracted('main', 'facts'), 'utf8')).toContain(SECRET);
    expect(readFileSync(paths.knownMemories('main'), 'latin1')).not.toContain('9zqx');
    purge(disk, paths, SECRET);
    expect(bytesLeft(world.home)).toEqual([]);
    expect(
      store
        .memories('main')
        .list()
        .map(({ text }) => text),
    ).toEqual(['The key is [purged]']);
  });

  test('of what SanBot itself is made of is refused before anything changes', () => {
    const { disk, paths, store } = leakedHome();
    for (const word of ['assistant', 'message', 'tool_result'])
      expect(thrownBy(() => purge(disk, paths, word))).toMatchObject({ code: 'refused' });
    store.sessions.create(headerOf('20260304-abcdef')).log.close();
    expect(thrownBy(() => purge(disk, paths, '20260304-abcdef'))).toMatchObject({ code: 'refused' });
    const { log, warnings } = store.sessions.open('s1');
    log.close();
    expect(warnings).toEqual([]);
  });

  test.each(['', '   ', 'abc', '密', 'purged', 'ab\0cdefgh'])('of what is no secret is refused: %j', (text) => {
    expect(thrownBy(() => checkSecret(text))).toMatchObject({ code: 'usage' });
  });

  test('leaves the settings alone and says so; another session keeps every byte', () => {
    const { disk, paths, store } = leakedHome();
    const { log } = store.sessions.create(headerOf('s2'));
    log.append(said('nothing of it'));
    log.close();
    writeFileSync(paths.config, JSON.stringify({ model: { apiKey: SECRET } }));
    const before = readFileSync(paths.log('s2'));
    expect(planPurge(paths, SECRET).inSettings).toBe(1);
    purge(disk, paths, SECRET);
    expect(readFileSync(paths.log('s2')).equals(before)).toBe(true);
    expect(JSON.parse(readFileSync(paths.config, 'utf8'))).toEqual({ model: { apiKey: SECRET } });
  });
});
