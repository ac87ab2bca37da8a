import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { z } from 'zod';
import { frameOf, readFrames } from './frames.ts';
import type { MeasuredReply, Order, ParserName, Parsers, Reply } from './parsers.ts';

/** What runs it: Node, and the files of the process and of the thread in it. */
export type ParserProgram = { readonly node: string; readonly file: string; readonly threadFile: string };

/** How one text ended; `ended`: its process did, by a signal or by itself. */
export type Ending = {
  readonly reply: Reply | { readonly kind: 'ended'; readonly signal: string | null };
  /** What the process takes then. */
  readonly memoryBytes: number;
};

export type ParserProcess = {
  /** False once it has ended. */
  readonly isAlive: () => boolean;
  readonly send: (order: Order) => void;
  /** Sends one, and resolves with what comes of it. Meanwhile this program goes on; else nothing of the process keeps it. */
  readonly ask: (order: Order) => Promise<Ending>;
  /** Kills it; what it was asked ends so. */
  readonly end: (reply: Ending['reply']) => void;
};

/** The longest answer has some million characters, of two bytes each. */
const MAX_REPLY_BYTES = 64_000_000;

/**
 * Starts a process that parses. It has no variable of the environment, and it ends when its input does: it does not outlive this one, however
 * that ends.
 */
export function startParser({ node, file }: ParserProgram): ParserProcess {
  // By this name a single executable is Node.
  const child = spawn(node, [file], { argv0: 'node', env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  let ended: Ending | undefined;
  let settle: (ending: Ending) => void = () => undefined;
  const end = (reply: Ending['reply']): void => {
    ended ??= { reply, memoryBytes: 0 };
    child.kill('SIGKILL');
    settle(ended);
  };
  const send = (order: Order): void => void child.stdin.write(frameOf(order));
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  child.unref();
  child.stdin.on('error', () => undefined);
  child.once('error', ({ message }) => end({ kind: 'failed', message }));
  child.once('close', (_code, signal) => end({ kind: 'ended', signal }));
  readFrames<MeasuredReply>(child.stdout, {
    maxBytes: MAX_REPLY_BYTES,
    onValue: (reply) => settle(reply),
    onTooLong: () => end({ kind: 'too_much_memory' }),
  });
  return {
    ...{ send, end },
    isAlive: () => ended === undefined,
    ask: async (order) => {
      if (ended !== undefined) return ended;
      child.ref();
      send(order);
      const ending = await new Promise<Ending>((resolve) => {
        settle = resolve;
      });
      child.unref();
      return ending;
    },
  };
}

const bilingual = z.object({ en: z.string(), zh: z.string() });

/** What each parser answers. */
export const outputSchemas: { readonly [Name in ParserName]: z.ZodType<Parsers[Name]['output']> } = {
  page: z.object({ title: z.string(), text: z.string() }),
  pdf: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string(), pages: z.int(), read: z.int() }),
    z.object({ kind: z.literal('failed'), why: bilingual }),
  ]),
};
