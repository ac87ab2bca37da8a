import {
  keepQuestion,
  type LeftOutAnswer,
  leftOutNote,
  leftOutText,
  leftOutWarning,
  problemsText,
} from '../../context/history/left-out-text.ts';
import { errorReason } from '../../domain/errors.ts';
import { because, joinTexts } from '../../domain/language.ts';
import { type AgentDeps, warn } from '../deps.ts';
import { hookTexts, notify } from '../hooks/hooks.ts';
import type { LeftOutFiles } from '../ports/disk.ts';
import type { ChangedFiles } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';

type Asking = {
  readonly tool: string;
  readonly title: string;
  readonly session: Pick<Session, 'consent'>;
  readonly signal: AbortSignal;
};

type AskDeps = Pick<AgentDeps, 'person' | 'report'>;

/**
 * What a command in the sandbox left that runs later has been taken out: asks whether it is to stay, and brings it back with a yes. In the
 * mode that asks nothing it stays out. Resolves to what the model and the person are told. Rejects with AbortedError when the signal aborts,
 * with all of it left out and told.
 */
export async function askToKeep(left: LeftOutFiles, asking: Asking, deps: AskDeps): Promise<ChangedFiles> {
  const { answer, said } = await answerTo(left, asking, deps);
  if (answer !== 'kept' && answer !== 'no') warn(deps.report.emit, leftOutWarning(left));
  else if (left.problems.length > 0) warn(deps.report.emit, problemsText(left.problems));
  return { text: leftOutText(left, answer, said), note: leftOutNote(left, answer) };
}

async function answerTo(
  left: LeftOutFiles,
  { tool, title, session, signal }: Asking,
  { person, report }: AskDeps,
): Promise<{ readonly answer: LeftOutAnswer; readonly said?: string }> {
  if (left.files.length === 0 || person.mode === 'bypass') return { answer: 'unasked' };
  try {
    const preview = await left.preview();
    const answer = await session.consent.inTurn(async () => {
      notify({ type: 'permission_prompt', title: 'Permission needed', message: hookTexts.asking(tool) }, person, signal);
      return person.askPermission({ tool, access: 'write', title, preview, outside: false, keeps: keepQuestion(left), offers: [] }, signal);
    }, signal);
    if (answer === 'nobody') return { answer };
    if (answer === 'no') return { answer };
    if (typeof answer === 'object' && answer.kind === 'refusal') return { answer: 'no', said: answer.why };
    const failed = await left.keep();
    for (const { name, why } of failed) warn(report.emit, because({ en: `${name} was not kept`, zh: `未保留 ${name}` }, why));
    return { answer: failed.length === 0 ? 'kept' : 'unasked' };
  } catch (error) {
    warn(report.emit, joinTexts([leftOutWarning(left), errorReason(error)], { en: '\n', zh: '\n' }));
    throw error;
  }
}
