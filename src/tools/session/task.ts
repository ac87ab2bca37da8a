import { z } from 'zod';
import type { Helpers, Tool } from '../../agent/ports/tools.ts';
import { because, sameInBoth } from '../../domain/language.ts';
import { visibleLine } from '../place/visible.ts';
import { createTool, invalid, readPlan } from '../tool.ts';

const inputSchema = z.strictObject({
  task: z.string().min(1).max(50_000).describe('What to do, and what to report.'),
  tools: z.array(z.string().min(1).max(100)).max(20).optional().describe('Such as edit_file, run_command.'),
  max_steps: z.int().min(1).max(1_000).optional(),
  helper: z.string().min(1).max(40).optional().describe('An earlier one, to go on.'),
});

export const taskDefinition = { name: 'task', input: () => inputSchema };

/** Gives a task to a helper. Nothing is allowed by it: each call of the helper is asked about like one of the model's own. */
export function taskTool(helpers: Helpers): Tool {
  return createTool(taskDefinition, async ({ task, tools = [], max_steps: maxSteps, helper }) => {
    if (task.trim() === '') return invalid({ en: 'task: say in words what the helper is to do', zh: 'task：请用文字说明子代理要做什么' });
    const request = { task, tools, maxSteps, helper };
    const problem = helpers.problem(request);
    if (problem !== undefined) return invalid(because(sameInBoth('task'), problem));
    return readPlan(`task ${visibleLine(task.trim(), 120)}`, (signal) => helpers.run(request, signal));
  });
}
