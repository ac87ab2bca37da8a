import { AbortedError } from '../../domain/errors.ts';
import { safeLine } from '../text/safe-text.ts';
import { tips } from './input-text.ts';
import type { Choice } from './prompts.ts';
import { answerKeys } from './questions.ts';

type Terminal = { readonly stdin: NodeJS.ReadableStream; readonly stdout: NodeJS.WritableStream };

const promptOf = ({ stdin, stdout }: Terminal) => ({ input: stdin, output: stdout });

/** Asks on a terminal; no unless yes is said. Leaving with Ctrl-C is a no. */
export async function confirmOnTerminal(question: string, terminal: Terminal): Promise<boolean> {
  const { askYesNo } = await import('./prompts.ts');
  return (await orUndefinedWhenLeft(askYesNo(safeLine(question), promptOf(terminal)))) === true;
}

/** One of a long list, which what is typed narrows; undefined when it was left with Ctrl-C. */
export async function searchOnTerminal<T>(
  question: string,
  matching: (typed: string) => readonly Choice<T>[],
  terminal: Terminal,
): Promise<T | undefined> {
  const { searchOne } = await import('./prompts.ts');
  return orUndefinedWhenLeft(searchOne(safeLine(question), matching, promptOf(terminal)));
}

/** One of the choices, where Enter takes that with the number `start`; undefined when the list was left with Ctrl-C. */
export async function pickOnTerminal<T>(
  question: string,
  choices: readonly Choice<T>[],
  terminal: Terminal,
  start = 0,
): Promise<T | undefined> {
  const { chooseOne } = await import('./prompts.ts');
  return orUndefinedWhenLeft(chooseOne(safeLine(question), { choices, tip: tips.pick(answerKeys(choices)), start }, promptOf(terminal)));
}

async function orUndefinedWhenLeft<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AbortedError) return undefined;
    throw error;
  }
}
