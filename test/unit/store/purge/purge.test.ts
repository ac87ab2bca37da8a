import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import { checkSecret, planPurge, purge } from '../../../../src/store/purge/purge.ts';
import { bodyRefOf, encodeBody } from '../../../../src/store/session/bodies/body-text.ts';
import { bytesLeft, expectPurged, filesBelow, leakedHome, SECRET } from '../../../support/purge.ts';

import { sampleOf } from '../../../support/runs.ts';
import { headerOf, namesOf, said, storeOf, thrownBy } from '../files/world.ts';

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
    expect(namesOf(home.paths.conversations('main'))).toEqual(['2026-03-04-Key-purged.md', 'sessions-index.json']);
  });

  test('that only looks changes no byte', () => {
    const { paths, world } = leakedHome();
    const all = () => filesBelow(world.home).map((path) => [path, readFileSync(path, 'latin1')]);
    const before = all();
    planPurge(paths, SECRET);
    expect(all()).toEqual(before);
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
    expect(namesOf(paths.conversations('main'))).toEqual([`${at}-2.md`, `${at}.md`, 'sessions-index.json']);
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
