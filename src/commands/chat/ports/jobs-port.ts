import { localize } from '../../../domain/language.ts';
import type { JobsPort } from '../../../terminal/chat/jobs-port.ts';
import { isLive } from '../../../tools/command/jobs/jobs.ts';
import { jobStatusText } from '../../../tools/command/jobs/jobs-text.ts';
import type { Current } from './current.ts';

export const createJobsPort = ({ conversation, runtime }: Current): JobsPort => ({
  jobs: () =>
    conversation()
      .jobs.list()
      .map((job) => {
        const { name, command, keep, pid } = job;
        return { name, command, keep, pid, status: localize(jobStatusText(job, runtime.environment.now())), isLive: isLive(job) };
      }),
  stop: async (name) => {
    const job = await conversation().jobs.stop(name);
    return job !== undefined && !isLive(job);
  },
  keep: (name) => conversation().jobs.keep(name),
});
