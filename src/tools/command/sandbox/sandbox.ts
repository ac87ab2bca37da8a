import { spawn } from 'node:child_process';
import { lstatSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { type Bilingual, because, quotedText } from '../../../domain/language.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { hostSockets, mountedElsewhere } from './mounts.ts';

/** Where a command runs: what it may write is the working folder and a temporary folder of its own. */
export type SandboxPlace = {
  readonly cwd: string;
  /** SanBot's home; nothing of it is seen but `readable`. */
  readonly home: string;
  /** The user's home, whose keys and sockets are hidden; undefined where it is not known. */
  readonly userHome: string | undefined;
  /** Folders inside what is hidden that stay readable. */
  readonly readable: readonly string[];
  /** Files of the working folder that run outside of the sandbox: these can be read and not changed. */
  readonly runFiles: readonly string[];
};

/** A working bubblewrap: wraps a program so that the kernel holds it to its place. */
export type Sandbox = {
  readonly wrap: (place: SandboxPlace, options: { readonly network: boolean }) => SandboxRun;
};

export type SandboxRun = {
  readonly program: string;
  /** Those before the wrapped program's own. */
  readonly args: readonly string[];
  /** Paths in the working folder at which there was nothing: empty folders that cover them while the command runs, and what it must not leave. */
  readonly covers: readonly string[];
  /** Removes them. To be called when the command has ended, and no other runs in the same folder. */
  readonly cleanUp: () => void;
};

type SandboxProbe = { readonly kind: 'works'; readonly sandbox: Sandbox } | { readonly kind: 'missing'; readonly why: Bilingual };

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Finds bubblewrap and runs a real command in it, since a kernel or a container may forbid what the program needs. A bubblewrap that lies in
 * the working folder is the project's and not used. Never rejects.
 */
export async function probeSandbox(
  place: SandboxPlace,
  { env, platform }: { readonly env: Env; readonly platform: string },
): Promise<SandboxProbe> {
  if (platform !== 'linux') return { kind: 'missing', why: { en: 'there is one on Linux only', zh: '只有 Linux 上有沙箱' } };
  const program = (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(folder, place.cwd))
    .map((folder) => join(folder, 'bwrap'))
    .find((path) => orUndefined(() => statSync(path).isFile()) === true);
  if (program === undefined)
    return { kind: 'missing', why: { en: 'bubblewrap (bwrap) is not installed', zh: '没有安装 bubblewrap（bwrap）' } };
  const sandbox: Sandbox = { wrap: (where, options) => wrap(program, where, options) };
  const run = sandbox.wrap(place, { network: false });
  const problem = await tryToRun(run.program, [...run.args, '/bin/sh', '-c', 'exit 0']);
  run.cleanUp();
  return problem === undefined
    ? { kind: 'works', sandbox }
    : { kind: 'missing', why: because({ en: 'bubblewrap does not work here', zh: 'bubblewrap 在此无法工作' }, quotedText(problem)) };
}

const PROBE_MS = 5_000;

/** Resolves with the first line of what went wrong; undefined when it ran. */
function tryToRun(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe'], timeout: PROBE_MS, killSignal: 'SIGKILL' });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(0, 1_000);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : (said.split('\n')[0] || `exit ${code ?? 'by a signal'}`).slice(0, 200)));
  });
}

function wrap(program: string, place: SandboxPlace, { network }: { readonly network: boolean }): SandboxRun {
  const { cwd, home, userHome, readable, runFiles } = place;
  const covers = coveredNames(cwd);
  const hidden = [...(userHome === undefined ? [] : HIDDEN.map((name) => join(userHome, name))), home].filter(
    (path) => kindOf(path) !== undefined && !isWithin(cwd, path),
  );
  const args = [
    ...'--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --tmpfs /var/tmp'.split(' '),
    ...(network ? RESOLVER.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...['--bind', cwd, cwd],
    ...heldFolders(cwd, runFiles).flatMap((path) => ['--bind', path, path]),
    ...covers.flatMap(coverArgs),
    ...runFiles.flatMap((path) => (kindOf(path) === 'file' ? ['--ro-bind', path, path] : [])),
    ...hidden.flatMap((path) => (kindOf(path) === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path])),
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...socketsSeen(cwd, hidden).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--unshare-all', ...(network ? ['--share-net'] : [])],
    ...'--die-with-parent --new-session --cap-drop ALL --setenv TMPDIR /tmp --unsetenv XDG_RUNTIME_DIR'.split(' '),
    ...['--chdir', cwd, '--'],
  ];
  const empty = [...covers.filter(({ isThere }) => !isThere).map(({ path }) => path), ...trapsIn(cwd)];
  return { program, args, covers: empty, cleanUp: () => void removeCovers(empty) };
}

/** Where the network is reached, so is the resolver, which on many systems is configured below /run. */
const RESOLVER: readonly string[] = ['/run/systemd/resolve', '/run/resolvconf'];

/** Folders of which the sandbox has its own. */
const OWN_FOLDERS: readonly string[] = ['/dev', '/proc', '/tmp', '/run', '/var/tmp'];

/** The sockets of the machine that would be there: those in nothing that is hidden as a whole. */
const socketsSeen = (cwd: string, hidden: readonly string[]): readonly string[] =>
  hostSockets().filter((path) => isWithin(path, cwd) || ![...OWN_FOLDERS, ...hidden].some((folder) => isWithin(path, folder)));

/** Of the user's home: keys, tokens, profiles, and folders with the sockets of agents. */
const HIDDEN: readonly string[] = (
  '.ssh .gnupg .aws .azure .kube .docker .netrc .pgpass .pypirc .git-credentials .npmrc .yarnrc.yml .vault-token .my.cnf .password-store ' +
  '.config/gcloud .config/gh .config/git/credentials .config/google-chrome .config/chromium .config/BraveSoftware .config/op .mozilla ' +
  '.local/share/keyrings .cargo/credentials .cargo/credentials.toml .config/containers .terraform.d/credentials.tfrc.json .bash_history ' +
  '.zsh_history .python_history .psql_history .mysql_history .node_repl_history .claude.json .codex .config/sanbot'
).split(' ');

/**
 * In the working folder: what programs outside obey when they start in it. These can be read and not changed, and not made either: a name
 * that is not there is covered while the command runs by an empty folder, which git and builds pass over.
 */
const COVERED: readonly string[] = (
  '.git/hooks .git/config .git/config.worktree .gitmodules .gitconfig .husky .githooks .vscode .idea .claude .cursor .codex .gemini .agents ' +
  '.sanbot .sanbot.json .mcp.json .github/workflows .envrc .ripgreprc .pre-commit-config.yaml .bashrc .bash_profile .profile .zshrc .zshenv'
).split(' ');

type Covered = { readonly path: string; readonly isThere: boolean };

function coveredNames(cwd: string): readonly Covered[] {
  // Where there is no .git, a HEAD with three more names makes a repository of the folder itself.
  const names = kindOf(join(cwd, '.git')) === undefined ? [...COVERED, 'HEAD'] : COVERED;
  // The cover of another session's command is not there either: the last of those who need it removes it.
  const shared = mountedElsewhere(emptyCovers(cwd));
  const covers = names.map((name): Covered => {
    const path = join(cwd, name);
    if (kindOf(path) !== undefined) return { path, isThere: shared.get(path) !== 'empty' };
    // What would lie in a folder that is not there is covered by that folder's name; so is what a file stands in the place of, as .git does
    // in a worktree.
    const parent = dirname(path);
    const kind = parent === cwd ? 'folder' : kindOf(parent);
    if (kind === 'folder' && shared.get(parent) === 'empty') return { path: parent, isThere: false };
    return { path: kind === 'folder' ? path : parent, isThere: kind === 'file' };
  });
  return [...new Map(covers.map((each) => [each.path, each])).values()];
}

/** The folders in which covered names lie. As mounts of their own they can't be moved away, with a new one made in their place. */
const heldFolders = (cwd: string, runFiles: readonly string[]): readonly string[] => {
  const above = runFiles.flatMap((path) => foldersBetween(cwd, dirname(path)));
  return [...new Set([...['.git', '.github'].map((name) => join(cwd, name)), ...above])].filter((path) => kindOf(path) === 'folder');
};

/** The highest first. */
const foldersBetween = (cwd: string, folder: string): readonly string[] =>
  folder !== cwd && isWithin(folder, cwd) ? [...foldersBetween(cwd, dirname(folder)), folder] : [];

const coverArgs = ({ path, isThere }: Covered): readonly string[] =>
  isThere ? ['--ro-bind', path, path] : ['--tmpfs', path, '--remount-ro', path];

/**
 * Names that lead git to another configuration and that no cover can stand for: git would stop at one. They have no business where they were
 * not before, so what a command leaves there goes when it has ended.
 */
const TRAPS: readonly string[] = ['.git/commondir', 'commondir', 'HEAD'];

const trapsIn = (cwd: string): readonly string[] =>
  kindOf(join(cwd, '.git')) === undefined
    ? []
    : TRAPS.map((name) => join(cwd, name)).filter((path) => orUndefined(() => lstatSync(path)) === undefined);

/** The folders in a working folder that a sandbox may have left: names that it covers, or what these would lie in, with nothing in them. */
export const emptyCovers = (cwd: string): readonly string[] =>
  [...new Set([...COVERED, ...TRAPS].flatMap((name) => [join(cwd, name), dirname(join(cwd, name))]))].filter(
    (path) =>
      path !== cwd && orUndefined(() => lstatSync(path))?.isDirectory() === true && orUndefined(() => readdirSync(path))?.length === 0,
  );

/**
 * bubblewrap makes an empty folder to put a cover on, and leaves it. One that is not empty somebody else has made, and one that covers a
 * name for a command of another session stays. Returns those that stay for such a command.
 */
export function removeCovers(covers: readonly string[]): readonly string[] {
  const needed = mountedElsewhere(covers.filter((path) => kindOf(path) === 'folder'));
  for (const path of covers.filter((each) => !needed.has(each))) {
    orUndefined(() => rmdirSync(path));
    if (TRAPS.some((name) => basename(name) === basename(path))) orUndefined(() => unlinkSync(path));
  }
  return [...needed.keys()];
}

/** A link is what it leads to; undefined for what is not there. */
function kindOf(path: string): 'folder' | 'file' | undefined {
  const stats = orUndefined(() => statSync(path));
  return stats === undefined ? undefined : stats.isDirectory() ? 'folder' : 'file';
}
