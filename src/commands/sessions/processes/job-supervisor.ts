import { text } from 'node:stream/consumers';
import { parseJson } from '../../../domain/value/json.ts';
import { processEnvironment } from '../../../runtime/environment.ts';
import { jobOrderSchema } from '../../../tools/command/jobs/job-state.ts';
import { superviseJob } from '../../../tools/command/jobs/supervise-job.ts';

/** A process that is told a command on its standard input, and runs it in the background. */
const environment = processEnvironment();
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) environment.onSignal(signal, () => stop.abort());

void text(environment.stdin).then((order) => superviseJob(jobOrderSchema.parse(parseJson(order)), { ...environment, signal: stop.signal }));
