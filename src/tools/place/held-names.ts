import { matchesPath, pathPatterns, plainName } from './path-patterns.ts';
import { runsLater } from './runs-later.ts';

/**
 * True for a name of the working folder that a command in the sandbox may not change: what runs later, but for what installations and builds
 * write themselves. Held, these would send each `npm install` out of the sandbox, where it could change everything; and whoever runs what
 * they define runs the sources beside them, which a command may write too. Takes a path relative to the working folder. Of a folder, whether
 * all in it is meant.
 */
export function isHeldName(path: string, kind: 'file' | 'folder'): boolean {
  const key = `${kind} ${path}`;
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  const parts = path.split('/').map(plainName);
  const isHeld =
    runsLater(kind === 'folder' ? `${path}/x.x` : path) !== undefined && !WRITTEN_BY_BUILDS.some((each) => matchesPath(each, parts));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, isHeld);
  return isHeld;
}

/** The same names come before each command, and each takes a walk through the whole table. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 10_000;

const WRITTEN_BY_BUILDS = pathPatterns(`
  package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock node_modules/ .yarn/ .pnp.cjs
  .pnp.loader.mjs requirements*.txt constraints*.txt pyproject.toml poetry.lock uv.lock pdm.lock pipfile pipfile.lock conda-lock.yml .venv/
  site-packages/ dist-packages/ pyvenv.cfg *.pth *.egg-link cargo.toml cargo.lock go.mod go.sum go.work gemfile gemfile.lock composer.json
  composer.lock mix.lock podfile.lock packages.config *.csproj *.fsproj *.vbproj pubspec.yaml pubspec.lock gradle.lockfile .gradle/
  .terraform.lock.hcl configure *.cmake compile_commands.json tsconfig*.json .vercel/ .moon/`);
