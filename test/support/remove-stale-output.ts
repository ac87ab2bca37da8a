import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Run once, before all tests: `tsc -b` leaves what it compiled of sources that have been moved or removed since. */
export default function removeStaleOutput(): void {
  if (!existsSync('dist')) return;
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    const source = name.replace(/^\.types[/\\]/, '').replace(/(?:\.js|\.js\.map|\.d\.ts)$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join('src', source))) rmSync(join('dist', name));
  }
}
