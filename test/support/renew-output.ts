import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Run once, before all tests, so that the real binary is what the sources say now. */
export default function renewOutput(): void {
  removeStaleOutput();
  const isLaidOut = existsSync('dist/bundle/o200k.ranks');
  if (!isLaidOut || !runsOnlyWithoutBinary()) execFileSync(process.execPath, ['build/bundle.mjs', '--if-stale']);
}

/** Unit tests, when they are named: bundling takes some seconds, and only those of tools start the binary. */
function runsOnlyWithoutBinary(): boolean {
  const named = process.argv.filter((argument) => argument.startsWith('test/'));
  return named.length > 0 && named.every((path) => path.startsWith('test/unit/') && !path.startsWith('test/unit/tools'));
}

/** `tsc -b` leaves what it compiled of sources that have been moved or removed since. */
function removeStaleOutput(): void {
  if (!existsSync('dist')) return;
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    if (/^(?:bundle|code-cache)[/\\]/.test(name)) continue;
    const source = name.replace(/^\.types[/\\]/, '').replace(/(?:\.js|\.js\.map|\.d\.ts)$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join('src', source))) rmSync(join('dist', name));
  }
}
