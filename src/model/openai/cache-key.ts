import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../agent/ports/model.ts';

/**
 * The field that says where a prefix is kept: requests with one key go to the same machines. It is made of the system prompt and the tools,
 * which a session never changes, so that it is the same after a compaction and in a session that is continued. A summary from a transcript
 * shares nothing with the turns, and has none.
 */
export function cacheKey({ model, system, tools, purpose, onPrefix }: ModelRequest): { readonly prompt_cache_key?: string } {
  if (purpose !== 'turn' && onPrefix !== true) return {};
  const prefix = JSON.stringify([model, system[0], tools.map(({ name }) => name)]);
  return { prompt_cache_key: createHash('sha256').update(prefix).digest('hex').slice(0, 32) };
}
