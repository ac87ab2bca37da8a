import { namesIn } from './atomic-write.ts';
import { isId } from './ids.ts';
import { MAIN_GROUP, type StorePaths } from './paths.ts';

/** Every group there is; the main one always. */
export const groupsOf = (paths: StorePaths): readonly string[] => [
  MAIN_GROUP,
  ...namesIn(paths.groups).filter((name) => isId(name) && name !== MAIN_GROUP),
];
