import { SanbotError } from '../../domain/errors.ts';
import { anyStreamInput, type StreamInputLine } from '../../domain/event/stream-input.ts';
import { parseJson } from '../../domain/value/json.ts';
import { splitRecords } from '../../tools/split-records.ts';

export type StreamInput = Readonly<ReturnType<typeof readStreamInput>>;

const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** What a program says, line by line, while turns run. */
export function readStreamInput(stdin: AsyncIterable<unknown>, onInterrupt: () => void) {
  const waiting: Extract<StreamInputLine, { readonly type: 'user' }>[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake = (): void => undefined;
  const read = async (): Promise<void> => {
    let number = 0;
    const onRecord = (line: string, completeness: string): boolean => {
      number += 1;
      if (end !== undefined) return false;
      if (line.trim() === '') return true;
      const message = parseLine(completeness === 'whole' ? line : '', number);
      if (message.type === 'interrupt') onInterrupt();
      else waiting.push(message);
      wake();
      return true;
    };
    const lines = splitRecords({ separator: '\n', onRecord, maxBytes: MAX_LINE_BYTES });
    for await (const chunk of stdin) {
      const heldBytes = lines.push(chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk)));
      // A line may have no end.
      if (heldBytes > MAX_LINE_BYTES) break;
    }
    lines.finish();
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
