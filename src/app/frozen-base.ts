import { limitsFor } from '../context/limits.ts';
import { shortTools } from '../context/short-tools.ts';
import type { Config } from '../domain/config.ts';
import type { ToolSpec } from '../domain/context.ts';
import { roughRequestTokens } from '../model/rough-tokens.ts';

/** The two system prompts in `prompts/`. */
export type SystemPrompt = 'system' | 'system-small';

export type FrozenBase = { readonly system: string; readonly tools: readonly ToolSpec[] };

/** Above this part of what a request may have, prompt and tools are given in their short form. */
const MOST_OF_LIMIT = 1 / 3;

/**
 * What a session freezes at its start: the system prompt and the tools, in full, or in short where the full ones would take too
 * much of the window. Roughly counted, so that starting needs no tokenizer and the same window always gives the same bytes.
 */
export function frozenBase(
  offered: { readonly render: (prompt: SystemPrompt) => string; readonly tools: readonly ToolSpec[] },
  { config, windowTokens }: { readonly config: Config; readonly windowTokens: number },
): FrozenBase {
  const { render, tools } = offered;
  const full = { system: render('system'), tools };
  const base = roughRequestTokens({ system: [full.system], tools, messages: [] });
  if (base <= limitsFor(config, windowTokens).hardTokens * MOST_OF_LIMIT) return full;
  return { system: render('system-small'), tools: shortTools(tools) };
}
