import { parseJson } from '../../../domain/value/json.ts';
import { processEnvironment } from '../../../runtime/environment.ts';
import { jobOrderSchema } from '../../../tools/command/jobs/job-state.ts';
import { superviseJob } from '../../../tools/command/jobs/supervise-job.ts';

/** A process that is told a command on its standard input, and runs it in the background. */
const environment = processEnvironment();
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) environment.onSignal(signal, () => stop.abort());

const chunks: Buffer[] = [];
environment.stdin.on('data', (chunk: Buffer) => void chunks.push(chunk));
environment.stdin.once('end', () => {
  const order = jobOrderSchema.parse(parseJson(Buffer.concat(chunks).toString('utf8')));
  void superviseJob(order, { ...environment, signal: stop.signal });
});
