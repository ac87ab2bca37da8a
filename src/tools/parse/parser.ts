/**
 * The one way to read what comes from outside with a library: pages of the web and PDFs, in a process of its own.
 *
 * A text and the name of its parser come in; what was parsed goes out, or in words why nothing was. A text can be made so that its parser never
 * ends, takes all the memory there is, or ends the process that it is in. So SanBot starts a process (`parser-process.ts`), which runs a thread
 * (`serve-parser.ts`), which loads a parser (`parser-thread.ts`); between them go frames (`frames.ts`).
 *
 * The process is ended when a text takes too long or too much memory, at once when the person stops the work, and with SanBot, also when that is
 * killed. It stays for the next text while it is sound, for some time. It is never given what says where SanBot is or a credential.
 */

import type { Deadline } from '../../agent/ports/effects.ts';
import { AbortedError } from '../../domain/errors.ts';
import { type Bilingual, quotedText } from '../../domain/language.ts';
import { orAborted } from '../or-aborted.ts';
import { visibleLine } from '../place/visible.ts';
import type { Ending, ParserProcess, ParserProgram } from './parser-process.ts';
import type { Limit, Order, ParserName, Parsers, Task } from './parsers.ts';

export type ParsedText<Output> =
  | { readonly kind: 'parsed'; readonly output: Output }
  /** In words that follow a colon. */
  | { readonly kind: 'failed'; readonly why: Bilingual };

export type Parser = {
  /** Parses one text at a time; the next one waits. Rejects only with AbortedError, at once when the signal aborts. */
  readonly parse: <Name extends ParserName>(
    name: Name,
    input: Parsers[Name]['input'],
    signal: AbortSignal,
  ) => Promise<ParsedText<Parsers[Name]['output']>>;
  /** For a text that is on its way: starts what takes a tenth of a second meanwhile. */
  readonly prepare: (name: ParserName) => void;
};

export type ParserContext = {
  readonly program: ParserProgram;
  readonly deadline: Deadline;
  readonly limits?: Readonly<Record<ParserName, Limit>>;
};

/**
 * Of plain paragraphs, a page of the greatest length that is read takes 2 s and 250 MB, of which 80 are the process (Node 20). A PDF takes a
 * second for 36 pages, and up to 1,000 are read.
 */
const LIMITS: Readonly<Record<ParserName, Limit>> = {
  page: { ms: 10_000, memoryMb: 512 },
  pdf: { ms: 30_000, memoryMb: 512 },
};

/** How long a process stays that has nothing to do. */
const IDLE_MS = 60_000;

/** Starts nothing before a text comes. */
export function createParser({ program, deadline, limits = LIMITS }: ParserContext): Parser {
  let current: ParserProcess | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let uses = 0;
  const start = async (): Promise<ParserProcess> => {
    const { startParser } = await import('./parser-process.ts');
    if (current?.isAlive() !== true) current = startParser(program);
    return current;
  };
  const order = (task: Task): Order => ({ task, threadFile: program.threadFile, limit: limits[task.name] });
  const endWhenIdle = (kept: ParserProcess): void => {
    const use = ++uses;
    whenAborted(deadline(IDLE_MS), () => use === uses && kept.end({ kind: 'ended', signal: null }));
  };
  const ask = async (name: ParserName, input: Parsers[ParserName]['input'], signal: AbortSignal): Promise<Ending> => {
    uses += 1;
    const asked = await start();
    const done = new AbortController();
    whenAborted(deadline(limits[name].ms), () => asked.end({ kind: 'too_slow' }), done.signal);
    whenAborted(signal, () => asked.end({ kind: 'ended', signal: null }), done.signal);
    const ending = await asked.ask(order({ kind: 'parse', name, input }));
    done.abort();
    const isSound = ending.reply.kind === 'parsed' && ending.memoryBytes < (limits[name].memoryMb * 1_000_000) / 2;
    if (isSound) endWhenIdle(asked);
    else asked.end(ending.reply);
    return ending;
  };
  const parseNow: Parser['parse'] = async (name, input, signal) => {
    if (signal.aborted) throw new AbortedError('stopped');
    const { reply } = await ask(name, input, signal);
    if (signal.aborted) throw new AbortedError('stopped');
    if (reply.kind !== 'parsed') return { kind: 'failed', why: whyNot(reply, limits[name]) };
    const { outputSchemas } = await import('./parser-process.ts');
    const output = outputSchemas[name].safeParse(reply.output);
    return output.success ? { kind: 'parsed', output: output.data } : { kind: 'failed', why: NO_ANSWER };
  };
  return {
    prepare: (name) =>
      void start().then((started) => {
        started.send(order({ kind: 'prepare', name }));
        endWhenIdle(started);
      }),
    parse: (name, input, signal) => {
      const turn = before.then(() => parseNow(name, input, signal));
      before = turn.catch(() => undefined);
      return orAborted(turn, signal);
    },
  };
}

const NO_ANSWER: Bilingual = { en: 'its parser gave no answer', zh: '解析程序没有应答' };

function whyNot(reply: Exclude<Ending['reply'], { kind: 'parsed' }>, { ms, memoryMb }: Limit): Bilingual {
  switch (reply.kind) {
    case 'too_slow':
      return { en: `it took longer than ${ms / 1_000} s to parse`, zh: `解析用时超过 ${ms / 1_000} 秒` };
    case 'too_much_memory':
      return { en: `it takes more than ${memoryMb} MB of memory to parse`, zh: `解析需要超过 ${memoryMb} MB 内存` };
    case 'failed':
      return quotedText(visibleLine(reply.message, 200));
    case 'ended':
      // V8 ends a process by SIGABRT that has no memory left, and the system by SIGKILL.
      return ['SIGABRT', 'SIGKILL'].includes(reply.signal ?? '') ? whyNot({ kind: 'too_much_memory' }, { ms, memoryMb }) : NO_ANSWER;
  }
}

function whenAborted(signal: AbortSignal, act: () => void, until?: AbortSignal): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true, ...(until && { signal: until }) });
}
