import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { isBilingual } from '../../../../../src/domain/language.ts';
import { probeSandbox } from '../../../../../src/tools/command/sandbox/sandbox.ts';
import type { SandboxOptions, SandboxPlace } from '../../../../../src/tools/command/sandbox/sandbox-place.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { root as packageRoot } from '../../../../support/source.ts';
import { visibleFolder } from '../../../../support/visible-folder.ts';

const probe = await probeSandbox({ env: process.env, platform: process.platform, cwd: '/nowhere' });
const sandbox = probe.kind === 'works' ? probe.sandbox : undefined;

/** False where bubblewrap does not work, or where there is no folder that a sandbox shows. */
export const canSandbox = sandbox !== undefined && visibleFolder !== undefined;

const NOBODY = 65_534;
/** The user of the tests, and where that is root an ordinary one too. */
export const users: readonly ('self' | 'nobody')[] =
  process.getuid?.() === 0 && spawnSync('setpriv', ['--reuid', `${NOBODY}`, 'true']).status === 0 ? ['self', 'nobody'] : ['self'];

export type World = ReturnType<typeof makeWorld>;

/**
 * A working folder and a user's home beside each other, with SanBot's home in that; `inHome`: the working folder lies in the home; `guard`: git
 * does not begin what it could not end, while else it does what the mounts let it do.
 */
export function makeWorld({
  inHome = false,
  user = 'self',
  guard = false,
}: {
  readonly inHome?: boolean;
  readonly user?: 'self' | 'nobody';
  readonly guard?: boolean;
} = {}) {
  const root = realpathSync(mkdtempSync(join(visibleFolder ?? tmpdir(), '.sandbox-')));
  afterThisTest(() => rmSync(root, { recursive: true, force: true }));
  const userHome = join(root, 'user');
  const cwd = inHome ? join(userHome, 'work', 'project') : join(root, 'project');
  const home = join(userHome, '.sanbot');
  for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
  const place: SandboxPlace = {
    ...{ cwd, home, userHome, readable: [], runFiles: [], shown: [], env: { PATH: '/usr/local/bin:/usr/bin:/bin' } },
    gitGuard: guard ? join(packageRoot, 'bin', 'git-in-sandbox.sh') : undefined,
  };
  const wrap = (wish: Partial<SandboxPlace> = {}, options: Partial<SandboxOptions> = {}) => {
    if (sandbox === undefined) throw new Error('no sandbox');
    return sandbox.wrap({ ...place, ...wish }, { network: false, ...options });
  };
  return {
    ...{ root, userHome, cwd, home, place, wrap },
    put: (path: string, text = 'as it was'): string => {
      outputFileSync(join(cwd, path), text);
      return join(cwd, path);
    },
    putHome: (path: string, text = 'a secret'): string => {
      outputFileSync(join(userHome, path), text);
      return join(userHome, path);
    },
    /** Why no command can run, as the look before a question and the plan say alike; undefined where one can. */
    refusal: (wish: Partial<SandboxPlace> = {}): string | undefined => {
      const wrapped = wrap(wish);
      const why = isBilingual(wrapped) ? wrapped.en : undefined;
      const before = sandbox?.problem({ ...place, ...wish }, { network: false })?.en;
      if (before !== why) throw new Error(`${before}, and then ${why}`);
      return why;
    },
    run: (command: string, wish: Partial<SandboxPlace> = {}, options: Partial<SandboxOptions> = {}) => {
      const wrapped = wrap(wish, options);
      if (isBilingual(wrapped)) throw new Error(wrapped.en);
      if (user === 'nobody') chownAll(root);
      const asUser = user === 'nobody' ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
      const [program = '', ...args] = [...asUser, wrapped.program, ...wrapped.args, '/bin/sh', '-c', command];
      const env = {
        PATH: process.env.PATH,
        HOME: userHome,
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b',
      };
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env });
      return { code: status, out: stdout, err: stderr };
    },
    git: (line: string, folder = cwd) =>
      spawnSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', '-c', 'safe.directory=*', ...line.split(' ')],
        {
          cwd: folder,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: userHome },
        },
      ),
  };
}

function chownAll(folder: string): void {
  spawnSync('chown', ['-hR', `${NOBODY}:${NOBODY}`, folder]);
  chownSync(folder, NOBODY, NOBODY);
}
