import { AbortedError } from '../domain/errors.ts';
import { safeLine } from './safe-text.ts';

export type ConfirmIo = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal?: AbortSignal;
};

/** Asks on a terminal; no unless yes is said. Leaving with Ctrl-C is a no. */
export async function confirmOnTerminal(question: string, io: ConfirmIo): Promise<boolean> {
  const { askYesNo } = await import('./prompts.ts');
  try {
    return await askYesNo(safeLine(question), { ...io, preset: false });
  } catch (error) {
    if (error instanceof AbortedError) return false;
    throw error;
  }
}
