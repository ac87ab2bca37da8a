import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

/** Whose grammar a command line has. */
export type ShellLanguage = 'bash' | 'sh';

export const shellLanguage = (shell: string): ShellLanguage => (isBashName(shell) ? 'bash' : 'sh');

const isBashName = (path: string): boolean => /^bash(?:[-\d].*)?$/.test(basename(path));

/** The description of a tool, which is written for bash, for the shell that there is. */
export const describeFor = (shell: string, description: string): string =>
  shellLanguage(shell) === 'bash' ? description : description.replace('in GNU bash,', 'in a POSIX sh, not bash,');

/** Nothing that bash would run at its start runs, and it takes no functions and no options from the environment (-p). */
export const shellArgs = (shell: string): readonly string[] =>
  shellLanguage(shell) === 'bash' ? ['--norc', '--noprofile', '-p', '-c', '--'] : ['-c', '--'];

const WELL_KNOWN: readonly string[] = [
  '/bin',
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/usr/pkg/bin',
  '/run/current-system/sw/bin',
];

type Search = { readonly cwd: string; readonly path: string | undefined; readonly wellKnown?: readonly string[] };

/**
 * The shell for commands: the real path of a bash of the system or of the person, else /bin/sh. One in the working folder, or reached
 * through it, is the project's and not used; nor is another program that only bears the name.
 */
export function findShell({ cwd, path = '', wellKnown = WELL_KNOWN }: Search): string {
  const here = orUndefined(() => realpathSync(cwd)) ?? cwd;
  const isOutside = (file: string): boolean => !isWithin(file, cwd) && !isWithin(file, here);
  const own = path.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(folder));
  const inOwn = own.map((folder) => realBash(folder)).find((file) => file !== undefined && isOutside(file));
  return wellKnown.map(realBash).find((file) => file !== undefined) ?? inOwn ?? '/bin/sh';
}

function realBash(folder: string): string | undefined {
  return orUndefined(() => {
    const file = realpathSync(join(folder, 'bash'));
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() && isBashName(file) ? file : undefined;
  });
}
