import { expect } from 'vitest';
import { plainFiles } from '../../src/sync/folder/files.ts';
import { createFolderTarget } from '../../src/sync/folder/folder-target.ts';
import { markFolder } from '../../src/sync/folder/mark.ts';
import { makeKey, recipientOf, sealedFiles } from '../../src/sync/folder/sealed-files.ts';
import { createMemoryHub, createMemoryTarget } from '../support/memory-target.ts';
import { newFolder, worldOf } from '../unit/store/files/world.ts';
import { promisesOfLeases, promisesOfTarget } from './sync-target.ts';

promisesOfTarget('a folder', () => {
  const [{ disk }, folder] = [worldOf(), newFolder()];
  return createFolderTarget(folder, { id: markFolder(disk, folder, undefined) }, plainFiles(disk, folder));
});
promisesOfTarget('an encrypted folder', async () => {
  const [{ disk }, folder, key] = [worldOf(), newFolder(), await makeKey()];
  const recipient = await recipientOf(key);
  const id = markFolder(disk, folder, undefined, recipient);
  const onUnopened = (count: number) => expect.fail(`${count} not opened`);
  const known = { read: () => [], write: () => undefined };
  return createFolderTarget(folder, { id, recipient }, sealedFiles(plainFiles(disk, folder), { key, id, known, onUnopened }));
});
promisesOfTarget('the target of the tests', createMemoryTarget);
promisesOfLeases('the hub of the tests', createMemoryHub);
