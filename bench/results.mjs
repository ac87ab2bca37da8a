/** bench/results.md holds what the benchmarks last printed, one part for each; a run renews its own part and leaves the others. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const target = join(import.meta.dirname, 'results.md');

/** A part begins with its title, a heading of the first level, and ends before the next one. */
export function writeResults(title, text) {
  const old = existsSync(target) ? readFileSync(target, 'utf8') : '';
  const parts = old.split(/^(?=# )/m).filter((part) => part.trim() !== '');
  const renewed = `# ${title}\n\n${text.trim()}\n\n`;
  const at = parts.findIndex((part) => part.startsWith(`# ${title}\n`));
  const all = at < 0 ? [...parts.map((part) => `${part.trimEnd()}\n\n`), renewed] : parts.with(at, renewed);
  writeFileSync(target, `${all.join('').trimEnd()}\n`);
  console.log('written: bench/results.md');
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
