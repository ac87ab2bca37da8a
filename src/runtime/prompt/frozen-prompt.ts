import { limitsFor } from '../../context/measure/limits.ts';
import { shortTools, withoutArguments } from '../../context/prompt/short-tools.ts';
import type { Config } from '../../domain/config/config.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import { roughRequestTokens } from '../../model/rough-tokens.ts';

/** The two system prompts in `prompts/`. */
export type SystemPromptName = 'system' | 'system-small';

export type FrozenPrompt = { readonly system: string; readonly tools: readonly ToolSpec[] };

/** Above this part of what a request may have, prompt and tools are given in their short form. */
const MAX_SHARE_OF_LIMIT = 1 / 3;
/** Left out where even the short form takes more than that. */
const OPTIONAL_TOOLS: ReadonlySet<string> = new Set(['todo', 'remember']);
/** Below this window the form is short, and only these are told, without the arguments that can be done without. */
const SMALL_WINDOW_TOKENS = 16_000;
const SMALL_WINDOW_TOOLS: ReadonlySet<string> = new Set(
  'read_file write_file edit_file list_files search run_command todo recall remember'.split(' '),
);
const LARGE_WINDOW_ARGUMENTS: ReadonlySet<string> = new Set(['edits', 'background', 'keep']);

/**
 * What a session freezes at its start: the system prompt and the tools, in full, or in short where the full ones would take too
 * much of the window. Roughly counted, so that starting needs no tokenizer and the same window always gives the same bytes. Texts
 * that people write are not counted here: they get room of their own (prompt-budget.ts).
 */
export function choosePromptForm(
  parts: { readonly render: (prompt: SystemPromptName) => string; readonly tools: readonly ToolSpec[] },
  { config, windowTokens }: { readonly config: Config; readonly windowTokens: number },
): FrozenPrompt {
  const { hardTokens } = limitsFor(config, windowTokens);
  const isSmall = windowTokens < SMALL_WINDOW_TOKENS;
  const fullForm = { system: parts.render('system'), tools: parts.tools };
  if (!isSmall && roughTokensOf(fullForm) <= hardTokens * MAX_SHARE_OF_LIMIT) return fullForm;
  const shortForm = { system: parts.render('system-small'), tools: shortTools(isSmall ? toolsForSmallWindow(parts.tools) : parts.tools) };
  if (roughTokensOf(shortForm) <= hardTokens * MAX_SHARE_OF_LIMIT) return shortForm;
  return { ...shortForm, tools: shortForm.tools.filter(({ name }) => !OPTIONAL_TOOLS.has(name)) };
}

const toolsForSmallWindow = (tools: readonly ToolSpec[]): readonly ToolSpec[] =>
  tools
    .filter(({ name }) => SMALL_WINDOW_TOOLS.has(name))
    .map((tool) => ({ ...tool, inputSchema: withoutArguments(tool.inputSchema, LARGE_WINDOW_ARGUMENTS) }));

const roughTokensOf = ({ system, tools }: FrozenPrompt): number => roughRequestTokens({ system: [system], tools, messages: [] });
