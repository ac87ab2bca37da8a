import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Emit } from '../agent/ports/effects.ts';
import type { Config } from '../domain/config/config.ts';
import { SanbotError } from '../domain/errors.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { readHost } from '../store/files/host.ts';
import { activeHolder } from '../store/files/lock.ts';
import { isId, pathsOf } from '../store/files/paths.ts';
import type { Sandbox } from '../tools/command/sandbox/sandbox.ts';
import type { Environment } from './environment.ts';
import { storeEnvironmentOf } from './open-store.ts';

/** The sandbox that commands run in; undefined where there is none. Rejects with `refused` where the settings ask for one. */
export type FindSandbox = () => Promise<Sandbox | undefined>;

/** Looks for a sandbox when it is first needed, and says once what came of it. */
export function lazySandbox(
  environment: Environment,
  {
    home,
    mode,
    folders,
    show,
  }: {
    readonly home: string;
    readonly folders: () => readonly string[];
    readonly mode: Config['commands']['sandbox'];
    readonly show: Emit;
  },
): FindSandbox {
  let found: Promise<Sandbox | undefined> | undefined;
  const find = async (): Promise<Sandbox | undefined> => {
    if (mode === 'off') {
      show({ type: 'sandbox', active: false });
      return undefined;
    }
    const { probeSandbox } = await import('../tools/command/sandbox/sandbox.ts');
    await removeLeft(environment, home);
    const { env, platform, packageRoot } = environment;
    const probe = await probeSandbox({
      env,
      platform,
      cwd: environment.cwd(),
      folders: folders(),
      gitGuard: join(packageRoot, 'bin', 'git-in-sandbox.sh'),
    });
    if (probe.kind === 'works') {
      show({ type: 'sandbox', active: true });
      return probe.sandbox;
    }
    if (mode === 'on')
      throw new SanbotError(
        'refused',
        {
          en: `Commands are to run in a sandbox (commands.sandbox, --sandbox), and there is none: ${probe.why.en}`,
          zh: `命令须在沙箱中运行（commands.sandbox、--sandbox），但没有可用的沙箱：${probe.why.zh}`,
        },
        {
          en: 'Install bubblewrap, or choose --sandbox auto or off.',
          zh: '请安装 bubblewrap，或选择 --sandbox auto 或 off。',
        },
      );
    show({ type: 'sandbox', active: false, why: probe.why });
    return undefined;
  };
  return () => {
    found ??= find();
    return found;
  };
}

/** What commands of earlier sessions left behind, unless another SanBot is at work, which may need it. */
async function removeLeft(environment: Environment, home: string): Promise<void> {
  const { removeLeftCovers } = await import('../tools/command/sandbox/covers.ts');
  const paths = pathsOf(home);
  const sessions = (): readonly string[] => (orUndefined(() => readdirSync(paths.sessions)) ?? []).filter(isId);
  const host = readHost(storeEnvironmentOf(environment, home));
  const isElsewhere = (id: string): boolean => {
    const holder = activeHolder(paths.sessionLock(id), host);
    return holder !== undefined && holder.pid !== environment.pid;
  };
  removeLeftCovers(environment.cwd(), {
    folders: () => (sessions().some(isElsewhere) ? [] : sessions().map(paths.jobs)),
    platform: environment.platform,
  });
}
