import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const offline = { SANBOT_PROVIDER: 'offline' };

/** Everything below a folder of the home as one text, but for the record of changes, which has the bytes of the person's own files as they are. */
export const allIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/sessions\/[^/]+\/changes(?:\/|$)/.test(entry.parentPath))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
