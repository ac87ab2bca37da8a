import { textOf } from '../../domain/session/message.ts';
import type { AgentDeps } from '../deps.ts';
import type { ToolPlan } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';

/** The kind of these notices; `folder` says which folder one is of. */
const FOLDER_INSTRUCTIONS = 'folder_instructions';
const MAX_WORDS = 40;

/** Returns the paths that a call names: of a file tool its path, of a command its words, of which some are paths. */
export function pathsTouched(plan: ToolPlan): readonly string[] {
  if (plan.kind === 'invalid') return [];
  if (plan.path !== undefined) return plan.place === 'inside' ? [plan.path] : [];
  const words = plan.command?.parsed.commands.flatMap((command) => command.words) ?? [];
  return words.flatMap((word) => (word === undefined || word === '' || word.startsWith('-') ? [] : [word])).slice(0, MAX_WORDS);
}

/**
 * Appends what the instruction files of touched folders say, unless the context says it already; so a compaction that takes it out lets it
 * be read again. Nothing before it changes: the prompt is frozen.
 */
export function appendFolderInstructions(
  paths: readonly string[],
  session: Session,
  { prompts, report }: Pick<AgentDeps, 'prompts' | 'report'>,
): void {
  if (paths.length === 0) return;
  const { messages } = session.context;
  for (const { folder, text, files } of prompts.folder?.([...new Set(paths)]) ?? []) {
    const known = messages.findLast((message) => message.notice === FOLDER_INSTRUCTIONS && message.folder === folder);
    if (known !== undefined && textOf(known.content) === text) continue;
    const notice = { origin: 'notice', notice: FOLDER_INSTRUCTIONS, folder, content: [{ type: 'text', text }] } as const;
    session.append({ type: 'message', message: session.message({ role: 'user', ...notice }) });
    report.emit({ type: 'instructions_read', files });
  }
}
