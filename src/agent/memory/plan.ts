import { modeNotice, planItems } from '../../context/history/notices.ts';
import { acceptedPlan, pinsNotice } from '../../context/history/pins.ts';
import { todoNotice } from '../../context/history/todo-list.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Pin } from '../../domain/session/context.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import type { AgentDeps } from '../deps.ts';
import type { ToolOutcome } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { type PinDeps, pinCost, tokensOfPins } from './pins.ts';

/**
 * Keeps the plan that a call brought and the person accepted: pinned, in the place of an earlier one, with its steps as the task list. A list
 * in which everything is done ends it.
 */
export function followPlan(
  { acceptedPlan: plan, todo }: ToolOutcome,
  session: Session,
  { clock, person }: Pick<AgentDeps, 'clock' | 'person'>,
): void {
  if (plan !== undefined) {
    const stamp = () => ({ id: clock.newId(), at: clock.now().toISOString() });
    const notice = stamp();
    const pin = pinOfPlan(plan, notice);
    const mode = modeNotice(person.mode, session.context);
    session.append({ type: 'pins', pins: [...otherPins(session), pin] }, { type: 'message', message: pinsNotice([pin], notice) });
    if (mode !== undefined) session.append({ type: 'message', message: session.message({ role: 'user', origin: 'notice', ...mode }) });
    session.append({ type: 'message', message: todoNotice(planItems(plan), stamp()) });
  } else if (todo !== undefined && todo.length > 0 && todo.every(({ status }) => status === 'done')) endPlan(session);
}

/** Takes the plan off; its text leaves with the next rung. False when there is none. */
export function endPlan(session: Session): boolean {
  if (acceptedPlan(session.context) === undefined) return false;
  session.append({ type: 'pins', pins: otherPins(session) });
  return true;
}

export function planProblem(plan: string, session: Session, deps: PinDeps): Bilingual | undefined {
  const { budgetTokens } = pinCost(session, deps);
  const tokens = tokensOfPins([...otherPins(session), pinOfPlan(plan, { id: '', at: '' })], session, deps);
  if (tokens <= budgetTokens) return undefined;
  const [most, now] = [groupDigits(budgetTokens), groupDigits(tokens)];
  return {
    en: `the plan is too long to be kept: with what is pinned it takes ${now} tokens, and ${most} are possible; say it shorter`,
    zh: `计划太长，无法保留：连同已固定的内容共 ${now} token，最多 ${most}；请写短一些`,
  };
}

const otherPins = ({ context: { pins = [] } }: Session): readonly Pin[] => pins.filter(({ kind }) => kind !== 'plan');

const pinOfPlan = (plan: string, { id, at }: Pick<Pin, 'at'> & { readonly id: string }): Pin => ({
  ...{ messageId: id, at, who: 'model', kind: 'plan' },
  text: plan.trim().toWellFormed(),
});
