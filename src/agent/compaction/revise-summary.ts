import { checkEditedSummary } from '../../context/summary/summary-check.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Session } from '../session/session.ts';
import { type ContextDeps, prepareContext } from './new-context.ts';
import { removedMessages } from './receipt.ts';
import type { PreparedCompaction } from './types.ts';

export type RevisionResult =
  | { readonly kind: 'revised'; readonly prepared: PreparedCompaction; readonly warnings: readonly Bilingual[] }
  | { readonly kind: 'refused'; readonly problems: readonly Bilingual[] };

/** The same compaction with the text that the user made of its summary, checked like any summary; what is gathered by rule stays. */
export function reviseSummary(prepared: PreparedCompaction, draft: string, session: Session, deps: ContextDeps): RevisionResult {
  const { plan, summary } = prepared;
  const { measure } = deps;
  const { ratio } = session.estimate;
  const text = draft.trim();
  if (text === summary.text.trim()) return { kind: 'revised', prepared, warnings: [] };
  const removedTokens = removedMessages(plan).reduce((sum, message) => sum + measure.message(message, ratio), 0);
  const sourceTokens = removedTokens + measure.text(plan.earlier?.text ?? '', ratio);
  const { problems, warnings } = checkEditedSummary(text, { sourceTokens, tokens: measure.text(text, ratio) });
  if (problems.length > 0) return { kind: 'refused', problems };
  const revision = prepareContext(plan, { text, method: 'edited' }, prepared, session, deps);
  return revision.kind === 'prepared' ? { kind: 'revised', prepared: revision, warnings } : { kind: 'refused', problems: [revision.why] };
}
