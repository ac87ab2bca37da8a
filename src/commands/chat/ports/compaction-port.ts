import { compact, prepareCompaction } from '../../../agent/compaction/compact.ts';
import { limitsOf } from '../../../agent/deps.ts';
import type { CompactionPort } from '../../../terminal/chat/compaction-port.ts';
import { pendingCompaction } from '../pending-compaction.ts';
import type { Current } from './current.ts';

export const createCompactionPort = ({ conversation, runtime }: Current): CompactionPort => ({
  compact: async (instructions, signal) => {
    await runtime.ready();
    const { session, deps } = conversation();
    const limits = limitsOf(session, deps);
    await compact({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
  },
  preview: async (instructions, signal) => {
    await runtime.ready();
    const { session, deps } = conversation();
    const limits = limitsOf(session, deps);
    const preparation = await prepareCompaction({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
    return preparation.kind === 'prepared' ? pendingCompaction(preparation, session, deps) : undefined;
  },
  clear: () => conversation().clear(),
});
