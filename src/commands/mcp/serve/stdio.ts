import type { Readable, Writable } from 'node:stream';
import { type Fields, isObject, isString, parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readLines } from '../../../tools/split-records.ts';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from './protocol.ts';

const PARSE_ERROR = { code: -32_700, message: 'Parse error' };
const INVALID_REQUEST = { code: -32_600, message: 'Invalid request' };
const TOO_LONG = { code: -32_600, message: 'The message is too long' };

/**
 * One client at the other end of two pipes. A line that is no message is answered as such. When the input ends, what was asked is answered
 * first; `closed` resolves then, or when there is nobody to answer.
 */
export function openStdio(input: Readable, output: Writable): { readonly transport: Transport; readonly closed: Promise<void> } {
  const pending = new Set<unknown>();
  let isOver = false;
  let hasEnded = false;
  const write = (message: Fields | JSONRPCMessage): Promise<void> =>
    new Promise((resolve) => void output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  const leave = (): void => {
    if (hasEnded && pending.size === 0) void transport.close();
  };
  const settle = (id: unknown): void => {
    pending.delete(id);
    leave();
  };
  const take = (message: JSONRPCMessage): void => {
    if ('method' in message && 'id' in message) pending.add(message.id);
    transport.onmessage?.(message);
    // What is called off is not answered.
    if ('method' in message && message.method === 'notifications/cancelled') settle(message.params?.requestId);
  };
  const end = (): void => {
    hasEnded = true;
    leave();
  };
  const { promise: closed, resolve } = withResolver();
  const transport: Transport = {
    start: async () => {
      output.on('error', () => void transport.close());
      listen(input, { take, end, refuse: (refusal) => void write(refusal) });
    },
    send: async (message) => {
      await write(message);
      if (!('method' in message)) settle(message.id);
    },
    close: async () => {
      if (isOver) return;
      isOver = true;
      input.pause();
      transport.onclose?.();
      resolve();
    },
  };
  return { transport, closed };
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let settle: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: () => settle() };
}

type Listener = {
  readonly take: (message: JSONRPCMessage) => void;
  readonly refuse: (refusal: Fields) => void;
  readonly end: () => void;
};

function listen(input: Readable, { take, refuse, end }: Listener): void {
  const answer = (error: typeof PARSE_ERROR, id: unknown = null): void =>
    refuse({ jsonrpc: '2.0', id: isString(id) || Number.isSafeInteger(id) ? id : null, error });
  const onLine = (line: string | undefined): void => {
    const value = parseJson(line ?? '');
    const message = orUndefined(() => parseJSONRPCMessage(value));
    if (message !== undefined) take(message);
    else if (line === undefined) answer(TOO_LONG);
    else if (value === undefined) answer(PARSE_ERROR);
    else answer(INVALID_REQUEST, isObject(value) ? value.id : null);
  };
  readLines(input, { onLine, onEnd: end });
}
