import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createStreamRedactor } from '../../domain/value/redact-stream.ts';

/** How much of each end of a command's output is kept; up to twice this, all of it is kept. */
const BYTES_PER_END = 4 * 1024 * 1024;

type OutputBuffer = {
  /** Takes chunks of any size, split anywhere. */
  readonly write: (chunk: Buffer) => void;
  /** The end of what has come, of about so many bytes, from the beginning of a line on. */
  readonly newest: (bytes: number) => string;
  /** Passes on what has come, and then all that comes, until the result is asked for. To be called once. */
  readonly passTo: (take: (text: string) => void) => void;
  readonly result: () => CommandOutput;
};
export type CommandOutput = {
  readonly text: string;
  /** Everything that was printed, kept or not. */
  readonly bytes: number;
  /** Bytes left out between head and tail; a note in the text marks where. */
  readonly omittedBytes: number;
  /** True when some bytes were not UTF-8 and are U+FFFD in the text. */
  readonly replaced: boolean;
};

/** Keeps the head and the tail of an output of any length, in bounded memory. Cuts between characters. */
export function createOutputBuffer(perEnd = BYTES_PER_END): OutputBuffer {
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let bytes = 0;
  let headBytes = 0;
  let tailBytes = 0;
  let pass = (_chunk: Buffer, _isLast = false): void => undefined;
  return {
    write: (chunk) => {
      pass(chunk);
      bytes += chunk.length;
      const toHead = chunk.subarray(0, perEnd - headBytes);
      // A copy, since a slice of the reader's buffer would keep that whole buffer in memory.
      if (toHead.length > 0) head.push(Buffer.from(toHead));
      headBytes += toHead.length;
      const rest = chunk.subarray(toHead.length);
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailBytes += rest.length;
      if (tailBytes < 2 * perEnd) return;
      const lastBytes = Buffer.concat(tail).subarray(-perEnd);
      tail = [Buffer.from(lastBytes)];
      tailBytes = lastBytes.length;
    },
    newest: (wanted) => newestOf([...head, ...tail], wanted),
    passTo: (take) => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      pass = (chunk, isLast = false) => take(decoder.decode(chunk, { stream: !isLast }));
      const [first, last] = [Buffer.concat(head), Buffer.concat(tail).subarray(-perEnd)];
      pass(first);
      if (first.length + last.length < bytes) take(leftOutText(bytes - first.length - last.length, bytes));
      pass(last);
    },
    result: () => {
      pass(Buffer.alloc(0), true);
      return joinEnds(Buffer.concat(head), Buffer.concat(tail).subarray(-perEnd), bytes);
    },
  };
}

function newestOf(chunks: readonly Buffer[], wanted: number): string {
  let [at, bytes] = [chunks.length, 0];
  while (at > 0 && bytes < wanted) bytes += chunks[--at]?.length ?? 0;
  const all = Buffer.concat(chunks.slice(at));
  const last = all.subarray(Math.max(0, all.length - wanted));
  const isWhole = at === 0 && last.length === all.length;
  return last.subarray(isWhole ? 0 : Math.max(charBoundaryAfter(last), last.indexOf('\n') + 1)).toString('utf8');
}

const leftOutText = (omittedBytes: number, bytes: number): string => `\n[${omittedBytes} of ${bytes} bytes left out here]\n`;

/** The same without the keys and passwords in it. They are masked before anything is cut; so `bytes` counts what is left. */
export function redactOutput(buffer: OutputBuffer): OutputBuffer {
  const redactor = createStreamRedactor();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const checker = new TextDecoder('utf-8', { fatal: true });
  let isBroken = false;
  const check = (chunk: Uint8Array, stream: boolean): void => {
    isBroken ||= orUndefined(() => checker.decode(chunk, { stream })) === undefined;
  };
  return {
    write: (chunk) => {
      if (!isBroken) check(chunk, true);
      buffer.write(Buffer.from(redactor.push(decoder.decode(chunk, { stream: true }))));
    },
    newest: buffer.newest,
    passTo: buffer.passTo,
    result: () => {
      if (!isBroken) check(new Uint8Array(), false);
      buffer.write(Buffer.from(redactor.push(decoder.decode()) + redactor.end()));
      const result = buffer.result();
      return { ...result, replaced: result.replaced || isBroken };
    },
  };
}

function joinEnds(head: Buffer, tail: Buffer, bytes: number): CommandOutput {
  if (head.length + tail.length === bytes) return { ...decode(Buffer.concat([head, tail])), bytes, omittedBytes: 0 };
  const first = head.subarray(0, charBoundaryBefore(head, head.length));
  const last = tail.subarray(charBoundaryAfter(tail));
  const omittedBytes = bytes - first.length - last.length;
  const [start, end] = [decode(first), decode(last)];
  const text = `${start.text}${leftOutText(omittedBytes, bytes)}${end.text}`;
  return { text, bytes, omittedBytes, replaced: start.replaced || end.replaced };
}

function decode(bytes: Buffer): { readonly text: string; readonly replaced: boolean } {
  const text = bytes.toString('utf8');
  return { text, replaced: text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes) };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Returns where an incomplete last character starts; `end` when the last character is complete. */
function charBoundaryBefore(bytes: Buffer, end: number): number {
  let start = end - 1;
  while (start > end - 4 && start > 0 && isContinuation(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > end ? start : end;
}

function charBoundaryAfter(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return start;
}
