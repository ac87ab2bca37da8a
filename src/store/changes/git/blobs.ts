import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Entry } from '../../../domain/session/change.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { fileSize, readOwnFile } from '../../files/disk.ts';
import { namesIn } from '../../files/paths.ts';
import type { Contents } from '../contents.ts';
import { named } from '../look/standing.ts';
import { blobOid } from './clean-files.ts';
import { idsBeyond, packedIds } from './object-losses.ts';

const MAX_REPLY_BYTES = 1024 * 1024 * 1024;
/** So many objects that stop git in the middle are passed over, each at the cost of another start of it. */
const MAX_BROKEN = 100;
const MAX_MS = 60_000;

/** Where the objects are that we keep, and where programs are looked for. */
export type Kept = { readonly folder: string; readonly searchPath: string };

/**
 * Reads objects that we keep, by their ids. git is asked in a repository of our own, which has nothing but those objects: no configuration,
 * no hook and no alternate of anybody's. Ids that are not found are left out, and so is what does not match its id.
 */
function readBlobs(kept: Kept, oids: readonly string[]): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const digits = oids[0]?.length ?? 40;
  for (const repository of repositoriesIn(kept.folder)) {
    let left = oids.filter((oid) => !found.has(oid));
    for (let broken = 0; left.length > 0 && broken < MAX_BROKEN; broken++) {
      const reply = askGit(repository, ['--batch'], left, kept);
      if (reply === undefined) break;
      const replies = repliesIn(reply, true);
      for (const { oid, bytes } of replies) if (bytes !== undefined && blobOid(bytes, digits) === oid) found.set(oid, bytes);
      left = left.slice(replies.length + 1);
    }
  }
  return found;
}

/** How long those of these objects are that we keep and that are the bytes of a file. */
export function blobSizes(kept: Kept, oids: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const repository of repositoriesIn(kept.folder)) {
    const left = oids.filter((oid) => !found.has(oid));
    if (left.length === 0) break;
    for (const { oid, size } of repliesIn(askGit(repository, ['--batch-check'], left, kept) ?? Buffer.alloc(0), false))
      if (size !== undefined) found.set(oid, size);
  }
  return found;
}

/** Fewer are sooner asked git for, and so are those in larger tables: they are read as a whole. */
const TABLES = { fewest: 1_000, mostBytes: 64 * 1024 * 1024 };

/** Those of many objects that we do not keep, by the tables of the packs; undefined where git is sooner asked. */
export function unkeptIds(folder: string, oids: readonly string[]): ReadonlySet<string> | undefined {
  const kept = repositoriesIn(folder).map((each) => join(each, 'objects'));
  const tables = kept.flatMap((each) => {
    const names = new Set(namesIn(join(each, 'pack')));
    const isWhole = (name: string): boolean => name.endsWith('.idx') && names.has(name.replace(/idx$/, 'pack'));
    return [...names].filter(isWhole).map((name) => join(each, 'pack', name));
  });
  const bytes = tables.reduce((sum, path) => sum + fileSize(path), 0);
  if (oids.length < TABLES.fewest || bytes > TABLES.mostBytes) return undefined;
  const idBytes = (oids[0]?.length ?? 0) / 2;
  const ids = tables.flatMap((path) => packedIds(path, idBytes) ?? []);
  const beyond = idsBeyond(Buffer.from(oids.toSorted().join(''), 'hex'), ids, idBytes);
  return new Set([...beyond].filter((oid) => !kept.some((each) => existsSync(join(each, oid.slice(0, 2), oid.slice(2))))));
}

const repositoriesIn = (folder: string): readonly string[] => namesIn(folder).map((name) => join(folder, name));

type Reply = { readonly oid: string; readonly size?: number; readonly bytes?: Buffer };

/** One for each object asked for, in that order, as far as git came. */
function repliesIn(reply: Buffer, hasBytes: boolean): readonly Reply[] {
  const replies: Reply[] = [];
  for (let at = 0; at < reply.length; ) {
    const end = reply.indexOf('\n', at);
    const [oid = '', kind, length = ''] = end < 0 ? [] : reply.toString('latin1', at, end).split(' ');
    const size = kind === 'missing' ? undefined : Number(length);
    const next = end + 1 + (hasBytes && size !== undefined ? size + 1 : 0);
    if (end < 0 || next > reply.length) break;
    replies.push(kind !== 'blob' || size === undefined ? { oid } : { oid, size, bytes: reply.subarray(end + 1, end + 1 + size) });
    at = next;
  }
  return replies;
}

/** What git answers before it ends, however that is; undefined where it could not be asked. */
function askGit(repository: string, how: readonly string[], oids: readonly string[], { folder, searchPath }: Kept): Buffer | undefined {
  if (orUndefined(() => makeRepository(repository, oids[0]?.length ?? 40)) === undefined) return undefined;
  const { stdout, error } = spawnSync('git', ['cat-file', ...how, '--buffer'], {
    cwd: repository,
    input: `${oids.join('\n')}\n`,
    maxBuffer: MAX_REPLY_BYTES,
    timeout: MAX_MS,
    env: {
      PATH: pathOutside(searchPath, workFolders(folder)),
      GIT_DIR: repository,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      LC_ALL: 'C',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return error === undefined ? stdout : undefined;
}

/** Folders whose objects we keep: a program of theirs that is called git is not run. */
const workFolders = (folder: string): readonly string[] =>
  repositoriesIn(folder).flatMap((each) => {
    const objects = orUndefined(() => readOwnFile(join(each, 'from'))?.toString());
    return objects === undefined ? [] : [dirname(dirname(objects))];
  });

const pathOutside = (searchPath: string, folders: readonly string[]): string =>
  searchPath
    .split(delimiter)
    .filter((each) => isAbsolute(each) && !folders.some((folder) => `${each}/`.startsWith(`${folder}/`)))
    .join(delimiter);

function makeRepository(repository: string, digits: number): true {
  if (existsSync(join(repository, 'HEAD'))) return true;
  mkdirSync(join(repository, 'refs'), { recursive: true, mode: 0o700 });
  const format = digits === 64 ? '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n' : '';
  writeFileSync(join(repository, 'config'), `${format}[core]\nbare = true\n`, { mode: 0o600 });
  writeFileSync(join(repository, 'HEAD'), 'ref: refs/heads/none\n', { mode: 0o600 });
  return true;
}

type Sources = {
  readonly objects: Kept;
  readonly contents: Contents;
  /** Reads a content that a former version kept elsewhere, by its sha256. */
  readonly former?: ((sha256: string) => Buffer | undefined) | undefined;
};
type Entries = readonly (Entry | null)[];

export const keptReader =
  ({ objects, contents, former }: Sources) =>
  (entries: Entries): readonly (Buffer | undefined)[] => {
    const oids = entries.flatMap((entry) => named('blob', entry ?? undefined) ?? []);
    const blobs = oids.length === 0 ? new Map<string, Buffer>() : readBlobs(objects, oids);
    return entries.map((entry) => {
      const { holds = '' } = entry ?? {};
      if (!holds.startsWith('sha256:')) return blobs.get(holds.slice('blob:'.length));
      const sha256 = holds.slice('sha256:'.length);
      return contents.read(sha256) ?? former?.(sha256);
    });
  };

/** Tells whether the bytes of each are kept: what is damaged is found out when it is read. */
export const keeperOf =
  ({ objects, contents, former }: Sources) =>
  (entries: Entries): readonly boolean[] => {
    const oids = entries.flatMap((entry) => named('blob', entry ?? undefined) ?? []);
    const sizes = oids.length === 0 ? new Map<string, number>() : blobSizes(objects, oids);
    return entries.map((entry) => {
      const { holds = '' } = entry ?? {};
      if (holds.startsWith('object:')) return fileSize(join(objects.folder, holds.slice('object:'.length))) === entry?.size;
      if (!holds.startsWith('sha256:')) return sizes.has(holds.slice('blob:'.length));
      const sha256 = holds.slice('sha256:'.length);
      return contents.has(sha256) || former?.(sha256) !== undefined;
    });
  };
