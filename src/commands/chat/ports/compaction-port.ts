import { compact, prepareCompaction } from '../../../agent/compaction/compact.ts';
import { type AgentDeps, limitsOf } from '../../../agent/deps.ts';
import type { CompactionPort } from '../../../terminal/chat/compaction-port.ts';
import { pendingCompaction } from '../pending-compaction.ts';
import type { Current } from './current.ts';

export const createCompactionPort = ({ conversation }: Current): CompactionPort => ({
  compact: async (instructions, signal) => {
    const { session, deps } = conversation();
    refuseUnpaid(deps);
    const limits = limitsOf(session, deps);
    await compact({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
  },
  preview: async (instructions, signal) => {
    const { session, deps } = conversation();
    refuseUnpaid(deps);
    const limits = limitsOf(session, deps);
    const preparation = await prepareCompaction({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
    return preparation.kind === 'prepared' ? pendingCompaction(preparation, session, deps) : undefined;
  },
  clear: () => conversation().clear(),
});

/** Once --max-cost is spent, a summary would be made by rules only because no model may be asked: that is not what was wished for. */
function refuseUnpaid({ config, model }: Pick<AgentDeps, 'config' | 'model'>): void {
  if (config.compaction.useLLMSummary) model.checkBudget?.();
}
