import { namesIn } from './atomic-write.ts';
import { isGroupName } from './ids.ts';
import { MAIN_GROUP, type StorePaths } from './paths.ts';

/** Returns all groups, always including the main one. */
export const groupsOf = (paths: StorePaths): readonly string[] => [
  MAIN_GROUP,
  ...namesIn(paths.groups).filter((name) => isGroupName(name) && name !== MAIN_GROUP),
];
