import { namesIn } from './atomic-write.ts';
import { isId } from './ids.ts';
import { MAIN_GROUP, type StorePaths } from './paths.ts';

/** Returns all groups, always including the main one. */
export const groupsOf = (paths: StorePaths): readonly string[] => [
  MAIN_GROUP,
  ...namesIn(paths.groups).filter((name) => isId(name) && name !== MAIN_GROUP),
];
