import { z } from 'zod';
import type { Helpers } from '../../agent/ports/tools.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, readPlan } from '../tool.ts';

const inputSchema = z.strictObject({
  task: z.string().min(1).max(50_000).describe('What to do, and what to report.'),
  tools: z.array(z.string().min(1).max(100)).max(20).optional().describe('Such as edit_file, run_command.'),
  max_steps: z.int().min(1).max(1_000).optional(),
  helper: z.string().min(1).max(40).optional().describe('An earlier one, to go on.'),
  agent: z.string().min(1).max(64).optional().describe('One of the agents.'),
});

/** Gives a task to a helper. Nothing is allowed by it: each call of the helper is asked about like one of the model's own. */
export const taskTool = defineTool(
  'task',
  inputSchema,
  async ({ max_steps: maxSteps, tools = [], task, helper, agent }, helpers: Helpers) => {
    if (task.trim() === '') return { en: 'say in words what the helper is to do', zh: '请用文字说明子代理要做什么' };
    const request = { task, tools, maxSteps, helper, agent };
    return (
      helpers.problem(request) ??
      readPlan(`task ${agent === undefined ? '' : `${visibleLine(agent, 64)}: `}${visibleLine(task.trim(), 120)}`, (signal) =>
        helpers.run(request, signal),
      )
    );
  },
);
