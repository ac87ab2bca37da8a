import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readAt, withFile } from '../../files/disk.ts';

/** A folder that a tool makes again: by its name, and what stands beside it or in it. A name alone says nothing. */
type Remade = { readonly beside?: readonly RegExp[]; readonly within?: string };

const REMADE: Readonly<Record<string, Remade>> = {
  node_modules: { beside: [/^package\.json$/] },
  bower_components: { beside: [/^bower\.json$/] },
  target: { beside: [/^Cargo\.toml$/, /^pom\.xml$/, /^build\.sbt$/] },
  '.venv': { within: 'pyvenv.cfg' },
  venv: { within: 'pyvenv.cfg' },
  env: { within: 'pyvenv.cfg' },
  __pycache__: {},
  '.tox': { beside: [/^tox\.ini$/] },
  '.nox': { beside: [/^noxfile\.py$/] },
  '.gradle': { beside: [/^(?:settings|build)\.gradle(?:\.kts)?$/] },
  '.next': { beside: [/^next\.config\.[cm]?[jt]s$/] },
  '.nuxt': { beside: [/^nuxt\.config\.[cm]?[jt]s$/] },
  '.svelte-kit': { beside: [/^svelte\.config\.[cm]?[jt]s$/] },
  '.angular': { beside: [/^angular\.json$/] },
  '.turbo': { beside: [/^package\.json$/] },
  '.parcel-cache': { beside: [/^package\.json$/] },
  _build: { beside: [/^mix\.exs$/, /^dune-project$/] },
  deps: { beside: [/^mix\.exs$/] },
  '.terraform': { beside: [/\.tf$/] },
  Pods: { beside: [/^Podfile$/] },
  '.dart_tool': { beside: [/^pubspec\.yaml$/] },
  'dist-newstyle': { beside: [/\.cabal$/, /^cabal\.project$/] },
  '.stack-work': { beside: [/^stack\.yaml$/] },
  '.zig-cache': { beside: [/^build\.zig$/] },
  'elm-stuff': { beside: [/^elm\.json$/] },
  obj: { beside: [/\.(?:cs|fs|vb)proj$/] },
};

const ENVIRONMENT = [
  ['bin', 'Scripts'],
  ['lib', 'Lib'],
];

const CACHE_TAG = 'CACHEDIR.TAG';
const CACHE_SIGNATURE = 'Signature: 8a477f597d28d172789f06886806bc55';

export const isRemade = (name: string, siblings: readonly string[]): boolean => {
  const rule = Object.hasOwn(REMADE, name) ? REMADE[name] : undefined;
  return rule !== undefined && rule.within === undefined && (rule.beside?.some((mark) => siblings.some((each) => mark.test(each))) ?? true);
};

export function isRemadeInside(name: string, names: readonly string[], path: string): boolean {
  const within = Object.hasOwn(REMADE, name) ? REMADE[name]?.within : undefined;
  if (within !== undefined && names.includes(within)) return true;
  if (names.includes('pyvenv.cfg') && ENVIRONMENT.every((either) => either.some((each) => names.includes(each)))) return true;
  return names.includes(CACHE_TAG) && startsWith(`${path}/${CACHE_TAG}`, CACHE_SIGNATURE);
}

const startsWith = (path: string, text: string): boolean =>
  orUndefined(() => withFile(path, (file) => readAt(file, 0, text.length).toString('latin1'))) === text;

/** What SanBot is about to give its name, or would have when it was killed. */
export const isOwnTemporary = (name: string): boolean => /^\.sanbot-[\w-]+\.tmp$/.test(name);
