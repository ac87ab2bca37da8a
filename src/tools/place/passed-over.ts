import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { matchesGlob } from '../../domain/value/glob.ts';
import { isHeldName } from './held-names.ts';
import { matchesPath, type PathPattern, pathPatterns, plainName } from './path-patterns.ts';
import { linkRunsLater } from './runs-later.ts';

/** What runs as soon as a folder is entered, wherever that lies. */
const ENTERED = pathPatterns(
  '.envrc* .autoenv* .autoenv/ .smartcd/ .in.zsh {,.}mise*.toml .mise/ .rtx*.toml .ondirrc .lvimrc .exrc .nvim.lua',
);
const MAY_BE_ENTERED = /(?:^|\/)(?:\.|mise)/i;

/** Where the parts of an environment of python lie, and of them only what has no other end. */
const ENVIRONMENT = pathPatterns(
  'bin/ scripts/ lib/python*/ lib64/ lib64 lib/site-packages/ include/ share/ man/ pyvenv.cfg .lock .gitignore cachedir.tag etc/jupyter/',
);

/** What builds put at the top of such a folder. */
const BUILT = pathPatterns('*.props *.targets *.rsp *.cache .package-lock.json .yarn-* .modules.yaml');

/** Folders that a tool makes again by these names have packages of others, or what a build made of sources: both bring many files that count elsewhere. */
const OF_TOOLS: ReadonlySet<string> = new Set(
  `node_modules bower_components target __pycache__ .tox .nox .gradle .next .nuxt .svelte-kit .angular .turbo .parcel-cache _build deps
  .terraform Pods .dart_tool dist-newstyle .stack-work .zig-cache elm-stuff obj`.split(/\s+/),
);

/**
 * Whether a path below a folder that is not looked at for changes may run later. Of what a tool makes again this is what git or a shell takes up
 * wherever it lies, and what has no place there; of a folder that nobody can list, and below names that are no text, all that counts elsewhere.
 */
export function mayRunLater(path: string, folder: string, why: 'remade' | 'name' | 'unreadable'): boolean {
  if (isOfGit(path)) return true;
  if (why !== 'remade') return linkRunsLater(path) !== undefined;
  const name = path.slice(folder.length + 1);
  const [first = '', ...rest] = name.split('/');
  if (MAY_BE_ENTERED.test(name) && matches(ENTERED, name)) return true;
  if (OF_TOOLS.has(basename(folder)))
    return rest.length === 0 ? isHeldName(name, 'file') && !matches(BUILT, name) : first.startsWith('.') && isHeldName(first, 'folder');
  const isUsual =
    existsSync(join(folder, 'pyvenv.cfg')) &&
    ENVIRONMENT.some(({ names }) => names.every((each, i) => matchesGlob(each, [first, ...rest][i]?.toLowerCase() ?? '')));
  return !isUsual && linkRunsLater(`/${name}`) !== undefined;
}

const matches = (patterns: readonly PathPattern[], name: string): boolean => {
  const parts = name.split('/').map(plainName);
  return patterns.some((pattern) => matchesPath(pattern, parts));
};

/** In a repository's folder, or in one that git would take for a repository. */
function isOfGit(path: string): boolean {
  if (/\/(?:\.git|git~1)(?:\/|$)/i.test(path)) return true;
  if (!/\/(?:head|config(?:\.worktree)?|commondir|gitdir|packed-refs|(?:hooks|objects|refs)\/.*)$/i.test(path)) return false;
  const parts = path.split('/');
  return parts.some((_, i) => i > 0 && ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(parts.slice(0, i).join('/'), name))));
}
