import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readVersion } from '../../../../src/store/changes/former-versions.ts';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import { findOrphans, removeOrphans } from '../../../../src/store/doctor/orphans.ts';
import { pathsOf } from '../../../../src/store/files/paths.ts';
import { headerOf, keepFormerVersion, said, storeOf } from '../files/world.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const HOURS = 3 * 3_600_000;

/** A session with a result that its context refers to, one that only a text names, and versions of a file; and each kind of leftover. */
function littered() {
  let later = 0;
  const start = Date.now();
  const made = storeOf({ now: () => new Date(start + later) });
  const { store, world } = made;
  const paths = pathsOf(world.home);
  const { log } = store.sessions.create(headerOf('s1'));
  const bodies = store.bodies('s1');
  const [live, named, lost] = ['live body', 'named in a text', 'of a killed process'].map((text) => bodies.save(text));
  if (live === undefined || named === undefined || lost === undefined) throw new Error('not saved');
  log.append({ type: 'offload', stubs: [{ ref: { toolUseId: 't', tool: 'read_file', body: live.ref }, text: 'stub' }] });
  log.append(said(`look it up in ${named.path}`));
  for (const text of ['before', 'after', 'never recorded']) keepFormerVersion(made, 's1', bytes(text));
  const version = (text: string) => ({ fingerprint: hashOf(text), bytes: text.length, kept: true });
  log.append({ type: 'file', path: '/p/甲.txt', tool: 'edit_file', before: version('before'), after: version('after') });
  log.close();
  const temporary = join(paths.versions('s1'), '.abc.999999.id.tmp');
  writeFileSync(temporary, 'half');
  const old = new Date(start - HOURS);
  utimesSync(temporary, old, old);
  later = HOURS;
  const disk = { ...world, warn: made.disk.warn };
  return { ...made, disk, paths, live, named, lost, unrecorded: paths.version('s1', hashOf('never recorded')), temporary };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('sanbot clean', () => {
  test('sweeps what interrupted work left in a session, and nothing that its log names in any way [O23, D-03, N4, D-35]', () => {
    const world = littered();
    const gone = [world.lost.path, world.unrecorded, world.temporary].sort();
    expect(
      findOrphans(world.disk, world.paths)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(gone);
    for (const path of gone) expect(existsSync(path)).toBe(true);
    expect(
      removeOrphans(world.disk, world.paths)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(gone);
    for (const path of gone) expect(existsSync(path)).toBe(false);
    expect([readFileSync(world.live.path, 'utf8'), readFileSync(world.named.path, 'utf8')]).toEqual(['live body', 'named in a text']);
    expect([readVersion(world.paths, 's1', hashOf('before')), readVersion(world.paths, 's1', hashOf('after'))]).toEqual([
      bytes('before'),
      bytes('after'),
    ]);
    expect([findOrphans(world.disk, world.paths), world.told]).toEqual([[], []]);
  });

  test('leaves alone what is young, and a session that is in use [C-15]', () => {
    const world = littered();
    const young = new Date(world.disk.now().getTime() - 1000);
    utimesSync(world.lost.path, young, young);
    utimesSync(world.unrecorded, young, young);
    expect(findOrphans(world.disk, world.paths).map(({ what }) => what)).toEqual(['temporary']);
    writeFileSync(world.temporary, 'half');
    const { log } = world.store.sessions.open('s1');
    const old = new Date(world.disk.now().getTime() - HOURS);
    for (const path of [world.lost.path, world.unrecorded]) utimesSync(path, old, old);
    expect(removeOrphans(world.disk, world.paths)).toEqual([]);
    log.close();
    expect(existsSync(world.lost.path)).toBe(true);
  });

  test('keeps every file of a session without its log, and one that only a torn or set aside line names', () => {
    const world = littered();
    const log = world.paths.log('s1');
    writeFileSync(`${log}.torn-x`, `{"stub":"${world.lost.ref.sha256}`);
    expect(findOrphans(world.disk, world.paths).map(({ path }) => path)).not.toContain(world.lost.path);
    mkdirSync(world.paths.session('s2'));
    mkdirSync(world.paths.versions('s2'));
    const stray = join(world.paths.versions('s2'), 'a'.repeat(32));
    writeFileSync(stray, 'x');
    removeOrphans(world.disk, world.paths);
    expect(existsSync(stray)).toBe(true);
  });
});

describe('contents of files that a former version kept', () => {
  test('that were changed or are missing are found by sanbot doctor, and set aside, never restored from [D-44, S-38]', () => {
    const world = littered();
    writeFileSync(world.paths.version('s1', hashOf('before')), 'forged');
    writeFileSync(world.paths.version('s1', hashOf('after')), '');
    const kinds = (repair: boolean) =>
      diagnose(world.disk, { sessionId: 's1', repair })
        .findings.map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('version'));
    expect(kinds(false)).toEqual(['version_changed', 'version_changed']);
    for (const wrong of [hashOf('before'), '../../../etc/passwd', '', hashOf('x')])
      expect(readVersion(world.paths, 's1', wrong)).toBeUndefined();
    expect(kinds(true)).toEqual(['version_missing', 'version_missing']);
  });
});
