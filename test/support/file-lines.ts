import { readFileSync } from 'node:fs';

/** The lines of a file, without the end of the last. */
export const readFileLines = (path: string): readonly string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
