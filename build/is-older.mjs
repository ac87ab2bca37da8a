import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** True when a file is not there, or one of the sources, files and folders, is newer. */
export function isOlder(path, sources) {
  if (!existsSync(path)) return true;
  const { mtimeMs } = statSync(path);
  return sources.some((source) => newestIn(source) > mtimeMs);
}

function newestIn(source) {
  const stats = statSync(source);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(source, name)).mtimeMs);
  return Math.max(stats.mtimeMs, ...inside);
}
