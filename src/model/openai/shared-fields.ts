import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../agent/ports/model.ts';
import type { Effort } from '../../domain/config/effort.ts';
import type { Usage } from '../../domain/session/message.ts';
import { isObject } from '../../domain/value/json.ts';
import { tokenCount } from '../http/answer-fields.ts';

/**
 * The field that says where a prefix is kept: requests with one key go to the same machines. It is made of the system prompt and the tools,
 * which a session never changes, so that it is the same after a compaction and in a session that is continued. A summary from a transcript
 * shares nothing with the turns, and has none.
 */
export function cacheKey({ model, system, tools, purpose, onPrefix }: ModelRequest): { readonly prompt_cache_key?: string } {
  if (purpose !== 'turn' && onPrefix !== true) return {};
  return { prompt_cache_key: hexHash(JSON.stringify([model, system[0], tools.map(({ name }) => name)])).slice(0, 32) };
}

export const hexHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Where the content of an image or a document stands: an address, or the content itself as one. */
export function mediaAddress(source: unknown): string | undefined {
  if (!isObject(source)) return undefined;
  const { type, media_type: mediaType, data, url } = source;
  if (type === 'base64' && typeof mediaType === 'string' && typeof data === 'string') return `data:${mediaType};base64,${data}`;
  return type === 'url' && typeof url === 'string' ? url : undefined;
}

type Counts = { readonly input: unknown; readonly cached: unknown; readonly written: unknown; readonly output: unknown };

/** What is read from the cache and what is written to it are parts of the input here. Undefined when a server reports no input. */
export function usageFrom({ input, cached, written, output }: Counts): Usage | undefined {
  const total = tokenCount(input);
  if (total === 0) return undefined;
  const cacheReadTokens = Math.min(tokenCount(cached), total);
  const cacheWriteTokens = Math.min(tokenCount(written), total - cacheReadTokens);
  return { inputTokens: total - cacheReadTokens - cacheWriteTokens, cacheReadTokens, cacheWriteTokens, outputTokens: tokenCount(output) };
}

/** OpenAI and those who speak as it does have no such word as `max`; a model that does not know theirs either takes `high`. */
export const openAiEffort = (effort: Effort, knowsXhigh: boolean): 'low' | 'medium' | 'high' | 'xhigh' =>
  effort !== 'max' ? effort : knowsXhigh ? 'xhigh' : 'high';
