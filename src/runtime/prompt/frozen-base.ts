import { limitsFor } from '../../context/measure/limits.ts';
import { shortTools } from '../../context/prompt/short-tools.ts';
import type { Config } from '../../domain/config/config.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import { roughRequestTokens } from '../../model/rough-tokens.ts';

/** The two system prompts in `prompts/`. */
export type SystemPrompt = 'system' | 'system-small';

export type FrozenBase = { readonly system: string; readonly tools: readonly ToolSpec[] };

/** Above this part of what a request may have, prompt and tools are given in their short form. */
const MOST_OF_LIMIT = 1 / 3;
/** Left out where even the short form takes more than that. */
const SPARED: ReadonlySet<string> = new Set(['todo', 'remember']);

/**
 * What a session freezes at its start: the system prompt and the tools, in full, or in short where the full ones would take too
 * much of the window. Roughly counted, so that starting needs no tokenizer and the same window always gives the same bytes. Texts
 * that people write are not counted here: they get room of their own (text-room.ts).
 */
export function frozenBase(
  offered: { readonly render: (prompt: SystemPrompt) => string; readonly tools: readonly ToolSpec[] },
  { config, windowTokens }: { readonly config: Config; readonly windowTokens: number },
): FrozenBase {
  const { hardTokens } = limitsFor(config, windowTokens);
  const full = { system: offered.render('system'), tools: offered.tools };
  if (roughly(full) <= hardTokens * MOST_OF_LIMIT) return full;
  const short = { system: offered.render('system-small'), tools: shortTools(offered.tools) };
  if (roughly(short) <= hardTokens * MOST_OF_LIMIT) return short;
  return { ...short, tools: short.tools.filter(({ name }) => !SPARED.has(name)) };
}

const roughly = ({ system, tools }: FrozenBase): number => roughRequestTokens({ system: [system], tools, messages: [] });
