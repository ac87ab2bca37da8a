import { workingFolderIn } from '../../context/history/notices.ts';
import { renderLedger } from '../../context/ledger/render/render-ledger.ts';
import { ruleSummary } from '../../context/rules/rule-summary.ts';
import { missingSections, sectionsIn } from '../../context/summary/summary-sections.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import type { CompactionPlan } from './types.ts';

export function summaryByRule(
  { toSummarise, kept, earlier, ledger, limits, instructions, old }: CompactionPlan,
  session: Pick<Session, 'bodies' | 'cwd' | 'estimate'>,
  { measure }: Pick<AgentDeps, 'measure'>,
): string {
  const count = (text: string) => measure.text(text, session.estimate.ratio);
  const { read: bodyOf } = session.bodies;
  const { ledgerTokens } = limits;
  // Rules are not paid by the token: they may fill the other half of the target, and what the ledger leaves of its own half.
  const left = ledgerTokens - count(renderLedger(ledger, { tokens: ledgerTokens, count }));
  const tokens = Math.max(limits.summaryTokens, ledgerTokens + Math.max(0, left));
  const cwd = workingFolderIn(old.messages) ?? session.cwd;
  return ruleSummary(toSummarise, { earlier: earlier?.text, kept, instructions, ledger, bodyOf, cwd, tokens, count });
}

/** A reply that its room has cut lacks its last sections: rules write them. */
export function completeByRule(
  text: string,
  plan: CompactionPlan,
  session: Pick<Session, 'bodies' | 'cwd' | 'estimate'>,
  deps: Pick<AgentDeps, 'measure'>,
): string {
  const missing = missingSections(text);
  if (missing.length === 0) return text;
  const sections = sectionsIn(summaryByRule(plan, session, deps));
  return [text, ...missing.map((name) => `## ${name}\n${sections[name] ?? 'None.'}`)].join('\n\n');
}
