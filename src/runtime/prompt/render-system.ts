/**
 * The system prompt of a session: the fixed part from `prompts/`, the instructions that people write for a project and a group, and the
 * memories that matter here. It is rendered once and then frozen, because the prompt cache and signed thinking begin with it.
 *
 * Files, the model's window and the settings come in; the text and the tools as the model is told of them go out. The same files and the
 * same window give the same bytes. In a small window the prompt and the tools take a short form, and what people wrote gets its share.
 *
 * It follows no link out of a project and starts no program. What was cut is reported, and memories that cannot be read are left out.
 */

import { relative } from 'node:path';
import { warn } from '../../agent/deps.ts';
import type { FolderInstructions } from '../../agent/ports/disk.ts';
import { limitsFor } from '../../context/measure/limits.ts';
import { chooseMemories } from '../../context/memory/choose-memories.ts';
import {
  instructionsBlock,
  type ProjectContext,
  shortTools,
  systemPrompt,
  withoutArguments,
  withoutText,
} from '../../context/prompt/system-prompt.ts';
import type { SummaryPrompts } from '../../context/summary/summary-request.ts';
import { neutralize } from '../../context/text/sentences.ts';
import type { Config } from '../../domain/config/config.ts';
import { SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { memoryKinds } from '../../domain/memory/memory.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import { roughRequestTokens, roughTokens } from '../../model/rough-tokens.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { Runtime } from '../runtime.ts';
import { garbled } from './find-skills.ts';
import { instructionFilesBelow, leftOutBy, projectContext, projectFolder } from './project-context.ts';
import { fitInstructions, fitText, type PromptBudget, promptBudget } from './prompt-budget.ts';

/** At most so much of a file that a person writes goes into every request. */
const INSTRUCTIONS_BYTES = 32 * 1024;
const MASTER_BYTES = 256 * 1024;

/** `model` is the one whose window all of it must leave room in. */
export type RenderOptions = { readonly group: string; readonly project: ProjectContext; readonly model: string };

/** What a session freezes at its start, from the files as they are now: its system prompt, and its tools as the model is told of them. */
export function freezePrompt(
  runtime: Runtime,
  { tools, ...options }: RenderOptions & { readonly tools: readonly ToolSpec[] },
): FrozenPrompt {
  const windowTokens = runtime.model.facts(options.model).windowTokens;
  const base = choosePromptForm({ render: runtime.prompt, tools }, { config: runtime.config, windowTokens });
  return { system: renderSystem(runtime, base, options), tools: base.tools };
}

/** Where a session works, of the instruction files as much as the model's window has room for. */
export function projectFor(runtime: Runtime, model: string): ProjectContext {
  const project = projectContext(runtime.environment, {
    withInstructions: runtime.readsInstructions,
    isLeftOut: leftOutBy(runtime.permissions.current(), runtime.environment.cwd()),
  });
  return { ...project, instructions: fitInstructions(project.instructions, budgetFor(runtime, model).instructions) };
}

/** Of one folder below the working folder, so much of what the files above may take. */
const FOLDER_SHARE = 1 / 2;

/** The prompts for a summary, whose reply is asked for memories too where they are kept and a model may help. */
export function summaryPrompts({ prompt, config: { memory, compaction } }: Pick<Runtime, 'prompt' | 'config'>): SummaryPrompts {
  const namesMemories = memory.enabled && memory.useModel !== 'never' && compaction.memoryFlush;
  const [first, update, merge, prefix] = [
    prompt('compact-summary'),
    prompt('compact-update'),
    prompt('compact-merge'),
    prompt('compact-prefix'),
  ];
  return { first, update, merge, prefix, memories: namesMemories ? prompt('compact-memories') : '' };
}

/**
 * The instruction files of folders below the working folder, as notices for whoever begins to work in them: within the same bounds as those
 * in the prompt, and without what looks like a secret.
 */
export function folderInstructions(runtime: Runtime, model: () => string): FolderInstructions {
  return (paths) => {
    if (!runtime.readsInstructions) return [];
    const cwd = runtime.environment.cwd();
    const tokens = budgetFor(runtime, model()).instructions * FOLDER_SHARE;
    const isLeftOut = leftOutBy(runtime.permissions.current(), cwd);
    const found = new Map(paths.flatMap((path) => instructionFilesBelow(cwd, path, isLeftOut)).map((each) => [each.folder, each.files]));
    return [...found].map(([folder, files]) => {
      const kept = fitInstructions(files, tokens);
      return {
        folder,
        text: `You have begun to work in ${neutralize(relative(cwd, folder))}, which has instruction files of its own. ${instructionsBlock(kept)}`,
        files: kept.map(withoutText),
      };
    });
  };
}

const budgetFor = ({ config, model }: Runtime, name: string): PromptBudget => promptBudget(config, model.facts(name).windowTokens);

function renderSystem(runtime: Runtime, base: FrozenPrompt, options: RenderOptions): string {
  const { home, store } = runtime;
  const { group, project, model } = options;
  const paths = pathsOf(home);
  const budget = budgetFor(runtime, model);
  const read = (path: string) => store.readText(path, INSTRUCTIONS_BYTES, () => warn(runtime.show, garbled(path)));
  return systemPrompt({
    base: base.system,
    soul: fitText(read(paths.soul(group)), budget.soul),
    group,
    groupInstructions: fitText(read(paths.instructions(group)), budget.groupInstructions),
    memory: renderMemory(runtime, options),
    project,
    // Without the tool that reads them they would be no use.
    skills: {
      skills: base.tools.some(({ name }) => name === 'skill') ? runtime.skills.skills : [],
      used: store.usedSkills.names(),
      tokens: budget.skills,
      weigh: roughTokens,
    },
    appended: runtime.appendSystem,
  });
}

/** A session whose own entries are left out; and whether everything is wanted, whatever the budget. */
type MemoryFilter = { readonly exceptSession?: string; readonly unlimited?: boolean };

/** The lines of memory that matter here; empty when there are none, and when they cannot be read, which is told. */
export function renderMemory(runtime: Runtime, options: RenderOptions, { exceptSession, unlimited = false }: MemoryFilter = {}): string {
  const { home, store, config, show } = runtime;
  const { group, project, model } = options;
  const { enabled } = config.memory;
  const maxTokens = unlimited ? Number.POSITIVE_INFINITY : budgetFor(runtime, model).memory;
  if (!enabled || maxTokens === 0) return '';
  try {
    const paths = pathsOf(home);
    const read = (path: string) => store.readText(path, MASTER_BYTES, () => warn(show, garbled(path)));
    for (const kind of memoryKinds) read(paths.extracted(group, kind));
    const master = read(paths.master(group)) ?? '';
    const entries = store
      .memories(group)
      .list()
      .filter(({ sessionId }) => exceptSession === undefined || sessionId !== exceptSession);
    return chooseMemories({ entries, master, project: projectFolder(project), today: project.date, maxTokens }).text;
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    warn(show, because({ en: 'Memories are left out', zh: '未包含记忆' }, error.shown.message));
    return '';
  }
}

/** The two system prompts in `prompts/`. */
export type SystemPromptName = 'system' | 'system-small';

type FrozenPrompt = { readonly system: string; readonly tools: readonly ToolSpec[] };

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
