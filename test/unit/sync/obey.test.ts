import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeRecord, readRecord } from '../../../src/store/files/record-line.ts';
import { purge } from '../../../src/store/purge/purge.ts';
import { hashBytes, placeOf } from '../../../src/sync/segment.ts';
import { user } from '../../support/build.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { carryAll, filesWith, type SyncedHome, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';
import { storeOf } from '../store/files/world.ts';

const SECRET = 'hunter2-long-secret';
const purgeIn = ({ home }: SyncedHome, text = SECRET): void => {
  const { disk, paths } = storeOf({ home });
  purge(disk, paths, text);
};

const leftIn = (home: SyncedHome, text = SECRET) => [...filesWith(home.home, text), ...filesWith(home.folder, text)];

/** One after the other on what both have, as a disk that is plugged in here and there. */
function withOneFolder() {
  const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
  return [a, { ...b, folder: a.folder, exchange: (target = a.target()) => b.exchange(target) }] as const;
}

/** Twice, with an exchange between them, so that two segments refer to it. */
async function keepBody(home: SyncedHome, id: string, text: string): Promise<void> {
  for (const toolUseId of ['t1', 't2']) {
    home.write(id, `before ${toolUseId}`);
    const saved = home.store.bodies(id).save(text);
    if (saved === undefined) throw new Error('not saved');
    const { log } = home.store.sessions.open(id);
    log.append({ type: 'message', message: { ...user('x'), stubs: [{ toolUseId, tool: 'read_file', body: saved.ref }] } });
    log.close();
    await home.exchange();
  }
}

function bodyIn({ paths }: SyncedHome, id: string): string {
  const names = readdirSync(paths.offloaded(id));
  return names.map((name) => readFileSync(join(paths.offloaded(id), name), 'utf8')).join('');
}

describe('a text that is purged in one home', () => {
  test('is gone from the folder at the next exchange, and from the other home at its own, wherever it stood there', async () => {
    const [a, b] = withOneFolder();
    a.write('s1', `the password is ${SECRET}, keep it`);
    a.write('s1', 'later');
    await a.exchange();
    await b.exchange();
    mkdirSync(join(b.home, 'memory'), { recursive: true });
    writeFileSync(join(b.home, 'memory', 'soul.md'), `A page that was made of it: ${SECRET}\n`);
    purgeIn(a);
    expect(await a.exchange()).toMatchObject({ replaced: 1, sent: 0, received: 0, forks: [] });
    expect(filesWith(a.folder, SECRET)).toEqual([]);
    expect(leftIn(b)).not.toEqual([]);
    expect(await b.exchange()).toMatchObject({ obeyed: 1, sent: 0, received: 0, forks: [] });
    expect(leftIn(b)).toEqual([]);
    expect(readFileSync(join(b.home, 'memory', 'soul.md'), 'utf8')).toBe('A page that was made of it: [purged]\n');
    expect(statesOf(b)).toEqual(statesOf(a));
    b.write('s1', 'and on');
    expect(await b.exchange()).toMatchObject({ sent: 1, replaced: 0, obeyed: 0 });
    expect(await a.exchange()).toMatchObject({ received: 1, replaced: 0, obeyed: 0, forks: [] });
    expect(a.ids()).toEqual(['s1']);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(a.store.sessions.open('s1').warnings).toEqual([]);
    const joinedLater = syncedHome('third');
    await joinedLater.exchange(a.target());
    expect(statesOf(joinedLater)).toEqual(statesOf(a));
  });

  test('is gone from both where each wrote on before it knew, from forks, memories and bodies too', async () => {
    const [a, b] = withOneFolder();
    a.write('s1', `together: ${SECRET}`);
    for (const id of ['s2', 's3']) await keepBody(a, id, `${'line\n'.repeat(50)}${SECRET}\n`);
    a.store.memories('main').remember(a.fact(`The password is ${SECRET}`));
    await settle([a, b]);
    a.write('s1', 'on the laptop');
    b.write('s1', `on the desktop, again ${SECRET}`);
    await settle([a, b]);
    expect(filesWith(b.home, SECRET).length).toBeGreaterThan(3);
    purgeIn(b);
    await settle([a, b]);
    expect(leftIn(a)).toEqual([]);
    expect(leftIn(b)).toEqual([]);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(a.ids()).toHaveLength(4);
    for (const home of [a, b]) expect(bodyIn(home, 's3')).toMatch(/line\n\[purged\]\n$/);
    expect(a.facts()).toBe(b.facts());
    for (const home of [a, b]) for (const id of home.ids()) expect(home.store.sessions.open(id).warnings).toEqual([]);
  });

  test('does not come back with what a carrier brings again, nor from a home that sends it later', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', `one ${SECRET} two`);
    await settle([a, b]);
    b.write('s1', `once more: ${SECRET}`);
    purgeIn(a);
    await a.exchange();
    carryAll(b, a);
    await a.exchange();
    expect(leftIn(a)).toEqual([]);
    await settle([a, b]);
    await b.exchange();
    await settle([a, b]);
    await a.exchange();
    expect([...leftIn(a), ...leftIn(b)]).toEqual([]);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(a.ids()).toEqual(['s1']);
  });

  test('two texts that two machines purged apart are both gone from both', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', `first ${SECRET}`);
    a.write('s1', 'second: other-secret-text');
    await settle([a, b]);
    purgeIn(a);
    purgeIn(b, 'other-secret-text');
    await settle([a, b]);
    for (const home of [a, b]) await home.exchange();
    for (const home of [a, b]) expect([...leftIn(home), ...leftIn(home, 'other-secret-text')]).toEqual([]);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(a.ids()).toEqual(['s1']);
  });

  test('two texts of one line that two machines purged apart are told, with no fork and nothing sent, until both are purged on one', async () => {
    const [a, b] = withOneFolder();
    a.write('s1', `both ${SECRET} and other-secret-text`);
    await settle([a, b]);
    purgeIn(a);
    purgeIn(b, 'other-secret-text');
    await a.exchange();
    expect(await b.exchange()).toMatchObject({ unpurged: new Set(['s1']), sent: 0, received: 0, replaced: 0, forks: [] });
    expect(b.ids()).toEqual(['s1']);
    purgeIn(b);
    expect(await b.exchange()).toMatchObject({ unpurged: new Set(), replaced: 1 });
    expect(await a.exchange()).toMatchObject({ obeyed: 1 });
    for (const home of [a, b]) expect([...leftIn(home), ...leftIn(home, 'other-secret-text')]).toEqual([]);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(a.ids()).toEqual(['s1']);
  });

  test('a folder cannot have a few characters purged everywhere: that is told, and the home stays as it is', async () => {
    const [a, b] = withOneFolder();
    a.write('s1', 'the message abc');
    await settle([a, b]);
    const [target, before] = [a.target(), statesOf(b)];
    for await (const segment of target.read('s1', 1)) {
      const lines = segment.bytes
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => readRecord(Buffer.from(line)));
      const bytes = Buffer.concat(
        lines.map((record) => encodeRecord(JSON.parse(JSON.stringify(record).replace('message abc', 'message [purged]')))),
      );
      const name = { ...placeOf(segment), seq: 1, previous: '' };
      await target.replace({ ...segment, bytes, replaced: { hash: name.hash, sha256: hashBytes(bytes), gone: [], was: [] } }, name);
    }
    expect(await b.exchange()).toMatchObject({ unpurged: new Set(['s1']), obeyed: 0, received: 0, forks: [] });
    expect(statesOf(b)).toEqual(before);
  });

  test('a folder cannot have a file beside it taken away', async () => {
    const [a, b] = withOneFolder();
    a.write('s1', `one ${SECRET} two`);
    await settle([a, b]);
    purgeIn(a);
    await a.exchange();
    const outside = `../${basename(a.folder)}-kept`;
    writeFileSync(join(a.folder, `${outside}.gz`), 'a backup');
    const chain = join(a.folder, 'chains', 's1');
    for (const name of readdirSync(chain)) {
      const [head = '', ...lines] = gunzipSync(readFileSync(join(chain, name)))
        .toString('utf8')
        .split('\n');
      const about = JSON.parse(head);
      const forged = { ...about, objects: [outside], replaced: { ...about.replaced, gone: [outside] } };
      writeFileSync(join(chain, name), gzipSync([JSON.stringify(forged), ...lines].join('\n')));
    }
    for (const home of [a, b]) await home.exchange();
    expect(readFileSync(join(a.folder, `${outside}.gz`), 'utf8')).toBe('a backup');
    rmSync(join(a.folder, `${outside}.gz`));
  });

  test('stays where a session is open, which is told and exchanges nothing, until it is closed', async () => {
    const [a, b] = withOneFolder();
    a.write('s1', `open: ${SECRET}`);
    await settle([a, b]);
    purgeIn(a);
    await a.exchange();
    const { log } = b.store.sessions.open('s1');
    expect(await b.exchange()).toMatchObject({ busy: new Set(['s1']), obeyed: 0, sent: 0, received: 0 });
    log.close();
    expect(await b.exchange()).toMatchObject({ obeyed: 1, busy: new Set() });
    expect(leftIn(b)).toEqual([]);
    expect(b.ids()).toEqual(['s1']);
  });

  test('the same through the target of the tests, which is as strict as a server', async () => {
    const [a, b, target] = [syncedHome('laptop'), syncedHome('desktop'), createMemoryTarget()];
    a.write('s1', `here: ${SECRET}`);
    for (const home of [a, b]) await home.exchange(target);
    purgeIn(a);
    for (const home of [a, b]) await home.exchange(target);
    for await (const segment of target.read('s1', 1)) expect(segment.bytes.includes(SECRET)).toBe(false);
    expect(filesWith(b.home, SECRET)).toEqual([]);
    expect(await a.exchange(target)).toMatchObject({ sent: 0, received: 0, replaced: 0, obeyed: 0 });
  });
});
