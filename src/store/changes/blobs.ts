import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { namesIn } from '../files/paths.ts';
import { blobOid } from './clean-files.ts';

const MAX_REPLY_BYTES = 1024 * 1024 * 1024;

/**
 * Reads objects that we keep, by their ids. git is asked in a repository of our own, which has nothing but those objects: no configuration,
 * no hook and no alternate of anybody's. Ids that are not found are left out, and so is what does not match its id.
 */
export function readBlobs(folder: string, oids: readonly string[]): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const name of namesIn(folder)) {
    const missing = oids.filter((oid) => !found.has(oid));
    if (missing.length === 0) break;
    for (const [oid, bytes] of orUndefined(() => askGit(join(folder, name), missing)) ?? []) found.set(oid, bytes);
  }
  return found;
}

function askGit(repository: string, oids: readonly string[]): readonly (readonly [string, Buffer])[] {
  const digits = oids[0]?.length ?? 40;
  makeRepository(repository, digits);
  const reply = execFileSync('git', ['cat-file', '--batch', '--buffer'], {
    cwd: repository,
    input: `${oids.join('\n')}\n`,
    maxBuffer: MAX_REPLY_BYTES,
    env: { PATH: process.env.PATH, GIT_DIR: repository, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const found: (readonly [string, Buffer])[] = [];
  for (let at = 0; at < reply.length; ) {
    const end = reply.indexOf('\n', at);
    const [oid = '', kind, size = ''] = reply.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (kind === 'missing') continue;
    const bytes = reply.subarray(at, at + Number(size));
    at += Number(size) + 1;
    if (kind === 'blob' && blobOid(bytes, digits) === oid) found.push([oid, bytes]);
  }
  return found;
}

function makeRepository(repository: string, digits: number): void {
  if (existsSync(join(repository, 'HEAD'))) return;
  mkdirSync(join(repository, 'refs'), { recursive: true, mode: 0o700 });
  const format = digits === 64 ? '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n' : '';
  writeFileSync(join(repository, 'config'), `${format}[core]\nbare = true\n`, { mode: 0o600 });
  writeFileSync(join(repository, 'HEAD'), 'ref: refs/heads/none\n', { mode: 0o600 });
}
