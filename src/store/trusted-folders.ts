import { z } from 'zod';
import { SanbotError } from '../domain/errors.ts';
import { parseJson } from '../domain/value/json.ts';
import { writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder } from './files/disk.ts';
import { withLock } from './files/lock.ts';
import { folderOf, type StorePaths } from './files/paths.ts';
import { readText } from './files/read-text.ts';

const trustedFolderSchema = z.looseObject({
  /** The real path: absolute, links resolved. */
  folder: z.string(),
  /** Which repository it was, as `repositoryIdentity` says; null when it was none. */
  repository: z.string().nullable(),
  /** The hooks that were agreed to, as one text; empty when there were none. */
  hooks: z.string(),
  /** The MCP servers, in the same way. */
  servers: z.string().default(''),
  /** The files with commands, in the same way. */
  commands: z.string().default(''),
  /** ISO 8601, UTC. */
  at: z.string(),
});

/** A folder whose settings, hooks and instructions the user has agreed to. */
export type TrustedFolder = Readonly<z.infer<typeof trustedFolderSchema>>;

/** A folder that the user does not want to be asked about. */
const refusedFolderSchema = trustedFolderSchema.pick({ folder: true, repository: true, at: true });
export type RefusedFolder = Readonly<z.infer<typeof refusedFolderSchema>>;

const fileSchema = z.looseObject({ folders: z.array(trustedFolderSchema), refused: z.array(refusedFolderSchema).default([]) });
type Said = { readonly folders: readonly TrustedFolder[]; readonly refused: readonly RefusedFolder[] };

export type TrustedFolders = ReturnType<typeof createTrustedFolders>;

const MAX_BYTES = 4 * 1024 * 1024;

/** `~/.sanbot/trusted.json`. Two processes may change it at once: neither loses what the other wrote. */
export function createTrustedFolders(disk: Disk, { trusted: path }: StorePaths) {
  const write = ({ refused, ...said }: Said): void => {
    const text = JSON.stringify(refused.length === 0 ? said : { ...said, refused }, null, 2);
    writeFileAtomic(disk, path, Buffer.from(`${text}\n`), { point: 'trust' });
  };
  const change = <T>(work: () => T): T => {
    ensureFolder(disk, folderOf(path));
    return withLock(disk, `${path}.lock`, work);
  };
  return {
    /** Oldest first. Throws store_damaged when the file is there and cannot be read: then nothing is trusted. */
    list: () => readSaid(path).folders,
    /** Those that the user said never about; throws as `list` does. */
    refused: () => readSaid(path).refused,
    /** Replaces what was said of the same folder. */
    add: (entry: TrustedFolder) =>
      change(() => {
        const said = without(entry.folder, readSaid(path));
        write({ ...said, folders: [...said.folders, entry] });
      }),
    refuse: (entry: RefusedFolder) =>
      change(() => {
        const said = without(entry.folder, readSaid(path));
        write({ ...said, refused: [...said.refused, entry] });
      }),
    /** False when it was not trusted. */
    remove: (folder: string) =>
      change(() => {
        const said = readSaid(path);
        const kept = said.folders.filter((each) => each.folder !== folder);
        if (kept.length < said.folders.length) write({ ...said, folders: kept });
        return kept.length < said.folders.length;
      }),
  };
}

/** What a newer version wrote beside them stays. */
const without = (folder: string, said: Said): Said => ({
  ...said,
  folders: said.folders.filter((each) => each.folder !== folder),
  refused: said.refused.filter((each) => each.folder !== folder),
});

function readSaid(path: string): Said {
  const text = readText(path, MAX_BYTES);
  if (text === undefined) return { folders: [], refused: [] };
  const parsed = fileSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new SanbotError(
    'store_damaged',
    { en: `${path} cannot be read, so no folder counts as trusted`, zh: `无法读取 ${path}，因此没有文件夹受信任` },
    {
      en: 'Move it away, and trust your folders again with sanbot trust add.',
      zh: '请移走它，再用 sanbot trust add 重新信任你的文件夹。',
    },
  );
}
