import { readFileSync, realpathSync, statSync } from 'node:fs';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { mountsIn } from './jobs/covered-elsewhere.ts';

/**
 * Sockets in the file system at which programs of the machine listen, with links resolved: what a command connects to does what it asks,
 * outside of any sandbox. Those are known that were bound by a whole path, and those that a container was given.
 */
export const hostSockets = (): readonly string[] => {
  const listed = [...boundPaths(textOf('/proc/net/unix')), ...mountsIn(textOf('/proc/self/mountinfo')).map(([path]) => path)];
  return [...new Set(listed.flatMap((path) => orUndefined(() => (statSync(path).isSocket() ? realpathSync(path) : undefined)) ?? []))];
};

const textOf = (path: string): string => orUndefined(() => readFileSync(path, 'utf8')) ?? '';

/** After seven fields stands the path as it was given, where a socket has one. */
const boundPaths = (table: string): readonly string[] =>
  table.split('\n').flatMap((line) => /^(?:\S+ +){6}\S+ (\/.*)$/.exec(line)?.[1] ?? []);
