import type { PressureReason } from '../../domain/event.ts';
import type { Limits } from './limits.ts';
import type { ContextCount } from './measure.ts';

export type Pressure = { readonly level: 'none' | 'soft' | 'hard'; readonly reasons: readonly PressureReason[] };

/**
 * How full a context is, and why. Only tokens and messages make it hard; bytes of tool output are a reason for the soft level
 * and for offloading that pays, never for compaction, since a compaction that leaves them would be due again at once.
 */
export function judgePressure(count: ContextCount, limits: Limits): Pressure {
  const hard: PressureReason[] = [];
  if (count.saidMessages > limits.maxMessages) hard.push('messages');
  if (count.tokens > limits.hardTokens) hard.push('tokens');
  if (hard.length > 0) return { level: 'hard', reasons: hard };

  const soft: PressureReason[] = [];
  if (count.saidMessages > limits.softMessages) soft.push('messages');
  if (count.tokens > limits.softTokens) soft.push('tokens');
  if (count.toolOutputBytes > limits.softToolOutputBytes) soft.push('tool_output');
  return { level: soft.length > 0 ? 'soft' : 'none', reasons: soft };
}

/** Whether the next request, with room for its reply, would not fit the model's window: then something must go. */
export const atStake = (count: ContextCount, limits: Limits): boolean => count.tokens > sendableTokens(limits);
export const sendableTokens = (limits: Limits): number => limits.modelWindowTokens - limits.reserveTokens;
