import { chooseCut, newestRequest } from '../../context/history/cut.ts';
import { activeNotices, workingFolderIn } from '../../context/history/notices.ts';
import { withoutPinsNotice } from '../../context/history/pins.ts';
import { continueLedger } from '../../context/ledger/ledger.ts';
import { boundLedger } from '../../context/ledger/merge-ledger.ts';
import { renderLedger } from '../../context/ledger/render/render-ledger.ts';
import { ruleSummary } from '../../context/rules/rule-summary.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { missingSections, sectionsIn } from '../../context/summary/summary-check.ts';
import { emptyLedger } from '../../domain/session/ledger.ts';
import { mediaBody } from '../../domain/session/media.ts';
import type { BodyRef, ContentBlock } from '../../domain/session/message.ts';
import type { AgentDeps } from '../deps.ts';
import type { Bodies } from '../ports/disk.ts';
import type { Session } from '../session/session.ts';
import type { CompactionOptions, CompactionPlan } from './types.ts';

export type Planned = Pick<Session, 'context' | 'estimate' | 'bodies'>;

/** Decides what leaves and what stays; undefined when nothing would leave. Changes nothing. */
export function planCompaction(
  options: CompactionOptions,
  session: Planned,
  { measure }: Pick<AgentDeps, 'measure'>,
): CompactionPlan | undefined {
  const { trigger, limits } = options;
  const { context: old, estimate } = session;
  const sizes = measure.messages(old.messages, estimate.ratio);
  const totalTokens = sizes.reduce((sum, tokens) => sum + tokens, 0);
  if (trigger === 'manual' && sizes.length <= limits.keepMessages && totalTokens <= limits.keepTokens) return undefined;
  const choice = chooseCut(old.messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  if (choice.kind === 'cannot') return undefined;
  return planAt(choice.index, { ...options, old, tokensBefore: estimate.count().tokens }, session);
}

type PlanStart = CompactionOptions & Pick<CompactionPlan, 'old' | 'tokensBefore'>;

/** The plan whose tail begins at `index`; undefined when nothing would leave then. */
export function planAt(index: number, start: PlanStart, { bodies }: Pick<Session, 'bodies'>): CompactionPlan | undefined {
  const { messages } = start.old;
  const earlier = summaryOf(messages);
  const toSummarise = withoutPinsNotice(messages.slice(earlier === undefined ? 0 : 1, index));
  const tail = withoutPinsNotice(messages.slice(index));
  const notices = activeNotices(toSummarise, tail);
  const request = newestRequest(messages);
  const requestMessage = messages[request];
  const kept = requestMessage !== undefined && request < index ? [...notices, requestMessage, ...tail] : [...notices, ...tail];
  if (toSummarise.every((message) => kept.includes(message))) return undefined;
  const { read: bodyOf, path: bodyPath } = bodies;
  const mediaRef = (block: ContentBlock) => refOfMedia(block, bodies);
  const gathering = { bodyOf, bodyPath, mediaRef, kept, asked: start.instructions };
  const ledger = boundLedger(continueLedger(earlier?.ledger ?? emptyLedger, toSummarise, gathering));
  return { ...start, index, earlier, toSummarise, kept, ledger };
}

/** A plan is made at every step while the context is full, and megabytes are not hashed each time. */
const mediaRefs = new WeakMap<ContentBlock, BodyRef>();

function refOfMedia(block: ContentBlock, bodies: Pick<Bodies, 'refOf'>): BodyRef | undefined {
  const body = mediaRefs.has(block) ? undefined : mediaBody(block);
  if (body !== undefined) mediaRefs.set(block, bodies.refOf(body));
  return mediaRefs.get(block);
}

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
