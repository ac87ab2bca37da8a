import { matchesGlob, matchesSequence } from '../../domain/value/glob.ts';

/** True when the path matches, part by part: `*` is anything in a part, `**` any number of parts. Both absolute, with slashes. */
export const matchesPathRule = (pattern: string, path: string): boolean =>
  matchesSequence(pattern.split('/'), path.split('/'), '**', matchesGlob);
