/**
 * How fast the search index is built, and how fast a query is answered: on generated sessions, in a temporary home. Prints figures.
 * npm run bench:search -- [MESSAGES]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processEnvironment } from '../src/runtime/environment.ts';
import { writeGeneratedSessions } from './generated-sessions.ts';
import { measureSearch } from './measure-search.ts';

const messages = Number(process.argv[2] ?? 100_000);
const home = mkdtempSync(join(tmpdir(), 'sanbot-bench-'));
try {
  const bytes = writeGeneratedSessions(home, messages);
  const { seconds, cpuSeconds, indexBytes, queries } = await measureSearch(processEnvironment(), home);
  const rate = (time: number): string => (bytes / 1e6 / time).toFixed(1);
  console.log(`${messages} messages, ${(bytes / 1e6).toFixed(1)} MB of logs`);
  console.log(`indexed in ${seconds.toFixed(1)} s: ${rate(seconds)} MB/s, ${rate(cpuSeconds)} MB per second of CPU`);
  console.log(`index.db: ${(indexBytes / 1e6).toFixed(1)} MB`);
  for (const { query, median, worst } of queries)
    console.log(`${JSON.stringify(query)}: median ${median.toFixed(0)} ms of CPU, worst ${worst.toFixed(0)} ms`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
