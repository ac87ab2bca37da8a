import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message } from '../../domain/session/message.ts';

export type StepTrace = { readonly tools: readonly string[]; readonly text: string; readonly ms: number };

/** The newest steps of a turn, and for each length of a cycle how many of them in a row did the same as the one so many steps before. */
export type Repeats = { readonly newest: readonly StepTrace[]; readonly sameAsBefore: readonly number[] };

export type Cycle = { readonly steps: number; readonly times: number; readonly tools: readonly string[] };

const MAX_CYCLE_STEPS = 4;
/** A single step may come again more often than a cycle of several: a second look, or a retry, is common. */
const MAX_TIMES = { single: 8, several: 5, waiting: 60 } as const;
/** A cycle that takes this long waits for something, and costs little for its time. */
const WAITING_MS = 5_000;

export const noRepeats: Repeats = { newest: [], sameAsBefore: [] };

/** Returns the step that a conversation ends with: the calls of its newest reply with their results. What was said beside them is ignored. */
export function newestStep(messages: readonly Message[]): StepTrace {
  const from = messages.findLastIndex(({ origin }) => origin === 'model');
  const step = from < 0 ? [] : messages.slice(from);
  const calls = step.flatMap(({ content }) => content.filter(isToolUse).map(calledTool));
  const results = step.flatMap(({ content }) => content.filter(isToolResult));
  return {
    tools: calls.map(({ name }) => name),
    text: JSON.stringify([
      calls.map(({ name, input }) => [name, input]),
      results.map(({ content, is_error: isError }) => [isError === true ? withoutNames(content) : content, isError === true]),
    ]),
    ms: Date.parse(step.at(-1)?.at ?? '') - Date.parse(step[0]?.at ?? ''),
  };
}

/** What fails in the same way fails the same, whichever helper it was given to. */
const withoutNames = (content: unknown): unknown =>
  typeof content === 'string' && content.startsWith('Helper h')
    ? content.replace(/\bh\d+\b|\b[a-z0-9-]{1,80}:\d+(?:\.\d+)?/g, '')
    : content;

/** Adds one step; each costs a comparison with the last four. */
export function addStep({ newest, sameAsBefore }: Repeats, step: StepTrace): Repeats {
  const cycles = Array.from({ length: MAX_CYCLE_STEPS }, (_, index) => index + 1);
  return {
    newest: [...newest.slice(1 - MAX_CYCLE_STEPS), step],
    sameAsBefore: cycles.map((length) => (newest.at(-length)?.text === step.text ? (sameAsBefore[length - 1] ?? 0) + 1 : 0)),
  };
}

/** The cycle of one to four steps that has come so often that it will not end by itself. One result that differs begins the count anew. */
export function cycleIn({ newest, sameAsBefore }: Repeats): Cycle | undefined {
  for (const [index, same] of sameAsBefore.entries()) {
    const steps = index + 1;
    const cycle = newest.slice(-steps);
    const waits = cycle.some(({ ms }) => ms >= WAITING_MS);
    const maxTimes = waits ? MAX_TIMES.waiting : steps === 1 ? MAX_TIMES.single : MAX_TIMES.several;
    if (same + steps >= steps * maxTimes) return { steps, times: maxTimes, tools: [...new Set(cycle.flatMap(({ tools }) => tools))] };
  }
  return undefined;
}
