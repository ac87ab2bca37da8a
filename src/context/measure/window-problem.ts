import type { Limits } from './limits.ts';

/**
 * Returns why no conversation fits beside the system prompt and the tools, with the figures; undefined when one fits. Names the first three
 * of `tools`, which come largest first.
 */
export function windowProblem(
  count: { readonly systemTokens: number; readonly toolsTokens: number },
  limits: Limits,
  tools: () => readonly { readonly name: string; readonly tokens: number }[] = () => [],
): string | undefined {
  const base = count.systemTokens + count.toolsTokens;
  const minTokens = Math.ceil(limits.hardTokens * MIN_CONVERSATION_SHARE);
  if (base + minTokens <= limits.hardTokens) return undefined;
  const parts = [
    { name: 'the system prompt', tokens: count.systemTokens },
    { name: 'the tool descriptions', tokens: count.toolsTokens },
  ].sort((a, b) => b.tokens - a.tokens);
  const partTexts = parts.map(({ name, tokens }) => `${name} ${name.endsWith('s') ? 'take' : 'takes'} ${formatTokens(tokens)}`).join(', ');
  const toolTexts = tools()
    .slice(0, MAX_NAMED_TOOLS)
    .map(({ name, tokens }) => `${name} ${formatTokens(tokens)}`);
  const largest = toolTexts.length === 0 ? '' : ` (largest tools: ${toolTexts.join(', ')})`;
  const minWindowTokens = (base / (1 - MIN_CONVERSATION_SHARE)) * (limits.windowTokens / limits.hardTokens);
  return (
    `The window is too small for this session: of its ${formatTokens(limits.windowTokens)} tokens a request may have ${formatTokens(limits.hardTokens)} ` +
    `(${formatTokens(limits.reserveTokens)} are kept for the reply). Of these ${partTexts}${largest}, and the conversation needs at least ${formatTokens(minTokens)}. ` +
    `A window of about ${formatTokens(Math.ceil(minWindowTokens / 500) * 500)} tokens would do.`
  );
}

/** The share of the hard limit that the conversation itself needs at least. */
const MIN_CONVERSATION_SHARE = 1 / 3;

const MAX_NAMED_TOOLS = 3;

/**
 * Says so where few steps fit between two compactions: 3 at the fewest with so much room, 6 with a third more
 * (test/property/room-after-compaction.test.ts). Undefined where there is more room.
 */
export function tightWindowNotice(
  count: { readonly systemTokens: number; readonly toolsTokens: number },
  limits: Limits,
): string | undefined {
  if (limits.hardTokens - count.systemTokens - count.toolsTokens > TIGHT_TOKENS) return undefined;
  return (
    `The window of ${formatTokens(limits.windowTokens)} tokens is small: a compaction is due every few steps, and each leaves less of the conversation. ` +
    'A model with a larger window goes further.'
  );
}

const TIGHT_TOKENS = 4_200;

const formatTokens = (tokens: number): string => tokens.toLocaleString('en-US');
