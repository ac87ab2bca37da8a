/** Whether everyday commands stay quick in a home of so many sessions and so many bytes, against the same in a home of a hundred. */
import { join } from 'node:path';
import { writeConfig, writeSessions } from './generated-home.mjs';
import { environment, inFolder, median, program, runNode } from './run-program.mjs';

const COMMANDS = {
  'headless answer offline': ['-p', 'status'],
  'history, first time': ['history'],
  history: ['history'],
  'sessions list': ['sessions', '--json'],
  'search, first time': ['search', 'w17'],
  'search --wait, first time': ['search', 'w17', '--wait'],
  search: ['search', 'w17'],
  'clean --dry-run': ['clean', '--dry-run'],
};

export async function measureLargeHome({ sizes = [100, 10_000], bytes = 5e9, rounds = 3 } = {}) {
  const rows = [];
  for (const count of sizes)
    await inFolder(async (folder) => {
      const home = join(folder, 'home');
      writeConfig(home, { model: { provider: 'offline' } });
      writeSessions(home, folder, count, Math.floor(bytes / Math.max(...sizes)));
      const env = environment(folder);
      for (const [name, argv] of Object.entries(COMMANDS)) {
        const times = name.endsWith('first time') ? 1 : rounds;
        const all = [];
        for (let round = 0; round < times; round++) {
          const started = performance.now();
          const used = await runNode([program, ...argv], { cwd: folder, env });
          all.push({ cpuMs: used.cpuMs, ms: performance.now() - started });
        }
        rows.push({ name, count, cpuMs: median(all.map(({ cpuMs }) => cpuMs)), ms: median(all.map(({ ms }) => ms)) });
      }
    });
  return rows;
}
