import { type RecallVerdict, stringsIn, type Tally } from '../../../src/context/fidelity/fidelity.ts';
import { commandOf, pathsChangedBy } from '../../../src/context/fidelity/mine.ts';
import type { SessionContext } from '../../../src/domain/session/context.ts';
import { isToolResult, isToolUse, resultText } from '../../../src/domain/session/message.ts';
import type { Transcript } from '../../../src/domain/session/transcript.ts';
import { emptyTally } from './fidelity.ts';
import { contextTexts, includesName } from './references.ts';

/** A read or a command in the recording that had been made before with the same arguments. */
export type RepeatedCall = { readonly label: string; readonly result: string };
export type StepCalls = { readonly calls: number; readonly again: readonly RepeatedCall[] };

/** Returns, by step, how many reads and commands its reply makes, and which of them repeat an earlier one. */
export function mineRepeatedCalls({ steps }: Pick<Transcript, 'steps'>): ReadonlyMap<number, StepCalls> {
  const results = new Map<string, string>();
  const byStep = new Map<number, StepCalls>();
  for (const [index, step] of steps.entries()) {
    if (step.type !== 'reply') continue;
    const repeated: RepeatedCall[] = [];
    let calls = 0;
    for (const call of step.content.filter(isToolUse)) {
      if (pathsChangedBy(call.name, call.input).length > 0) continue;
      calls += 1;
      const key = `${call.name} ${JSON.stringify(call.input)}`;
      const earlier = results.get(key);
      const label = commandOf(call.input) ?? stringsIn(call.input).join(' ');
      if (earlier !== undefined) repeated.push({ label: label.slice(0, LABEL_CHARS), result: earlier });
      results.set(key, step.results.find((result) => result.toolUseId === call.id)?.content ?? '');
    }
    if (calls > 0) byStep.set(index, { calls, again: repeated });
  }
  return byStep;
}

/** Only this much is compared: a ledger that shortens the names of calls still names them. */
const LABEL_CHARS = 60;

/** Judges for each repeated call whether the context still has the earlier result, at least the name of the call, or neither. */
export function judgeRepeatedCalls(repeated: readonly RepeatedCall[], context: SessionContext): Tally {
  if (repeated.length === 0) return emptyTally;
  const tally: Record<RecallVerdict, number> = { ...emptyTally };
  const fullResults = new Set(context.messages.flatMap(({ content }) => content.filter(isToolResult).map(resultText)));
  const texts = contextTexts(context);
  for (const { label, result } of repeated)
    tally[fullResults.has(result) ? 'inContext' : includesName(label, texts) ? 'oneLookUp' : 'lost'] += 1;
  return tally;
}
