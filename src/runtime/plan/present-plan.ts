/**
 * Plan mode, from the plan that a model hands in to what the person says of it. Loaded when the first plan comes.
 *
 * What is accepted is kept by the agent (agent/memory/plan.ts): pinned, and its steps as the task list. Where there is nobody to ask, the
 * plan is the answer of the turn, and the mode stays.
 */

import type { AgentDeps } from '../../agent/deps.ts';
import { planProblem } from '../../agent/memory/plan.ts';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import type { Session } from '../../agent/session/session.ts';
import { planItems } from '../../context/history/notices.ts';
import { because, sameInBoth } from '../../domain/language.ts';
import type { PermissionMode } from '../../domain/permission.ts';
import type { Runtime } from '../runtime.ts';

type Planning = { readonly session: Session; readonly deps: AgentDeps };
type Asking = Pick<Runtime, 'askPlan' | 'modes' | 'trustsFolder'>;

export const problemOf = (plan: string, { session, deps }: Planning) => planProblem(plan, session, deps);

/** Asks about a plan, and changes the mode as the person says. */
export async function presentPlan(plan: string, planning: Planning, runtime: Asking, signal: AbortSignal): Promise<ToolOutcome> {
  const modes: readonly PermissionMode[] = runtime.trustsFolder ? ['ask', 'accept-edits'] : ['ask'];
  const answer = await runtime.askPlan({ plan, modes, problem: (text) => problemOf(text, planning) }, signal);
  if (answer.kind === 'nobody')
    return {
      ok: true,
      content: 'There is nobody to ask: the plan is the answer of this turn.',
      note: { en: 'nobody to ask', zh: '无人可问' },
      answer: plan,
    };
  if (answer.kind === 'refused') {
    const why = answer.why === undefined ? '' : `, and says: ${answer.why}`;
    const content = `The user did not accept the plan${why}\nPlan mode goes on. Change the plan as they say, and hand it in again.`;
    const refused = { en: 'not accepted', zh: '未接受' };
    return {
      ok: false,
      content,
      shown: sameInBoth(''),
      note: answer.why === undefined ? refused : because(refused, sameInBoth(answer.why)),
    };
  }
  runtime.modes.change(answer.mode);
  const changed = answer.plan.trim() === plan.trim() ? '' : ' as they changed it';
  return {
    ok: true,
    content: `The user accepted the plan${changed}. It stands below and stays, and its steps are your task list: keep that with todo, and begin.`,
    note: { en: `accepted, mode ${answer.mode}`, zh: `已接受，模式 ${answer.mode}` },
    acceptedPlan: answer.plan,
    todo: planItems(answer.plan),
  };
}
