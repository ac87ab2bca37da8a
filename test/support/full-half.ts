import { readdirSync, readFileSync } from 'node:fs';

/** Each tries only a part of its cases in `npm test`: a quarter (runs.ts), or the least of what takes hours (share.ts). */
const isPartial = (text: string): boolean => text.includes("support/runs.ts'") || text.includes("support/share.ts'");

/** What `npm run test:full` runs: the slow tests, and those that are partial in `npm test`. */
export const fullHalf = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => /^test\/(?:stress|crash)\//.test(path) || isPartial(readFileSync(path, 'utf8')));
