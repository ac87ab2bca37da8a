import { createFolderTarget } from '../../src/sync/folder/folder-target.ts';
import { markFolder } from '../../src/sync/folder/mark.ts';
import { createMemoryTarget } from '../support/memory-target.ts';
import { newFolder, worldOf } from '../unit/store/files/world.ts';
import { promisesOfTarget } from './sync-target.ts';

promisesOfTarget('a folder', () => {
  const [{ disk }, folder] = [worldOf(), newFolder()];
  return createFolderTarget(disk, folder, markFolder(disk, folder, undefined));
});
promisesOfTarget('the target of the tests', createMemoryTarget);
