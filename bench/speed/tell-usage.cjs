// Required by a program that a benchmark starts: at its end it says what it took, in the file that BENCH_USAGE names.
const { writeFileSync } = require('node:fs');

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  const usage = { cpuMs: (user + system) / 1_000, memoryMb: process.resourceUsage().maxRSS / 1_024 };
  if (process.env.BENCH_USAGE !== undefined) writeFileSync(process.env.BENCH_USAGE, JSON.stringify(usage));
});
