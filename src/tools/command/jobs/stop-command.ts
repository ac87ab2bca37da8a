import { z } from 'zod';
import type { Tool } from '../../../agent/ports/tools.ts';
import { because, sameInBoth } from '../../../domain/language.ts';
import { createTool, failure, invalid, readPlan } from '../../tool.ts';
import type { ToolContext } from '../../tool-context.ts';
import { isLive } from './jobs.ts';
import { jobStatusText, noSuchJob } from './jobs-text.ts';

const inputSchema = z.strictObject({ job: z.string().min(1) });

export const stopCommandDefinition = { name: 'stop_command', input: () => inputSchema };

/** Ends what this session started, and nothing else: so it never asks. */
export function stopCommandTool({ jobs, now }: Pick<ToolContext, 'jobs' | 'now'>): Tool {
  return createTool(stopCommandDefinition, async ({ job: name }) => {
    const job = jobs.find(name);
    if (job === undefined) return invalid(because(sameInBoth('stop_command'), noSuchJob(name, jobs.list())));
    return readPlan(`stop_command ${name}`, async () => {
      const ended = await jobs.stop(name);
      if (ended === undefined || isLive(ended))
        return failure({ en: `${name} could not be ended`, zh: `无法结束 ${name}` }, { en: 'still runs', zh: '仍在运行' });
      jobs.markTold(name);
      const status = jobStatusText(ended, now());
      return { ok: true, content: `${name}: ${status.en}`, note: status };
    });
  });
}
