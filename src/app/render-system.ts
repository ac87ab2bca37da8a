import { chooseMemories } from '../context/choose-memories.ts';
import { type ProjectContext, systemPrompt } from '../context/system-prompt.ts';
import { SanbotError } from '../domain/errors.ts';
import { pathsOf } from '../store/paths.ts';
import type { Setting } from './conversation.ts';
import { projectFolder } from './project-context.ts';

/** At most so much of a file that a person writes goes into every request. */
const INSTRUCTIONS_BYTES = 32 * 1024;
const MASTER_BYTES = 256 * 1024;

export type RenderWish = { readonly group: string; readonly project: ProjectContext };

/** The frozen part of the system prompt, from the files as they are now. Rendered once a session. */
export function renderSystem(setting: Setting, { group, project }: RenderWish): string {
  const { home, store, prompt } = setting;
  const paths = pathsOf(home);
  return systemPrompt({
    base: prompt('system'),
    soul: store.readText(paths.soul(group), INSTRUCTIONS_BYTES),
    group,
    standing: store.readText(paths.instructions(group), INSTRUCTIONS_BYTES),
    memory: renderMemory(setting, { group, project }),
    project,
  });
}

/** A session whose own entries are left out; and whether everything is wanted, whatever the budget. */
type Left = { readonly but?: string; readonly all?: boolean };

/** The lines of memory that matter here; empty when there are none, and when they cannot be read, which is told. */
export function renderMemory(setting: Setting, wish: RenderWish, { but, all = false }: Left = {}): string {
  const { home, store, config, show } = setting;
  const { group, project } = wish;
  const { enabled } = config.memory;
  const maxTokens = all ? Number.POSITIVE_INFINITY : config.memory.maxTokens;
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
