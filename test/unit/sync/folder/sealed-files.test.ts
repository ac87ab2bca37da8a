import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { describe, expect, test } from 'vitest';
import { plainFiles } from '../../../../src/sync/folder/files.ts';
import { createFolderTarget } from '../../../../src/sync/folder/folder-target.ts';
import { makeKey, recipientOf, sealedFiles } from '../../../../src/sync/folder/sealed-files.ts';
import { hashBytes } from '../../../../src/sync/segment.ts';
import { carryAll, filesBelow, type SyncedHome, statesOf, syncedHome } from '../../../support/synced-homes.ts';
import { worldOf } from '../../store/files/world.ts';

/** The folder of a home as an encrypted one. `unopened`: what was told of files that cannot be opened. */
function sealed(home: SyncedHome, key: string, id = 'carried') {
  const unopened: number[] = [];
  let known: readonly string[] = [];
  const write = (paths: readonly string[]) => {
    known = paths;
  };
  const sealing = { key, id, known: { read: () => known, write }, onUnopened: (count: number) => unopened.push(count) };
  const files = sealedFiles(plainFiles(worldOf().disk, home.folder), sealing);
  const target = createFolderTarget(home.folder, { id: 'carried' }, files);
  return { files, target, unopened, known: () => known };
}

const bytesOf = (folder: string): string =>
  filesBelow(folder)
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
    .join('\n');

describe('an encrypted folder', () => {
  test('shows no word, no id and no hash of what is in it, in no name and in no content', async () => {
    const [a, plain, key] = [syncedHome('laptop'), syncedHome('laptop'), await makeKey()];
    for (const home of [a, plain]) home.write('session-of-may', 'hello mauve');
    await a.exchange(sealed(a, key).target);
    await plain.exchange();
    const hashes = bytesOf(plain.folder).match(/[0-9a-f]{64}/g) ?? [];
    expect(hashes.length).toBeGreaterThan(1);
    expect(filesBelow(a.folder)).toHaveLength(filesBelow(plain.folder).length);
    const shown = bytesOf(a.folder);
    for (const text of ['session-of-may', 'mauve', 'laptop', 'chains', 'start', key, ...hashes])
      for (const form of [text, Buffer.from(text).toString('base64').slice(0, -3)]) expect(shown).not.toContain(form);
    for (const hash of hashes) expect(shown).not.toContain(Buffer.from(hash, 'hex').toString('latin1'));
    for (const name of filesBelow(a.folder)) expect(name).toMatch(/^files\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.age$/);
  });

  test('holds files that the library of age opens alone: a line with the path, then what a plain folder has', async () => {
    const [a, key] = [syncedHome('laptop'), await makeKey()];
    a.write('s1', 'hello mauve');
    await a.exchange(sealed(a, key).target);
    const decrypter = new Decrypter();
    decrypter.addIdentity(key);
    const opened: string[] = [];
    for (const name of filesBelow(a.folder)) {
      const bytes = Buffer.from(await decrypter.decrypt(readFileSync(join(a.folder, name))));
      const end = bytes.indexOf('\n');
      opened.push(`${bytes.toString('utf8', 65, end)} ${gunzipSync(bytes.subarray(end + 1)).toString()}`);
    }
    expect(opened.find((text) => /^chains\/s1\/00000001-[0-9a-f]{64}-start\.gz /.test(text))).toContain('hello mauve');
  });

  test('gives another machine all of it by the key, opens each file once for its name, and nothing by another key', async () => {
    const [a, b, key] = [syncedHome('laptop'), syncedHome('desktop'), await makeKey()];
    a.write('s1', 'hello');
    await a.exchange(sealed(a, key).target);
    carryAll(a, b);
    const other = sealed(b, await makeKey());
    expect(await other.target.list()).toEqual([]);
    expect(other.unopened).toEqual([filesBelow(b.folder).length]);
    const right = sealed(b, key);
    await b.exchange(right.target);
    expect(statesOf(b)).toEqual(statesOf(a));
    await right.target.list();
    // What is known is not opened again: the list stays when no file can be read any more.
    const listed = await right.target.list();
    for (const name of filesBelow(b.folder)) truncateSync(join(b.folder, name), 0);
    expect(await right.target.list()).toEqual(listed);
    expect(right.known()).toHaveLength(filesBelow(b.folder).length);
    for await (const segment of right.target.read('s1', 1)) expect.fail(segment.chain);
  });

  test('takes nothing that is cut, forged to the public key, under another name or of another folder, and says how many there are', async () => {
    const [a, b, key] = [syncedHome('laptop'), syncedHome('desktop'), await makeKey()];
    a.write('s1', 'hello');
    a.write('s2', 'second');
    await a.exchange(sealed(a, key).target);
    carryAll(a, b);
    const names = filesBelow(a.folder).map((name) => join(b.folder, name));
    const [one = '', two = '', three = ''] = names;
    const mail = new Encrypter();
    mail.addRecipient((await recipientOf(key)) ?? '');
    const inner = Buffer.from(`${'0'.repeat(64)} chains/s9/00000001-${'a'.repeat(64)}-start.gz\nforged`);
    const forged = await mail.encrypt(inner);
    truncateSync(one, statSync(one).size - 1);
    copyFileSync(three, two);
    writeFileSync(three, forged);
    const elsewhere = sealed(b, key, 'elsewhere');
    await elsewhere.files.write('chains/s8/00000001.gz', Buffer.from('x'), 'x');
    const there = sealed(b, key);
    const report = await b.exchange(there.target);
    expect(there.unopened).toEqual([4]);
    expect({ ids: b.ids(), received: report.received }).toEqual({ ids: [], received: 0 });
    rmSync(two);
    rmSync(three);
    carryAll(a, b);
    copyFileSync(join(a.folder, filesBelow(a.folder)[0] ?? ''), one);
    await b.exchange(sealed(b, key).target);
    expect(statesOf(b)).toEqual(statesOf(a));
  });

  test('does not take an old file again that a carrier brings after a purge', async () => {
    const [a, key] = [syncedHome('laptop'), await makeKey()];
    a.write('s1', 'the secret');
    const { target, files } = sealed(a, key);
    await a.exchange(target);
    const [name] = (await target.list()).filter(({ chain }) => chain === 's1');
    const { value: segment } = await target.read('s1', 1)[Symbol.asyncIterator]().next();
    if (name === undefined || segment === undefined) return expect.fail('nothing was sent');
    const saved = filesBelow(a.folder).map((each) => join(a.folder, each));
    for (const path of saved) copyFileSync(path, `${path}.kept`);
    const bytes = Buffer.from(segment.bytes.toString().replace('the secret', '[purged]'));
    await target.replace({ ...segment, bytes, replaced: { hash: name.hash, sha256: hashBytes(bytes), gone: [], was: [] } }, name);
    expect(saved.filter((path) => !readdirSync(join(path, '..')).includes(path.slice(path.lastIndexOf('/') + 1)))).toHaveLength(1);
    for (const path of saved) renameSync(`${path}.kept`, path);
    expect(await files.names('chains/s1')).toHaveLength(1);
    const listed = (await sealed(a, key).target.list()).filter(({ chain }) => chain === 's1');
    expect(listed).toEqual([{ ...name, replaced: hashBytes(bytes).slice(0, 16) }]);
    for await (const each of sealed(a, key).target.read('s1', 1)) expect(each.bytes.toString()).not.toContain('the secret');
  });

  test('that a carrier puts back to an earlier state sends no machine back, and gets what it lacks again', async () => {
    const [a, key] = [syncedHome('laptop'), await makeKey()];
    a.write('s1', 'hello');
    await a.exchange(sealed(a, key).target);
    const earlier = filesBelow(a.folder);
    a.write('s1', 'more');
    await a.exchange(sealed(a, key).target);
    const before = statesOf(a);
    for (const name of filesBelow(a.folder)) if (!earlier.includes(name)) rmSync(join(a.folder, name));
    for (let time = 0; time < 2; time++) await a.exchange(sealed(a, key).target);
    expect(statesOf(a)).toEqual(before);
    const b = syncedHome('desktop');
    carryAll(a, b);
    await b.exchange(sealed(b, key).target);
    expect(statesOf(b)).toEqual(before);
  });
});
