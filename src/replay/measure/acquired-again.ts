import type { SessionContext } from '../../domain/session/context.ts';
import { isToolResult, isToolUse, resultText } from '../../domain/session/message.ts';
import type { Transcript } from '../import/transcript.ts';
import { stands, textsOf } from './context-texts.ts';
import { commandOf, pathsChangedBy } from './mine-calls.ts';
import { noTally, type Tally, type Verdict } from './tally.ts';
import { stringsIn } from './terms.ts';

/** A read or a command of the recording that had been made before with the same arguments. */
export type Again = { readonly label: string; readonly result: string };
export type Looks = { readonly calls: number; readonly again: readonly Again[] };

/** By step: how many reads and commands its reply makes, and which of them repeat an earlier one. */
export function mineAgain({ steps }: Pick<Transcript, 'steps'>): ReadonlyMap<number, Looks> {
  const before = new Map<string, string>();
  const found = new Map<number, Looks>();
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'reply') continue;
    const again: Again[] = [];
    let calls = 0;
    for (const call of step.content.filter(isToolUse)) {
      if (pathsChangedBy(call.name, call.input).length > 0) continue;
      calls += 1;
      const key = `${call.name} ${JSON.stringify(call.input)}`;
      const earlier = before.get(key);
      const label = commandOf(call.input) ?? stringsIn(call.input).join(' ');
      if (earlier !== undefined) again.push({ label: label.slice(0, LABEL_CHARS), result: earlier });
      before.set(key, step.results.find((result) => result.toolUseId === call.id)?.content ?? '');
    }
    if (calls > 0) found.set(index, { calls, again });
  }
  return found;
}

/** A ledger that shortens what it names still names it. */
const LABEL_CHARS = 60;

/** Of each repeated call: whether the earlier result still stands in the context, or at least what was called, or neither. */
export function judgeAgain(again: readonly Again[], context: SessionContext): Tally {
  if (again.length === 0) return noTally;
  const tally: Record<Verdict, number> = { ...noTally };
  const whole = new Set(context.messages.flatMap(({ content }) => content.filter(isToolResult).map(resultText)));
  const texts = textsOf(context);
  for (const { label, result } of again) tally[whole.has(result) ? 'inContext' : stands(label, texts) ? 'oneLookUp' : 'lost'] += 1;
  return tally;
}
