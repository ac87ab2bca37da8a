import { statSync } from 'node:fs';
import { join } from 'node:path';
import { search } from '../src/runtime/conversation/recall.ts';
import type { Environment } from '../src/runtime/environment.ts';
import { openStore } from '../src/runtime/open-store.ts';
import { GENERATED_QUERIES } from './generated-sessions.ts';

export type SearchFigures = {
  /** Of building the index. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly indexBytes: number;
  /** In milliseconds. */
  readonly queries: readonly { readonly query: string; readonly median: number; readonly worst: number }[];
};

const TIMES = 7;

/** Builds the index of a home of generated sessions and asks it. */
export async function measureSearch(environment: Environment, home: string): Promise<SearchFigures> {
  const warn = (): void => undefined;
  const place = {
    environment,
    home,
    store: openStore(environment, home, { maxSessionBytes: Number.MAX_SAFE_INTEGER, warn }),
    group: 'main',
    warn,
  };
  const { signal } = new AbortController();
  const ask = async (query: string): Promise<number> => {
    const start = performance.now();
    await search(place, { query, limit: 10 }, signal);
    return performance.now() - start;
  };
  const cpu = process.cpuUsage();
  const built = await ask('nothing-like-it');
  const { user, system } = process.cpuUsage(cpu);
  const queries: { query: string; median: number; worst: number }[] = [];
  for (const query of GENERATED_QUERIES) {
    const times: number[] = [];
    for (let i = 0; i < TIMES; i++) times.push(await ask(query));
    times.sort((a, b) => a - b);
    queries.push({ query, median: times[Math.floor(TIMES / 2)] ?? 0, worst: times.at(-1) ?? 0 });
  }
  return { seconds: built / 1000, cpuSeconds: (user + system) / 1e6, indexBytes: statSync(join(home, 'index.db')).size, queries };
}
