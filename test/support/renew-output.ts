import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Run once, before all tests, so that the real binary and what the crash tests kill are what the sources say now. */
export default async function renewOutput(): Promise<void> {
  removeStaleOutput();
  const isLaidOut = existsSync('dist/bundle/o200k.ranks');
  await Promise.all([
    isLaidOut && isOnly(/^test\/unit\/(?!tools)/) ? undefined : execute(process.execPath, ['build/bundle.mjs', '--if-stale']),
    isOnly(/^test\/(?!crash|e2e|stress)/) ? undefined : execute(process.execPath, ['test/crash/bundle-drivers.mjs']),
  ]);
}

/** Whether tests are named and all of them are such: bundling takes some seconds, and not all tests start a process. */
function isOnly(those: RegExp): boolean {
  const named = process.argv.filter((argument) => argument.startsWith('test/'));
  return named.length > 0 && named.every((path) => those.test(path));
}

/** `tsc -b` leaves what it compiled of sources that have been moved or removed since. */
function removeStaleOutput(): void {
  if (!existsSync('dist')) return;
  for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    if (/^(?:bundle|exports|drivers|code-cache)[/\\]/.test(name)) continue;
    const source = name.replace(/^\.types[/\\]/, '').replace(/(?:\.js|\.js\.map|\.d\.ts)$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join('src', source))) rmSync(join('dist', name));
  }
}
