import { confirm, input, password, search, select } from '@inquirer/prompts';
import { AbortedError } from '../../domain/errors.ts';

/**
 * The one place that knows the library of prompts. Loaded only when something is asked.
 * All of them reject with AbortedError when the user leaves the prompt with Ctrl-C, or when the signal aborts.
 */
export type PromptIo = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal?: AbortSignal | undefined;
};

export type Choice<T> = { readonly name: string; readonly value: T; readonly description?: string };

/**
 * One of the choices. The first is chosen at the start, and the list does not wrap around: pressing Enter or Up alone never goes further.
 * `tip` stands below the list.
 */
export const chooseOne = <T>(
  message: string,
  { choices, tip }: { readonly choices: readonly Choice<T>[]; readonly tip: string },
  io: PromptIo,
): Promise<T> => {
  const theme = { style: { keysHelpTip: () => tip } };
  return rethrowAborts(
    select<T>({ message, choices: [...choices], default: choices[0]?.value, loop: false, pageSize: 10, theme }, contextOf(io)),
  );
};

/** The same for a long list: what is typed narrows it, to what `matching` gives. */
export const searchOne = <T>(message: string, matching: (typed: string) => readonly Choice<T>[], io: PromptIo): Promise<T> =>
  rethrowAborts(search<T>({ message, source: (typed) => [...matching(typed ?? '')], pageSize: 10 }, contextOf(io)));

/** A line that is typed. */
export const typeLine = (message: string, io: PromptIo): Promise<string> => rethrowAborts(input({ message }, contextOf(io)));

/** The same for a secret: each character is shown as a star. */
export const typeSecret = (message: string, io: PromptIo): Promise<string> =>
  rethrowAborts(password({ message, mask: '*' }, contextOf(io)));

export const askYesNo = (message: string, { defaultValue, ...io }: PromptIo & { readonly defaultValue: boolean }): Promise<boolean> =>
  rethrowAborts(confirm({ message, default: defaultValue }, contextOf(io)));

type PromptContext = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal?: AbortSignal };

const contextOf = ({ input: from, output, signal }: PromptIo): PromptContext => ({
  input: from,
  output,
  ...(signal === undefined ? {} : { signal }),
});

/** The library's errors for "left" and "aborted" are known by their names. */
async function rethrowAborts<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isAbort = error instanceof Error && ['AbortPromptError', 'ExitPromptError', 'CancelPromptError'].includes(error.name);
    throw isAbort ? new AbortedError('The question was not answered', { cause: error }) : error;
  }
}
