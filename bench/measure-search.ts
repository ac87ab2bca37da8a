import { statSync } from 'node:fs';
import { join } from 'node:path';
import { search } from '../src/runtime/conversation/recall/recall.ts';
import type { Environment } from '../src/runtime/environment.ts';
import { openStore } from '../src/runtime/open-store.ts';
import { GENERATED_QUERIES } from './generated-sessions.ts';

export type SearchFigures = {
  /** Of building the index. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly indexBytes: number;
  /** In milliseconds of CPU. */
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
  /** Milliseconds of CPU: other programs change the clock more than that. */
  const ask = async (query: string): Promise<number> => {
    const start = process.cpuUsage();
    await search(place, { query, limit: 10, indexes: 'all' }, signal);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  const start = performance.now();
  const cpuSeconds = (await ask('nothing-like-it')) / 1_000;
  const seconds = (performance.now() - start) / 1_000;
  const queries: { query: string; median: number; worst: number }[] = [];
  for (const query of GENERATED_QUERIES) {
    const times: number[] = [];
    for (let i = 0; i < TIMES; i++) times.push(await ask(query));
    times.sort((a, b) => a - b);
    queries.push({ query, median: times[Math.floor(TIMES / 2)] ?? 0, worst: times.at(-1) ?? 0 });
  }
  return { seconds, cpuSeconds, indexBytes: statSync(join(home, 'index.db')).size, queries };
}
