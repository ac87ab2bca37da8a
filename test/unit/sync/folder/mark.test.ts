import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plainFiles } from '../../../../src/sync/folder/files.ts';
import { createFolderTarget } from '../../../../src/sync/folder/folder-target.ts';
import { markFolder } from '../../../../src/sync/folder/mark.ts';
import { carryAll, filesBelow, settle, statesOf, syncedHome } from '../../../support/synced-homes.ts';
import { failing, newFolder, thrownBy, worldOf } from '../../store/files/world.ts';

const refused = (why: string) => expect.objectContaining({ code: 'refused', message: expect.stringContaining(why) });

describe('a folder for other machines', () => {
  test('is marked when it is empty or new, also beside what a carrier keeps there, and known again', () => {
    const { disk } = worldOf();
    const folder = newFolder();
    mkdirSync(join(folder, '.stfolder'));
    const id = markFolder(disk, folder, undefined);
    expect(markFolder(disk, folder, undefined)).toBe(id);
    const made = join(newFolder(), '我的 会话');
    expect(markFolder(disk, made, undefined)).not.toBe(id);
    expect(readdirSync(made)).toEqual(['sanbot-sync.json']);
  });

  test("is refused when it holds other files, is a file, is another user's, or lies about the home; nothing is written", () => {
    const { disk, world } = worldOf();
    mkdirSync(world.home, { recursive: true });
    const folder = newFolder();
    writeFileSync(join(folder, 'photo.jpg'), 'x');
    expect(thrownBy(() => markFolder(disk, folder, undefined))).toEqual(refused('photo.jpg'));
    expect(thrownBy(() => markFolder(disk, join(folder, 'photo.jpg'), undefined))).toEqual(refused('not a folder'));
    expect(thrownBy(() => markFolder(disk, newFolder(), -1))).toEqual(refused('another user'));
    expect(thrownBy(() => markFolder(disk, join(world.home, 'inside'), undefined))).toEqual(refused('home'));
    expect(thrownBy(() => markFolder(disk, join(world.home, '..'), undefined))).toEqual(refused('home'));
    expect(thrownBy(() => markFolder(disk, join(folder, 'no', 'such'), undefined))).toEqual(refused('cannot be made'));
    expect(readdirSync(folder)).toEqual(['photo.jpg']);
    expect(readdirSync(world.home)).toEqual([]);
  });

  test('is refused when a newer SanBot marked it, or its mark is not whole', () => {
    const { disk } = worldOf();
    const folder = newFolder();
    writeFileSync(join(folder, 'sanbot-sync.json'), '{"sanbotSync":3,"id":"abcdef"}');
    expect(thrownBy(() => markFolder(disk, folder, undefined))).toEqual(refused('newer SanBot'));
    writeFileSync(join(folder, 'sanbot-sync.json'), '{"sanbotSync":1,');
    expect(thrownBy(() => markFolder(disk, folder, undefined))).toEqual(refused('not whole'));
  });

  test('that is not there, or was marked anew, is not taken for an empty one', async () => {
    const { disk } = worldOf();
    const folder = newFolder();
    const target = createFolderTarget(folder, { id: markFolder(disk, folder, undefined) }, plainFiles(disk, folder));
    rmSync(join(folder, 'sanbot-sync.json'));
    await expect(target.list()).rejects.toEqual(refused('not the one that was added'));
    markFolder(disk, folder, undefined);
    await expect(target.list()).rejects.toEqual(refused('not the one that was added'));
    rmSync(folder, { recursive: true });
    await expect(target.list()).rejects.toEqual(refused('is not there'));
  });

  test('that is full takes nothing half: the exchange says so, and the next one goes on', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'hello');
    a.faults(failing('sync.segment.write', 'ENOSPC'));
    await expect(a.exchange()).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/^Cannot write .*the disk is full$/),
    });
    expect(filesBelow(a.folder)).toEqual([]);
    a.faults(undefined);
    await settle([a, b]);
    expect(statesOf(b)).toEqual(statesOf(a));
  });

  test('that may not be written, or is a link to nowhere, is refused by its name, and nothing is half done', async () => {
    const { disk } = worldOf();
    const root = newFolder();
    const folder = join(root, 'carried');
    const made = worldOf({ at: failing('sync.mark.write', 'EACCES') });
    mkdirSync(folder);
    expect(thrownBy(() => markFolder(made.disk, folder, undefined))).toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/^Cannot write .*carried.*permission denied$/),
    });
    expect(readdirSync(folder)).toEqual([]);
    symlinkSync(join(root, 'nowhere'), join(root, 'link'));
    expect(thrownBy(() => markFolder(disk, join(root, 'link'), undefined))).toEqual(refused('a link that leads nowhere'));
    symlinkSync(folder, join(root, 'to-it'));
    const id = markFolder(disk, join(root, 'to-it'), undefined);
    expect(markFolder(disk, folder, undefined)).toBe(id);
    const a = syncedHome('laptop');
    a.write('s1', 'hello');
    a.faults(failing('sync.segment.write', 'EACCES'));
    await expect(a.exchange()).rejects.toMatchObject({ code: 'store_failed', message: expect.stringContaining('permission denied') });
    expect(filesBelow(a.folder)).toEqual([]);
  });

  test('with a file that cannot be read stops with its name, and changes no session', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'hello');
    await a.exchange();
    carryAll(a, b);
    const [name = ''] = filesBelow(b.folder);
    rmSync(join(b.folder, name));
    mkdirSync(join(b.folder, name));
    await expect(b.exchange()).rejects.toMatchObject({ code: 'store_damaged', message: expect.stringContaining(name) });
    expect(b.ids()).toEqual([]);
  });

  test('loses what a killed exchange left half written at the next one that writes beside it', async () => {
    const a = syncedHome('laptop');
    a.write('s1', 'hello');
    await a.exchange();
    const left = join(a.folder, 'chains', 's1', '.x.gz.999999999.abc.tmp');
    writeFileSync(left, 'half');
    utimesSync(left, 1, 1);
    a.write('s1', 'more');
    await a.exchange();
    expect(filesBelow(a.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
