import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Bilingual } from '../../../domain/language.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { strangersFile } from '../../place/git-config.ts';
import { holdsSecrets } from '../../place/secret-files.ts';
import { gitValues, withoutCredentials } from './git-holds.ts';
import { statsOf } from './holds.ts';
import type { SandboxPlace } from './sandbox-place.ts';

type ShownPlace = Pick<SandboxPlace, 'env' | 'home' | 'shown'>;

/** What commands see of a home, at the path where they look for it. */
export type Shown = { readonly at: string } & ({ readonly from: string } | { readonly text: string });

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Where tools keep themselves and what they have fetched, relative to a home. All of it can be read and not changed: a build that runs outside
 * takes what lies there as it is, so that a command which could write there would run later outside.
 */
const TOOLS: readonly string[] = words(`
  .cargo .rustup .nvm .volta .fnm .n .nodenv .nodebrew .local/bin .local/share/fnm .local/share/mise .local/share/rtx .asdf .proto .pyenv .rye .local/share/uv
  .local/share/pipx .local/pipx .local/lib .local/share/virtualenvs .virtualenvs .pipx .conda miniconda3 anaconda3 miniforge3 mambaforge
  micromamba .poetry .pdm .rbenv .rvm .gem .local/share/gem .bun .deno .local/share/pnpm .yarn .npm-global .npm-packages .config/yarn/global go .go sdk .goenv
  .sdkman .jenv .jabba .jdks .m2/repository .m2/wrapper .dotnet .nuget/packages .ghcup .cabal .stack .opam .elan .juliaup .julia
  .pub-cache .dart flutter .flutter fvm .mix .kerl .exenv .swiftly .zigup .zvm .luarocks .perl5 perl5 .raku .nimble .choosenim .composer/vendor
  .config/composer/vendor .phpenv .phive .wasmer .wasmtime .foundry .tenv .tfenv .krew .linuxbrew .nix-profile .local/state/nix .platformio
  .arduino15 .espressif .emsdk Android/Sdk .android-sdk .cache/ms-playwright .cache/puppeteer .cache/Cypress .cache/node .cache/pypoetry/virtualenvs
  .cache/pre-commit .cache/electron .cache/deno .cache/bazelisk .cache/huggingface .cache/torch .cache/selenium .cache/rod`);

/** Of what is shown: files that hold credentials all the same. */
const CREDENTIALS: readonly string[] = words(`
  .cargo/credentials .cargo/credentials.toml .cargo/config.toml .cargo/config .gem/credentials .pub-cache/credentials.json .cabal/config .stack/config.yaml
  .cache/huggingface/token .cache/huggingface/stored_tokens .luarocks/config.lua .luarocks/upload_config.lua .volta/.npmrc
  .bun/.npmrc .yarn/.npmrc .npm-global/etc/npmrc .conda/.condarc .conda/aau_token .foundry/keystores .m2/repository/settings.xml .sdkman/etc/token
  .rvm/.netrc .local/share/pnpm/.npmrc .poetry/auth.toml .composer/vendor/auth.json .julia/servers .juliaup/token .opam/.netrc .proto/.env
  .asdf/.env .deno/.npmrc .pyenv/.pypirc .platformio/appstate.json .dotnet/NuGet.Config .nuget/packages/NuGet.Config .krew/token .go/.netrc go/.netrc
  .wasmer/wasmer.toml .mix/hex.config miniconda3/.condarc anaconda3/.condarc miniforge3/.condarc mambaforge/.condarc .platformio/homestate.json`);

/** At the top of a tool's folder these are credentials by their name, whichever tool it is. */
const CREDENTIAL_NAME = /^\.?(?:credentials?|auth|tokens?|secrets?|keystores?|\w+_token)(?:\.\w{1,10})?$/i;

/** Variables that name where a tool is. */
const ROOTS: readonly string[] = words(`
  CARGO_HOME RUSTUP_HOME NVM_DIR VOLTA_HOME PYENV_ROOT RBENV_ROOT BUN_INSTALL DENO_INSTALL PNPM_HOME GOROOT GOPATH GOMODCACHE SDKMAN_DIR JAVA_HOME
  VIRTUAL_ENV CONDA_PREFIX ANDROID_HOME ANDROID_SDK_ROOT FLUTTER_ROOT DOTNET_ROOT EMSDK ASDF_DATA_DIR MISE_DATA_DIR PLAYWRIGHT_BROWSERS_PATH`);

/** Names in a home that commands write and that are theirs alone, empty at first: caches that tools can't work without. */
export const OWN_CACHES: readonly string[] = ['.cache', '.npm', '.gradle'];

/**
 * Returns what of the homes is shown: tools and what they have fetched, and git's identity. What a link leads to is shown where the link
 * lies; nothing that has a home in it is.
 */
export function shownOf({ hidden, own }: Homes, { env, home, shown: added }: ShownPlace): readonly Shown[] {
  const isHidden = (path: string): boolean => hidden.some((folder) => isWithin(path, folder));
  // Neither a home nor SanBot's own files come back by way of a link or of a folder above them.
  const kept = [...hidden, ...(own === undefined ? [] : [own]), orUndefined(() => realpathSync.native(home)) ?? home];
  const show = (at: string): readonly Shown[] => {
    const from = isHidden(at) ? orUndefined(() => realpathSync.native(at)) : undefined;
    return from === undefined || holdsSecrets(from) || kept.some((folder) => isWithin(folder, from)) || isWithin(from, home)
      ? []
      : [{ at, from }];
  };
  const tools = own === undefined ? [] : thoseIn(own, TOOLS).map((name) => join(own, name));
  const named = [...ROOTS.flatMap((name) => env[name] ?? []), ...(env.PATH ?? '').split(delimiter).map(rootOfPrograms)];
  const roots = [...tools, ...named.filter(isAbsolute).map((path) => resolve(path))].filter(isFolder);
  const folders = [...roots, ...added].flatMap(show);
  const all = [...folders, ...(own === undefined ? [] : gitFiles(own, show))];
  return [...new Map(all.map((each) => [each.at, each])).values()]
    .filter(({ at }) => !folders.some((other) => other.at !== at && isWithin(at, other.at)))
    .toSorted((a, b) => a.at.length - b.at.length);
}

/** Those of these names whose first part is there: to look at one folder is quicker than to look for each. */
function thoseIn(folder: string, names: readonly string[]): readonly string[] {
  const there = orUndefined(() => new Set(readdirSync(folder)));
  return there === undefined ? names : names.filter((name) => there.has(name.split('/')[0] ?? name));
}

/** The folder of programs itself, or the tree that it belongs to: one with their libraries beside them. */
function rootOfPrograms(folder: string): string {
  const above = dirname(folder);
  const isTree =
    ['bin', 'sbin', 'shims'].includes(basename(folder)) &&
    ['lib', 'libexec', 'lib64'].some((name) => statsOf(join(above, name)) !== undefined);
  return isTree && !above.endsWith('/.local') ? above : folder;
}

/** Those that exist of the files in what is shown that hold credentials. */
export const credentialsIn = ({ own }: Homes, shown: readonly Shown[]): readonly string[] =>
  own === undefined
    ? []
    : [...new Set([...CREDENTIALS.map((name) => join(own, name)), ...TOOLS.flatMap((name) => namedSo(join(own, name)))])].filter(
        (path) => shown.some(({ at }) => isWithin(path, at)) && statsOf(path)?.isSymbolicLink() === false && !isHarmless(path),
      );

const namedSo = (folder: string): readonly string[] =>
  (orUndefined(() => readdirSync(folder)) ?? [])
    // A program may be called so.
    .filter((name) => holdsSecrets(`/${name}`) || (CREDENTIAL_NAME.test(name) && !folder.endsWith('/bin')))
    .map((name) => join(folder, name))
    // A folder may be an environment or a package of that name.
    .filter((path) => statsOf(path)?.isFile() === true || /\/(?:credentials|keystores)$/.test(path));

/** A configuration that has no credentials in it is needed for builds. */
const isHarmless = (path: string): boolean => {
  const text = /\/config(?:\.\w+)?$/.test(path) ? strangersFile(path) : undefined;
  return text !== undefined && withoutCredentials(text) === text;
};

const GIT_FILES: readonly string[] = words(
  '.gitconfig .config/git/config .config/git/ignore .config/git/attributes .gitignore .gitignore_global',
);
/** Keys whose values are files that a configuration needs; of these only hooks may be a folder. */
const GIT_KEYS: ReadonlySet<string> = new Set(['path', 'excludesfile', 'attributesfile', 'hookspath', 'template']);
const MOST_NAMED = 12;

/** Git's identity and settings, with the files that they name, without credentials. */
function gitFiles(own: string, show: (at: string) => readonly Shown[]): readonly Shown[] {
  const queue = GIT_FILES.map((name) => ({ at: join(own, name), key: name.endsWith('config') ? 'path' : '' }));
  const shown: Shown[] = [];
  for (let i = 0; i < queue.length && i < GIT_FILES.length + MOST_NAMED; i++) {
    const { at = '', key: named = '' } = queue[i] ?? {};
    const text = orUndefined(() => strangersFile(realpathSync.native(at)));
    const clean = text === undefined || named !== 'path' ? text : withoutCredentials(text);
    if (clean === text && (text !== undefined || (named === 'hookspath' && isFolder(at)))) shown.push(...show(at));
    else if (clean !== undefined && show(at).length > 0) shown.push({ at, text: clean });
    for (const { key, value } of named === 'path' ? gitValues(text ?? '') : [])
      if (GIT_KEYS.has(key)) queue.push({ key, at: value.startsWith('~/') ? join(own, value.slice(2)) : resolve(dirname(at), value) });
  }
  return shown;
}

const isFolder = (path: string): boolean => orUndefined(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) === true;

/** Folders of which the sandbox has its own, or that no program can do without: none of them is a home that could be hidden. */
const SYSTEM: readonly string[] =
  '/ /bin /boot /dev /dev/shm /etc /lib /lib32 /lib64 /opt /proc /run /sbin /srv /sys /tmp /usr /var /var/tmp'.split(' ');
/** Where everything below is the system's too. */
const SYSTEM_TREES: readonly string[] = '/bin /boot /etc /lib /lib32 /lib64 /proc /sbin /sys /usr'.split(' ');

const isSystem = (folder: string): boolean => SYSTEM.includes(folder) || SYSTEM_TREES.some((tree) => isWithin(folder, tree));

type HomesPlace = { readonly folders: readonly string[]; readonly userHome: string | undefined; readonly home: string };

export type Homes = {
  /** The folders that are hidden whole, links resolved, none of them in another. */
  readonly hidden: readonly string[];
  /** The user's own, links resolved. */
  readonly own: string | undefined;
};

/**
 * The homes of this machine's users, which commands see empty but for what is named. Returns why none can run where that is not possible:
 * where a folder that can be written is one of them or has it in it, or a home is a folder of the system.
 */
export function findHomes({ folders: writable, userHome, home }: HomesPlace): Homes | { readonly problem: Bilingual } {
  const own = userHome === undefined ? undefined : realOf(userHome);
  if (own !== undefined && isSystem(own)) return { problem: HOME_OF_SYSTEM };
  const folders = ['/home', '/root', ...usersHomes()].flatMap((folder) => realOf(folder) ?? []).filter((folder) => !isSystem(folder));
  const all = [...new Set([...folders, ...(own === undefined ? [] : [own])])].filter((folder) => statsOf(folder)?.isDirectory() === true);
  if (all.some((folder) => writable.some((each) => isWithin(folder, each)))) return { problem: IS_HOME };
  const state = realOf(home);
  if (state !== undefined && writable.some((each) => isWithin(each, state))) return { problem: IS_STATE };
  return { own, hidden: all.filter((folder) => !all.some((other) => other !== folder && isWithin(folder, other))) };
}

const realOf = (path: string): string | undefined => (isAbsolute(path) ? orUndefined(() => realpathSync.native(path)) : undefined);

/** Of people, and of whoever this is: what the system's own services have is not hidden, and they need it. */
function usersHomes(): readonly string[] {
  const user = orUndefined(() => statSync('/proc/self').uid);
  const text = orUndefined(() => readFileSync('/etc/passwd', 'utf8')) ?? '';
  return text.split('\n').flatMap((line) => {
    const [, , uid = '', , , folder = ''] = line.split(':');
    const isPerson = /^\d+$/.test(uid) && (Number(uid) >= 1_000 || uid === '0') && Number(uid) < 65_534;
    return isPerson || Number(uid) === user ? [folder] : [];
  });
}

const HOME_OF_SYSTEM: Bilingual = {
  en: 'your home is a folder of the system, which a sandbox cannot hide',
  zh: '你的主文件夹是系统文件夹，沙箱无法隐藏它',
};
const IS_HOME: Bilingual = {
  en: 'the working folder is a home or has one in it, which a sandbox hides',
  zh: '当前文件夹是主文件夹或包含主文件夹，而沙箱会隐藏它',
};
const IS_STATE: Bilingual = {
  en: 'the working folder lies in the folder where SanBot keeps its own files',
  zh: '当前文件夹位于 SanBot 存放自己文件的文件夹中',
};
