import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { input, password, search, select } from '@inquirer/prompts';
import { AbortedError } from '../../domain/errors.ts';
import { answerOf, noMatchText, noText, tips, yesNoTip, yesOrNoText, yesText } from './input-text.ts';
import { nextRead, QUIET_MS } from './keyboard.ts';
import { CTRL_C, splitKeys } from './keys.ts';

/**
 * The one place that knows the library of prompts. Loaded only when something is asked.
 * What was typed before a question was shown does not answer it.
 * All of them reject with AbortedError when the user leaves the prompt with Ctrl-C, or when the signal aborts, and for Esc with one of its own.
 */
export type PromptIo = {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal?: AbortSignal | undefined;
};

/** `words`, in small letters, choose it: those of one character as a key, longer ones with Enter. */
export type Choice<T> = {
  readonly name: string;
  readonly value: T;
  readonly description?: string;
  readonly words?: readonly string[];
};

/**
 * The first, or number `start`, is chosen at the start, and the list does not wrap around: Enter or Up alone never goes further. A choice's
 * key answers at once, as it does in a conversation; a digit that is none does nothing there.
 */
export const chooseOne = <T>(
  message: string,
  { choices, tip, start = 0 }: { readonly choices: readonly Choice<T>[]; readonly tip: string; readonly start?: number },
  io: PromptIo,
): Promise<T> => {
  const theme = { style: { keysHelpTip: () => tip } };
  const isKeyed = choices.some(({ words }) => words !== undefined);
  const asTyped = (key: string): readonly string[] => {
    const at = choices.findIndex(({ words = [] }) => words.includes(key.toLowerCase()));
    // The library takes a key that types nothing for the beginning of every name, so for the first.
    if (at === -1) return isNoAnswer.test(key) || (isKeyed && /^\d$/.test(key)) ? [] : [key];
    return [...choices.map(() => UP), ...choices.slice(0, at).map(() => DOWN), '\r'];
  };
  return ask(
    io,
    (context) => select<T>({ message, choices: [...choices], default: choices[start]?.value, loop: false, pageSize: 10, theme }, context),
    asTyped,
  );
};

const UP = '\u001b[A';
const DOWN = '\u001b[B';
/** Keys that neither move, choose, erase nor type. */
const isNoAnswer = /^(?:\u001b(?!$|[[O][AB]$)|[^\P{Cc}\u0003\u0004\b\r\n\u000e\u0010\u001b\u007f])/u;
const [ESCAPE, CTRL_D] = ['\u001b', '\u0004'];

export const searchOne = <T>(message: string, matching: (typed: string) => readonly Choice<T>[], io: PromptIo): Promise<T> =>
  ask(io, (context) => {
    // The library has one error of its own, that nothing matches.
    const theme = { style: { keysHelpTip: tips.findInCommand, error: noMatchText } };
    return search<T>({ message, source: (typed) => [...matching(typed ?? '')], pageSize: 10, theme }, context);
  });

export const typeLine = (message: string, io: PromptIo): Promise<string> => ask(io, (context) => input({ message }, context));

export const typeSecret = (message: string, io: PromptIo): Promise<string> =>
  ask(io, (context) => password({ message, mask: '*' }, context));

/** No, unless a yes is typed; whatever is neither is asked again. The library's own question knows neither Chinese nor what it does not know. */
export const askYesNo = async (message: string, io: PromptIo): Promise<boolean> => {
  const answer = await ask(io, (context) =>
    input(
      {
        message,
        default: 'n',
        validate: (typed) => answerOf(typed) !== undefined || yesOrNoText(),
        transformer: (typed, { isFinal }) => (isFinal ? (answerOf(typed) === 'yes' ? yesText() : noText()) : typed),
        theme: { style: { defaultAnswer: yesNoTip } },
      },
      context,
    ),
  );
  return answerOf(answer) === 'yes';
};

type PromptContext = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal };

/** What was typed before is no answer: whoever reads next has it. The library's errors are known by their names. */
async function ask<T>(
  { input: from, output, signal }: PromptIo,
  question: (context: PromptContext) => Promise<T>,
  asTyped: AsTyped = (key) => [key],
): Promise<T> {
  const early = await takeTyped(from);
  let isEscape = false;
  const left = new AbortController();
  const onLeave = (key: string): void => {
    isEscape = key === ESCAPE;
    left.abort();
  };
  try {
    const until = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]);
    return await keyByKey(from, { onLeave, asTyped }, (keys) => question({ input: keys, output, signal: until }));
  } catch (error) {
    const isAbort = error instanceof Error && ['AbortPromptError', 'ExitPromptError', 'CancelPromptError'].includes(error.name);
    if (!isAbort) throw error;
    throw isEscape ? new LeftByEscape() : new AbortedError('The question was not answered', { cause: error });
  } finally {
    if (early.length > 0) from.unshift(early);
  }
}

export class LeftByEscape extends AbortedError {}

/** The keys that the library gets for one that was pressed. */
type AsTyped = (key: string) => readonly string[];
type Keys = { readonly onLeave: (key: string) => void; readonly asTyped: AsTyped };
type Input = PromptIo['input'] & { readonly isTTY?: boolean; readonly setRawMode?: (raw: boolean) => unknown };

/**
 * Lets the library see one key at a time: it looks a list up anew only when its event is over, and an Enter in the same piece would choose
 * from the list before. What follows the answer stays in the input, for whoever reads next. It never sees a key that leaves: Ctrl-C moves
 * the mark of a list, and after Ctrl-D, or the end of the input, it would wait for ever.
 */
async function keyByKey<T>(input: Input, { onLeave, asTyped }: Keys, read: (keys: NodeJS.ReadableStream) => Promise<T>): Promise<T> {
  const keys = Object.assign(new PassThrough(), { isTTY: input.isTTY, setRawMode: (raw: boolean) => input.setRawMode?.(raw) });
  const decoder = new StringDecoder('utf8');
  const waiting: string[] = [];
  let next: NodeJS.Immediate | undefined;
  const give = (): void => {
    const key = waiting.shift();
    const isLeft = key === ESCAPE || key === CTRL_C || key === CTRL_D;
    if (isLeft) onLeave(key);
    else if (key !== undefined) keys.write(key);
    next = isLeft || waiting.length === 0 ? undefined : setImmediate(give);
  };
  const onData = (chunk: Buffer | string): void => {
    const typed = splitKeys(typeof chunk === 'string' ? chunk : decoder.write(chunk));
    const [key, ...more] = typed;
    // What a terminal sends in one piece with other text is a text, not an answer.
    const isAlone = key !== undefined && more.every((other) => other === '\r' || other === '\n');
    const given = isAlone ? asTyped(key) : [];
    waiting.push(...(isAlone && given[0] !== key ? given : typed.filter((each) => asTyped(each).length > 0)));
    next ??= setImmediate(give);
  };
  const onEnd = (): void => onLeave('');
  input.on('data', onData).on('end', onEnd).resume();
  try {
    return await read(keys);
  } finally {
    clearImmediate(next);
    input.off('data', onData).off('end', onEnd).pause();
    if (waiting.length > 0) input.unshift(Buffer.from(waiting.join('')));
  }
}

/** Until nothing more comes: a key of somebody who is still typing is no answer. */
async function takeTyped(input: Input): Promise<Buffer> {
  const typed: Buffer[] = [];
  const onData = (chunk: Buffer | string): void => void typed.push(Buffer.from(chunk));
  input.setRawMode?.(true);
  input.on('data', onData);
  for (let length = -1; length < typed.length; ) {
    length = typed.length;
    await (length === 0 ? nextRead() : new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
  }
  input.off('data', onData);
  input.pause();
  input.setRawMode?.(false);
  return Buffer.concat(typed);
}
