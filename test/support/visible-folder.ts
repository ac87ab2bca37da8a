import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { root } from './source.ts';

/**
 * A folder to make test folders in, of which the sandbox shows what lies beside a working folder: of the system's temporary folders it shows
 * nothing, and a clone may lie there. Not in installed code where another can be
 * written to: what lies there runs later. Undefined where there is none.
 */
export const visibleFolder: string | undefined = ['/srv', '/opt', '/var/lib', join(root, 'node_modules')].find((folder) => {
  try {
    accessSync(folder, constants.W_OK);
    return !/^\/(?:tmp|run|var\/tmp|var\/run)\//.test(folder);
  } catch {
    return false;
  }
});
