import type { Plans } from '../../agent/ports/tools.ts';
import type { Conversation } from '../conversation/types.ts';
import type { Runtime } from '../runtime.ts';

/** Where a session hands its plans in; what takes them is loaded with the first. */
export const plansOf = (planning: Pick<Conversation, 'session' | 'deps'>, runtime: Runtime): Plans => ({
  problem: async (plan) => {
    if (runtime.modes.current() !== 'plan') return { en: 'plan mode is not on: just do the work', zh: '未处于计划模式：直接开始工作' };
    return (await import('./present-plan.ts')).problemOf(plan, planning);
  },
  present: async (plan, signal) => (await import('./present-plan.ts')).presentPlan(plan, planning, runtime, signal),
});
