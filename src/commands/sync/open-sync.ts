import { join } from 'node:path';
import type { HomeOptions } from '../../runtime/home.ts';
import type { Disk } from '../../store/files/disk.ts';
import { readHost } from '../../store/files/host.ts';
import { createFileVersions } from '../../store/replica/file-versions.ts';
import { createMemoryPages } from '../../store/replica/memory-pages.ts';
import { createReplica } from '../../store/replica/replica.ts';
import { leavingRules, readTargets } from '../../store/replica/targets.ts';
import { unconfirmedBy } from '../../sync/confirm.ts';
import { removal } from '../../sync/delete.ts';
import { parseAgreed } from '../../sync/home.ts';
import type { SyncTarget } from '../../sync/port.ts';
import { shownAddress } from '../../sync/postgres/address.ts';
import { hashBytes } from '../../sync/segment.ts';
import type { CommandContext } from '../command.ts';
import { openHome, settingsOf, type ToldContext } from '../open-home.ts';
import { openFolder } from './folders.ts';

/** Of a target that is encrypted. */
type Recipient = { readonly recipient?: string | undefined };

export type OpenSync = ReturnType<typeof openSync>;

/** The home as other machines may have it, by the user's settings. Throws config for those that cannot be read. */
export function openSync({ home: folder }: HomeOptions, context: ToldContext) {
  const { environment } = context;
  const { disk, paths, store } = openHome({ home: folder }, context);
  const { sync, hub } = settingsOf({ home: folder }, context).config;
  const { exclude, files } = sync;
  const folders = exclude.map((path) => (path.startsWith('~/') ? join(environment.homedir(), path.slice(2)) : path));
  const { writer = '', targets = [], never = [] } = readTargets(paths) ?? {};
  const rules = leavingRules(paths, { never, folders });
  const versions = createFileVersions(disk, paths, environment.env.PATH ?? '');
  const replica = versions.within(createReplica(disk, paths, rules));
  const agreedWith = (id: string) => parseAgreed(replica.agreementsWith(id).read());
  const remove = removal(
    replica.remove,
    targets.map(({ id }) => replica.agreementsWith(id)),
  );
  const home = { ...replica, writer, remove };
  return {
    ...{ disk, paths, store, targets, writer, never, agreedWith, home, mayLeave: rules.mayLeave },
    pages: createMemoryPages(disk, paths, rules),
    versions,
    /** Whether versions of files go along to a target: encrypted folders alone may have them. */
    takesVersions: ({ recipient }: Recipient): boolean => files && recipient !== undefined,
    /** Whether versions of files are to go along, but not to this target. */
    keepsVersions: ({ recipient }: Recipient): boolean => files && recipient === undefined,
    acknowledge: hub.acknowledge,
    holder: holderName(writer, disk, paths.home),
    /** Whether a folder still has lines of sessions as they were before a purge here, or sessions that were deleted here. */
    isBehind: (id: string): boolean => {
      const { logs } = agreedWith(id);
      if (Object.values(logs).some(({ deleted }) => deleted === true)) return true;
      return replica.logs().some((log) => {
        const known = logs[log];
        return known?.hash != null && known.file !== replica.stat(log).file && replica.digest(log, known.end) !== known.digest;
      });
    },
    /** Machines that have not confirmed what was purged or deleted. */
    unconfirmed: (id: string): readonly string[] => unconfirmedBy(home, agreedWith(id).purges),
  };
}

/** One home is one holder, until its machine or container is another: what a process of it left open can be gone on with at once. */
function holderName(writer: string, disk: Disk, home: string): string {
  const { name, bootId, pidSpace } = readHost(disk);
  return `${writer}/${hashBytes(Buffer.from([name, bootId, pidSpace, home].join(' '))).slice(0, 12)}`;
}

export type KnownTarget = OpenSync['targets'][number];

/** The address of a hub; that of SANBOT_HUB, which may have a password, where it is this one. */
export function hubAddress({ hub = '', folder }: KnownTarget, { env }: Pick<CommandContext['environment'], 'env'>): string {
  const given = env.SANBOT_HUB;
  return given && shownAddress(given) === folder ? given : hub;
}

/** Calls `work` with what stands behind a target: its folder, or a connection to its server that is closed afterwards. */
export async function onTarget<T>(
  opened: OpenSync,
  target: KnownTarget,
  environment: CommandContext['environment'],
  work: (there: SyncTarget) => Promise<T>,
): Promise<T> {
  const { id, hub } = target;
  if (hub === undefined) return work(await openFolder(opened, target));
  const { withHub } = await import('../../sync/postgres/postgres.ts');
  return withHub(
    hubAddress(target, environment),
    environment,
    async ({ require, enter, target: there }) => {
      require(id);
      await enter(opened.home.writer);
      return work(there);
    },
    opened.holder,
  );
}

/** The folders that still have what was purged or deleted here, and the machines that have not confirmed it. */
export function purgesLeft(options: HomeOptions, context: CommandContext) {
  const { targets, isBehind, unconfirmed } = openSync(options, context);
  const behind = targets.filter(({ id }) => isBehind(id)).map(({ folder }) => folder);
  return { behind, unconfirmed: [...new Set(targets.flatMap(({ id }) => unconfirmed(id)))] };
}
