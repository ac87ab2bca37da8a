import { basename } from 'node:path';
import type { Actor, Change } from '../../domain/session/change.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';

export type Texts = { readonly before: string | undefined; readonly after: string | undefined };

/**
 * True where everybody who may have made this change was allowed to write this file as a package manager does. Of a `package.json`, only
 * where nothing but packages and the version is another: a script that came with a package may have written what runs later.
 */
export function isAllowedManifest({ path, before, after }: Change, actors: readonly Actor[], texts: () => Texts): boolean {
  const name = basename(path);
  if (after?.kind !== 'file' || (before !== null && before.kind !== 'file')) return false;
  if (!actors.every(({ writes = [] }) => writes.includes(name))) return false;
  return name !== 'package.json' || isSameBesidePackages(texts());
}

const PACKAGES: ReadonlySet<string> = new Set('version dependencies devDependencies optionalDependencies peerDependencies'.split(' '));

function isSameBesidePackages({ before = '{}', after = '' }: Texts): boolean {
  const [old, now] = [rest(before), rest(after)];
  return old !== undefined && old === now;
}

function rest(text: string): string | undefined {
  const manifest = parseJson(text);
  return isObject(manifest) ? JSON.stringify(Object.entries(manifest).filter(([key]) => !PACKAGES.has(key))) : undefined;
}
