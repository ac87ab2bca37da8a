import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Bilingual, isBilingual, joinTexts } from '../../../domain/language.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { secretAttributes } from '../../place/secret-files.ts';
import type { TemporaryMounts } from '../../place/temporary.ts';
import { gitGuardArgs } from './git-guard.ts';
import { holdGitFolder, holdWorkingFolder, outerGitFolders } from './git-holds.ts';
import { createHolds, type Holds, holdArgs, pin, statsOf } from './holds.ts';
import type { SandboxOptions, SandboxPlace } from './sandbox-place.ts';
import { credentialsIn, findHomes, type Homes, OWN_CACHES, type Shown, shownOf } from './shown.ts';
import { findSockets } from './sockets.ts';

export type MountPlan = {
  /** Arguments of bubblewrap, up to the program's own. */
  readonly args: readonly string[];
  /** Texts that some of them read, from the file descriptor `FIRST_TEXT` on. */
  readonly texts: readonly string[];
};

/** A shell can name one digit's worth of them. */
export const FIRST_TEXT = 4;
const MOST_TEXTS = 6;

/** What of the kernel a command could change that runs as root; where it is not there, nothing is mounted. */
const KERNEL: readonly string[] =
  '/proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi /proc/mtrr /proc/asound'.split(' ');

/** The disk, read-only, and what the sandbox has of its own. */
export const systemArgs = (temporary?: TemporaryMounts): readonly string[] => [
  ...'--ro-bind / / --dev /dev --proc /proc --tmpfs /run'.split(' '),
  ...(temporary === undefined ? '--tmpfs /tmp --tmpfs /var/tmp'.split(' ') : temporaryArgs(temporary)),
  ...KERNEL.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
];

const temporaryArgs = ({ folders, readable }: TemporaryMounts): readonly string[] => [
  ...folders.flatMap(({ from, at }) => ['--bind', from, at]),
  ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
];

/** Where there is no network, package managers say so at once: npm else tries for more than a minute. pip says why only when it tries again. */
const ONE_TRY: readonly string[] = '--setenv npm_config_fetch_retries 0 --setenv PIP_RETRIES 1'.split(' ');

export const isolationArgs = (network: boolean): readonly string[] => [
  ...['--unshare-all', ...(network ? ['--share-net'] : ONE_TRY)],
  ...'--die-with-parent --new-session --cap-drop ALL --setenv TMPDIR /tmp --unsetenv XDG_RUNTIME_DIR'.split(' '),
];

/** What git obeys in a read-only view. */
const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.attributesFile', '/run/git-attributes'],
  ['diff.submodule', 'short'],
  ['submodule.recurse', 'false'],
  ['log.showSignature', 'false'],
];

const VIEW_VARIABLES: Readonly<Record<string, string>> = {
  ...{ PAGER: 'cat', GIT_PAGER: 'cat', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'none' },
  ...{ TMPDIR: '/dev/shm', GIT_CONFIG_COUNT: `${GIT_SETTINGS.length}` },
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};

/** Arguments of bubblewrap: what git must not start, wait for or show. The text of a file is read from this descriptor. */
const viewArgs = (descriptor: number): readonly string[] => [
  ...['--ro-bind-data', `${descriptor}`, '/run/git-attributes'],
  ...Object.entries(VIEW_VARIABLES).flatMap(([name, value]) => ['--setenv', name, value]),
];

/** Where the network is reached, so is the resolver, which on many systems is configured below /run. */
const RESOLVER: readonly string[] = ['/run/systemd/resolve', '/run/resolvconf'];

/** Of these the sandbox has its own. */
const OWN_FOLDERS: readonly string[] = ['/dev', '/proc', '/tmp', '/run', '/var/tmp'];

/** A working folder like these would bring devices or the kernel back, or the sockets of services. */
const isKernels = (cwd: string): boolean =>
  ['/dev', '/dev/shm', '/run'].includes(cwd) || ['/proc', '/sys'].some((folder) => isWithin(cwd, folder));

/**
 * Says what is mounted where for a command in this place. Everything is looked at as it is now, and no path that is mounted at has a link in
 * it. Returns why no command can run there instead: then what is held could be changed, or what is hidden seen.
 */
export function planMounts(place: SandboxPlace, options: SandboxOptions): MountPlan | Bilingual {
  const found = lookAt(place, options);
  if (isBilingual(found)) return found;
  const { cwd, homes, roots, state, outer, sockets } = found;
  const { isView = false } = options;
  const shown = shownOf(homes, place);
  const writable = roots.map(({ folder }) => folder);
  const [shownArgs, shownTexts] = argsOfShown(homes, shown, { writable, most: isView ? MOST_TEXTS - 1 : MOST_TEXTS });
  const texts = isView ? [...shownTexts, secretAttributes()] : shownTexts;
  const bind = isView ? '--ro-bind' : '--bind';
  const seen = [...writable, ...shown.map(({ at }) => at)];
  const isSeen = (path: string): boolean =>
    seen.some((folder) => isWithin(path, folder)) || ![...OWN_FOLDERS, ...homes.hidden].some((folder) => isWithin(path, folder));
  const covered = (place.denied ?? []).filter(isSeen);
  return {
    texts,
    args: [
      ...systemArgs(place.temporary),
      ...(options.network ? RESOLVER.flatMap((path) => ['--ro-bind-try', path, path]) : []),
      ...shownArgs,
      ...[...roots, ...outer].flatMap(({ folder, holds: inner }) => [bind, folder, folder, ...holdArgs(inner)]),
      ...state.flatMap((path) => ['--tmpfs', path]),
      ...place.readable.filter((path) => isWithin(path, place.home)).flatMap((path) => ['--ro-bind-try', path, path]),
      ...credentialsIn(homes, shown).flatMap(coverArgs),
      ...sockets.filter((path) => isSeen(path) && !state.some((folder) => isWithin(path, folder))).flatMap(coverArgs),
      ...covered.flatMap(coverArgs),
      ...gitGuardArgs({ ...place, cwd }),
      ...homes.hidden.filter((folder) => existsSync(folder)).flatMap((folder) => ['--remount-ro', folder]),
      // Not before: places to mount at are made in them.
      ...(isView ? (place.temporary?.folders ?? []) : []).flatMap(({ at }) => ['--remount-ro', at]),
      ...isolationArgs(options.network),
      ...(isView ? viewArgs(FIRST_TEXT + texts.length - 1) : []),
      ...['--chdir', cwd, '--'],
    ],
  };
}

/** Why no command can run in this place, without a plan of what is mounted; undefined where one can. */
export function findProblem(place: SandboxPlace, options: SandboxOptions): Bilingual | undefined {
  const found = lookAt(place, options);
  return isBilingual(found) ? found : undefined;
}

type HeldFolder = { readonly folder: string; readonly holds: Holds };

type Found = {
  readonly cwd: string;
  readonly homes: Homes;
  /** The working folder and the added ones. */
  readonly roots: readonly HeldFolder[];
  readonly state: readonly string[];
  readonly outer: readonly HeldFolder[];
  readonly sockets: readonly string[];
};

/** What a place has that has to be held or hidden; or what of it can be neither. */
function lookAt(place: SandboxPlace, { repository = false, isView = false }: SandboxOptions): Found | Bilingual {
  const cwd = orUndefined(() => realpathSync.native(place.cwd));
  if (cwd === undefined) return { en: 'the working folder is not there', zh: '当前文件夹不存在' };
  const folders = [cwd, ...(place.folders ?? [])];
  if (folders.some(isKernels)) return { en: 'the working folder is a folder of the kernel', zh: '当前文件夹是内核的文件夹' };
  const homes = findHomes({ ...place, folders });
  if ('problem' in homes) return homes.problem;
  const roots = folders.map((folder) => ({ folder, holds: isView ? createHolds(folder) : holdWorkingFolder(folder, place.runFiles) }));
  const state = hiddenState(place.home, { roots, hidden: homes.hidden });
  const outer =
    repository || isView ? outerGitFolders(cwd).map((folder) => ({ folder, holds: isView ? createHolds(folder) : holdsOf(folder) })) : [];
  const sockets = findSockets();
  const problems = [...[...roots, ...outer].flatMap((each) => each.holds.problems), ...sockets.problems];
  if (problems.length > 0) return joinTexts(problems.slice(0, 3), { en: '; ', zh: '；' });
  return { cwd, homes, roots, state, outer, sockets: sockets.paths };
}

function holdsOf(folder: string): Holds {
  const holds = createHolds(folder);
  holdGitFolder(folder, folder, holds);
  return holds;
}

/** SanBot's home, unless it is hidden anyway. In a folder that can be written it is kept from being moved away. */
function hiddenState(
  home: string,
  { roots, hidden }: { readonly roots: readonly HeldFolder[]; readonly hidden: readonly string[] },
): readonly string[] {
  const path = orUndefined(() => realpathSync.native(home));
  if (path === undefined) return [];
  const around = roots.filter(({ folder }) => isWithin(path, folder));
  for (const { holds } of around) pin(holds, dirname(path));
  return around.length > 0 || ![...OWN_FOLDERS, ...hidden].some((folder) => isWithin(path, folder)) ? [path] : [];
}

/** Empty homes, with what is shown of them. */
function argsOfShown(
  { hidden, own }: Homes,
  shown: readonly Shown[],
  { writable, most }: { readonly writable: readonly string[]; readonly most: number },
): readonly [readonly string[], readonly string[]] {
  const texts: string[] = [];
  const args = shown.flatMap((each): readonly string[] => {
    if ('from' in each) return ['--ro-bind', each.from, each.at];
    if (texts.length === most) return [];
    texts.push(each.text);
    return ['--ro-bind-data', `${FIRST_TEXT + texts.length - 1}`, each.at];
  });
  const caches =
    own === undefined ? [] : OWN_CACHES.map((name) => join(own, name)).filter((path) => !writable.some((folder) => isWithin(path, folder)));
  return [[...hidden.flatMap((folder) => ['--tmpfs', folder]), ...caches.flatMap((path) => ['--tmpfs', path]), ...args], texts];
}

const coverArgs = (path: string): readonly string[] =>
  statsOf(path)?.isDirectory() === true ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];

export const isPlan = (plan: MountPlan | Bilingual): plan is MountPlan => !isBilingual(plan);
