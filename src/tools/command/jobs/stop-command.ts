import { z } from 'zod';
import { defineTool, failure, readPlan } from '../../tool.ts';
import type { ToolContext } from '../../tool-context.ts';
import { isLive } from './jobs.ts';
import { jobStatusText, noSuchJob } from './jobs-text.ts';

/** Ends what this session started, and nothing else: so it never asks. */
export const stopCommandTool = defineTool(
  'stop_command',
  z.strictObject({ job: z.string().min(1) }),
  async ({ job: name }, { jobs, now }: Pick<ToolContext, 'jobs' | 'now'>) => {
    if (jobs.find(name) === undefined) return noSuchJob(name, jobs.list());
    return readPlan(`stop_command ${name}`, async () => {
      const ended = await jobs.stop(name);
      if (ended === undefined || isLive(ended))
        return failure({ en: `${name} could not be ended`, zh: `无法结束 ${name}` }, { en: 'still runs', zh: '仍在运行' });
      jobs.markTold(name);
      const status = jobStatusText(ended, now());
      return { ok: true, content: `${name}: ${status.en}`, note: status };
    });
  },
);
