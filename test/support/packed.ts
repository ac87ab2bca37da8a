import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './source.ts';

export type Manifest = {
  readonly version: string;
  readonly man?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
};
export const manifestIn = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folders of all that a package needs at run time, as they are installed here, for this machine alone. */
function neededBy(folder: string): readonly string[] {
  const { dependencies, optionalDependencies } = manifestIn(folder);
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const found = createRequire(join(folder, 'package.json'))
      .resolve.paths(name)
      ?.map((path) => join(path, name));
    const place = found?.find((path) => existsSync(join(path, 'package.json')));
    return place === undefined || !fitsHere(manifestIn(place)) ? [] : [realpathSync(place), ...neededBy(realpathSync(place))];
  });
}

const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
const fitsHere = ({ libc }: Manifest): boolean =>
  libc === undefined || libc.includes('glibc') === (header.glibcVersionRuntime !== undefined);

/** npm with neither the network nor anybody's cache. */
export const npmIn =
  (base: string) =>
  (...args: readonly string[]): string =>
    execFileSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: base, npm_config_cache: join(base, 'cache'), npm_config_offline: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

/** Packs the package, and what it depends on from where that is installed. Returns the files. */
export function packInto(base: string): readonly string[] {
  npmIn(base)('pack', '--ignore-scripts', '--pack-destination', base, root, ...new Set(neededBy(root)));
  return readdirSync(base).flatMap((name) => (name.endsWith('.tgz') ? [join(base, name)] : []));
}
