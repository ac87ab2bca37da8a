import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

export function versionOf({ packageRoot }: Pick<World, 'packageRoot'>): string {
  const found: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return typeof found === 'object' && found !== null && 'version' in found ? String(found.version) : 'unknown';
}
