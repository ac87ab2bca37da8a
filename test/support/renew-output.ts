import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Run once, before all tests, so that the real binary is what the sources say now. */
export default function renewOutput(): void {
  removeStaleOutput();
  execFileSync(process.execPath, ['build/bundle.mjs', '--if-stale']);
}

/** `tsc -b` leaves what it compiled of sources that have been moved or removed since. */
function removeStaleOutput(): void {
  if (!existsSync('dist')) return;
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    if (/^bundle[/\\]/.test(name)) continue;
    const source = name.replace(/^\.types[/\\]/, '').replace(/(?:\.js|\.js\.map|\.d\.ts)$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join('src', source))) rmSync(join('dist', name));
  }
}
