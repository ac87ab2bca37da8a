import { join } from 'node:path';
import type { HomeOptions } from '../../runtime/home.ts';
import { createMemoryPages } from '../../store/replica/memory-pages.ts';
import { createReplica } from '../../store/replica/replica.ts';
import { leavingRules, readTargets } from '../../store/replica/targets.ts';
import { parseAgreements } from '../../sync/home.ts';
import type { CommandContext } from '../command.ts';
import { openHome, settingsOf } from '../open-home.ts';

export type OpenSync = ReturnType<typeof openSync>;

/** The home as other machines may have it, by the user's settings. Throws config for those that cannot be read. */
export function openSync({ home: folder }: HomeOptions, context: CommandContext) {
  const { environment } = context;
  const { disk, paths, store } = openHome({ home: folder }, context);
  const { exclude } = settingsOf({ home: folder }, context).config.sync;
  const folders = exclude.map((path) => (path.startsWith('~/') ? join(environment.homedir(), path.slice(2)) : path));
  const { writer = '', targets = [], never = [] } = readTargets(paths) ?? {};
  const rules = leavingRules(paths, { never, folders });
  const replica = createReplica(disk, paths, rules);
  const agreementsOf = (id: string) => parseAgreements(replica.agreementsWith(id).read());
  return {
    ...{ disk, paths, store, targets, never, agreementsOf },
    home: { ...replica, writer },
    pages: createMemoryPages(disk, paths, rules),
    /** Sessions of which a folder still has lines as they were before a purge here. */
    unconfirmed: (id: string): readonly string[] => {
      const agreements = agreementsOf(id);
      return replica.logs().filter((log) => {
        const known = agreements[log];
        return known?.hash != null && known.file !== replica.stat(log).file && replica.digest(log, known.end) !== known.digest;
      });
    },
  };
}

/** The folders that have not confirmed a purge of this home. */
export function foldersBehind(options: HomeOptions, context: CommandContext): readonly string[] {
  const { targets, unconfirmed } = openSync(options, context);
  return targets.filter(({ id }) => unconfirmed(id).length > 0).map(({ folder }) => folder);
}
