import { checkEditedSummary } from '../../context/summary/summary-check.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { withContext } from './compact.ts';
import { removedMessages } from './compaction-receipt.ts';
import type { PreparedCompaction } from './types.ts';

export type RevisionResult =
  | { readonly kind: 'revised'; readonly prepared: PreparedCompaction; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** The same compaction with the text that the user made of its summary, checked like any summary; what is gathered by rule stays. */
export function reviseSummary(prepared: PreparedCompaction, draft: string, session: Session, deps: AgentDeps): RevisionResult {
  const text = draft.trim();
  if (text === prepared.text.trim()) return { kind: 'revised', prepared, warnings: [] };
  const tokensOf = (words: string): number => deps.measure.text(words, session.estimate.ratio);
  const removedTokens = removedMessages(prepared).reduce((sum, message) => sum + deps.measure.message(message, session.estimate.ratio), 0);
  const sourceTokens = removedTokens + tokensOf(prepared.split.earlier?.text ?? '');
  const { problems, warnings } = checkEditedSummary(text, { sourceTokens, tokens: tokensOf(text) });
  if (problems.length > 0) return { kind: 'refused', problems };
  const revision = withContext({ ...prepared, text, block: undefined, method: 'edited' }, session, deps);
  if (revision.kind === 'prepared') return { kind: 'revised', prepared: revision, warnings };
  return { kind: 'refused', problems: revision.kind === 'failed' ? [revision.why] : [] };
}
