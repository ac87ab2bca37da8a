import { orUndefined } from '../domain/value/or-undefined.ts';
import { writeFileAtomic } from './files/atomic-write.ts';
import type { Disk } from './files/disk.ts';
import type { StorePaths } from './files/paths.ts';
import { readText } from './files/read-text.ts';

const MAX_NAMES = 20;

/** Which skills were read lately, by name. What cannot be read or written costs an order, so nothing throws. */
export function createUsedSkills(disk: Disk, { usedSkills }: StorePaths) {
  /** The newest first. */
  const names = (): readonly string[] => (orUndefined(() => readText(usedSkills, 10_000)) ?? '').split('\n').filter((name) => name !== '');
  const note = (name: string): void => {
    const newest = [name, ...names().filter((each) => each !== name)].slice(0, MAX_NAMES);
    orUndefined(() => writeFileAtomic(disk, usedSkills, Buffer.from(`${newest.join('\n')}\n`), { point: 'used-skills' }));
  };
  return { names, note };
}
