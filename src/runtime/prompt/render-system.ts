import { chooseMemories } from '../../context/memory/choose-memories.ts';
import { type ProjectContext, systemPrompt } from '../../context/prompt/system-prompt.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { Setting } from '../setting.ts';
import { type FrozenBase, frozenBase } from './frozen-base.ts';
import { projectContext, projectFolder } from './project-context.ts';
import { instructionsWithin, type TextRoom, textRoom, textWithin } from './text-room.ts';

/** At most so much of a file that a person writes goes into every request. */
const INSTRUCTIONS_BYTES = 32 * 1024;
const MASTER_BYTES = 256 * 1024;

/** `model` is the one whose window all of it must leave room in. */
export type RenderWish = { readonly group: string; readonly project: ProjectContext; readonly model: string };

/** What a session freezes at its start, from the files as they are now: its system prompt, and its tools as the model is told of them. */
export function freezeBase(setting: Setting, { tools, ...wish }: RenderWish & { readonly tools: readonly ToolSpec[] }): FrozenBase {
  const windowTokens = setting.model.facts(wish.model).windowTokens;
  const base = frozenBase({ render: setting.prompt, tools }, { config: setting.config, windowTokens });
  return { system: renderSystem(setting, base.system, wish), tools: base.tools };
}

/** Where a session works, of the instruction files as much as the model's window has room for. */
export function projectFor(setting: Setting, model: string): ProjectContext {
  const project = projectContext(setting.world);
  return { ...project, instructions: instructionsWithin(project.instructions, roomFor(setting, model).instructions) };
}

const roomFor = ({ config, model }: Setting, name: string): TextRoom => textRoom(config, model.facts(name).windowTokens);

function renderSystem(setting: Setting, base: string, wish: RenderWish): string {
  const { home, store } = setting;
  const { group, project, model } = wish;
  const paths = pathsOf(home);
  const room = roomFor(setting, model);
  return systemPrompt({
    base,
    soul: textWithin(store.readText(paths.soul(group), INSTRUCTIONS_BYTES), room.soul),
    group,
    groupInstructions: textWithin(store.readText(paths.instructions(group), INSTRUCTIONS_BYTES), room.standing),
    memory: renderMemory(setting, wish),
    project,
  });
}

/** A session whose own entries are left out; and whether everything is wanted, whatever the budget. */
type Left = { readonly but?: string; readonly all?: boolean };

/** The lines of memory that matter here; empty when there are none, and when they cannot be read, which is told. */
export function renderMemory(setting: Setting, wish: RenderWish, { but, all = false }: Left = {}): string {
  const { home, store, config, show } = setting;
  const { group, project, model } = wish;
  const { enabled } = config.memory;
  const maxTokens = all ? Number.POSITIVE_INFINITY : roomFor(setting, model).memory;
  if (!enabled || maxTokens === 0) return '';
  try {
    const master = store.readText(pathsOf(home).master(group), MASTER_BYTES) ?? '';
    const entries = store
      .memories(group)
      .list()
      .filter(({ sessionId }) => but === undefined || sessionId !== but);
    return chooseMemories({ entries, master, project: projectFolder(project), today: project.date, maxTokens }).text;
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    show({ type: 'warning', message: `Memories are left out: ${error.message}` });
    return '';
  }
}
