import { AbortedError } from '../../domain/errors.ts';
import { safeLine } from '../text/safe-text.ts';
import { tips } from './input-text.ts';
import type { Choice } from './prompts.ts';

export type ConfirmIo = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal?: AbortSignal;
};

/** Asks on a terminal; no unless yes is said. Leaving with Ctrl-C is a no. */
export async function confirmOnTerminal(question: string, io: ConfirmIo): Promise<boolean> {
  const { askYesNo } = await import('./prompts.ts');
  try {
    return await askYesNo(safeLine(question), io);
  } catch (error) {
    if (error instanceof AbortedError) return false;
    throw error;
  }
}

/** One of a long list, which what is typed narrows; undefined when it was left with Ctrl-C. */
export async function searchOnTerminal<T>(
  question: string,
  matching: (typed: string) => readonly Choice<T>[],
  io: ConfirmIo,
): Promise<T | undefined> {
  const { searchOne } = await import('./prompts.ts');
  return orUndefinedWhenLeft(searchOne(safeLine(question), matching, io));
}

/** One of the choices; undefined when the list was left with Ctrl-C. */
export async function pickOnTerminal<T>(question: string, choices: readonly Choice<T>[], io: ConfirmIo): Promise<T | undefined> {
  const { chooseOne } = await import('./prompts.ts');
  return orUndefinedWhenLeft(chooseOne(safeLine(question), { choices, tip: tips.pickInCommand() }, io));
}

async function orUndefinedWhenLeft<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AbortedError) return undefined;
    throw error;
  }
}
