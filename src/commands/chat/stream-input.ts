import { SanbotError } from '../../domain/errors.ts';
import { anyStreamInput, type StreamInputLine } from '../../domain/event/stream-input.ts';
import { parseJson } from '../../domain/value/json.ts';

export type StreamInput = Readonly<ReturnType<typeof readStreamInput>>;

/** What a program says, line by line, while turns run. */
export function readStreamInput(stdin: AsyncIterable<unknown>, onInterrupt: () => void) {
  const waiting: Extract<StreamInputLine, { readonly type: 'user' }>[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake = (): void => undefined;
  const read = async (): Promise<void> => {
    let number = 0;
    for await (const line of linesOf(stdin)) {
      number += 1;
      if (end !== undefined) return;
      if (line.trim() === '') continue;
      const message = parseLine(line, number);
      if (message.type === 'interrupt') onInterrupt();
      else waiting.push(message);
      wake();
    }
  };
  const finish = (result: { readonly error?: unknown }): void => {
    end ??= result;
    wake();
  };
  read().then(
    () => finish({}),
    (error: unknown) => finish({ error }),
  );
  return {
    /** The next message, once there is one; undefined at the end of the input. Rejects with usage for a line that is none, after all before it. */
    next: async () => {
      while (waiting.length === 0 && end === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const message = waiting.shift();
      if (message === undefined && end?.error !== undefined) throw end.error;
      return message?.text;
    },
    /** The oldest message that waits, given out once, if it is to steer the turn that runs. */
    nextQueued: () => (waiting[0]?.steer === true ? waiting.shift()?.text : undefined),
    /** Nothing more is given out. */
    stop: () => {
      waiting.length = 0;
      finish({});
    },
  };
}

function parseLine(line: string, number: number): StreamInputLine {
  const parsed = anyStreamInput.safeParse(parseJson(line));
  if (parsed.success) return parsed.data;
  throw new SanbotError(
    'usage',
    { en: `Line ${number} of stdin is not a stream-json message`, zh: `标准输入第 ${number} 行不是 stream-json 消息` },
    {
      en: 'Each line is an object such as {"type":"user","text":"…"} or {"type":"interrupt"}: docs/stream-json.md.',
      zh: '每一行都是一个对象，例如 {"type":"user","text":"…"} 或 {"type":"interrupt"}：见 docs/stream-json.md。',
    },
  );
}

async function* linesOf(stdin: AsyncIterable<unknown>): AsyncGenerator<string> {
  const utf8 = new TextDecoder();
  let partial = '';
  for await (const chunk of stdin) {
    const lines = (partial + (chunk instanceof Uint8Array ? utf8.decode(chunk, { stream: true }) : String(chunk))).split('\n');
    partial = lines.pop() ?? '';
    yield* lines;
  }
  if (partial !== '') yield partial;
}
