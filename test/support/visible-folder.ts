import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { root } from './source.ts';

/**
 * A folder to make test folders in, of which the sandbox shows what lies beside a working folder: of the system's temporary folders it shows
 * nothing, and a clone may lie there. Undefined where there is none to write to.
 */
export const visibleFolder: string | undefined = [join(root, 'node_modules'), '/srv', '/opt', '/var/lib'].find((folder) => {
  try {
    accessSync(folder, constants.W_OK);
    return !/^\/(?:tmp|run|var\/tmp|var\/run)\//.test(folder);
  } catch {
    return false;
  }
});
