import { changedPaths } from '../../context/history/changed-paths.ts';
import { changesNote, changesText } from '../../context/history/changes-text.ts';
import { type Bilingual, joinTexts } from '../../domain/language.ts';
import type { ToolUseBlock } from '../../domain/session/message.ts';
import { type AgentDeps, orWarn } from '../deps.ts';
import type { ActOutcome } from '../ports/disk.ts';
import type { ToolOutcome } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { provesReading, type ReadyPlan } from './permission.ts';

type Act = { readonly call: ToolUseBlock; readonly plan: ReadyPlan; readonly session: Session };

const NOT_KEPT: Bilingual = { en: 'What this command changes cannot be undone', zh: '此命令所做的更改无法撤销' };

/**
 * Runs what may change files so that it can be undone: all that stands in the working folder is kept before, and what became of it is added
 * to the outcome. What is proven to only read runs as it is. Where the state cannot be kept, that is told, and the call runs all the same.
 */
export async function recordChanges(
  { call, plan, session }: Act,
  { disk, report }: Pick<AgentDeps, 'disk' | 'report'>,
  run: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const { changes } = disk;
  if (changes === undefined || plan.access !== 'run' || (await provesReading(plan, { deny: [], ask: [] }))) return run();
  const cwd = plan.cwd ?? session.cwd;
  const kept = await changes();
  const act = orWarn(report.emit, NOT_KEPT, () => kept.begin(cwd, { id: call.id, title: plan.title, record: session.lastRecord }));
  let outcome: ToolOutcome | undefined;
  try {
    outcome = await run();
  } finally {
    const ended = act && orWarn(report.emit, NOT_KEPT, act.end);
    if (outcome !== undefined && ended !== undefined) outcome = withChanges(outcome, ended, cwd);
  }
  return outcome;
}

function withChanges(outcome: ToolOutcome, { set }: ActOutcome, cwd: string): ToolOutcome {
  const note = set && changesNote(set);
  if (set === undefined || note === undefined) return outcome;
  const paths = changedPaths([set], cwd);
  return {
    ...outcome,
    content: `${outcome.content}\n${changesText(set, cwd)}`,
    note: joinTexts([outcome.note, note], { en: '; ', zh: '；' }),
    ...(paths !== undefined && { changedPaths: paths }),
  };
}
