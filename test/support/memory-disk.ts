import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = '/dev/shm';
const TMPFS = 0x01021994;
/** What a whole run leaves between two clean-ups is far less. */
const LEAST_BYTES = 2 * 1024 ** 3;

/** Where tests make their folders: in memory where there is room, since they wait for thousands of writes to reach a disk otherwise. */
export function temporaryFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(FOLDER);
    return type === TMPFS && bavail * bsize >= LEAST_BYTES && runsPrograms(FOLDER) ? FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

function runsPrograms(folder: string): boolean {
  const made = mkdtempSync(join(folder, 'sanbot-test-'));
  try {
    const program = join(made, 'program');
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(made, { recursive: true });
  }
}
