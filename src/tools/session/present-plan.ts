import { z } from 'zod';
import type { Plans } from '../../agent/ports/tools.ts';
import { PLAN_TOOL } from '../../domain/session/called-tool.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, readPlan } from '../tool.ts';

const inputSchema = z.strictObject({ plan: z.string().trim().min(1).max(50_000) });

/** Hands in a plan. It changes nothing by itself: what a person accepts is done by other calls. */
export const presentPlanTool = defineTool(
  PLAN_TOOL,
  inputSchema,
  async ({ plan }, plans: Plans) =>
    (await plans.problem(plan)) ?? readPlan(`${PLAN_TOOL} ${visibleLine(titleOf(plan), 120)}`, (signal) => plans.present(plan, signal)),
);

const titleOf = (plan: string): string => (plan.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^[#\s]+/, '');
