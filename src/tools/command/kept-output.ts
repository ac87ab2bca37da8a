/** Of each end this much is kept of what a command prints; all of it up to twice that. */
export const KEPT_BYTES_PER_END = 4 * 1024 * 1024;

type Kept = {
  /** In pieces of any size, split anywhere. */
  readonly take: (chunk: Buffer) => void;
  readonly result: () => Output;
};
export type Output = {
  readonly text: string;
  /** All that was printed, kept or not. */
  readonly bytes: number;
  /** Bytes left out between head and tail; their place is marked in the text. */
  readonly leftOut: number;
  /** Whether some of it was not UTF-8 and stands as U+FFFD in the text. */
  readonly replaced: boolean;
};

/** Keeps the head and the tail of an output of any length, in bounded memory. Cut between characters. */
export function createKeptOutput(perEnd = KEPT_BYTES_PER_END): Kept {
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let bytes = 0;
  let headBytes = 0;
  let tailBytes = 0;
  return {
    take: (chunk) => {
      bytes += chunk.length;
      const toHead = chunk.subarray(0, perEnd - headBytes);
      // A copy: a piece of the reader's buffer would keep all of that buffer.
      if (toHead.length > 0) head.push(Buffer.from(toHead));
      headBytes += toHead.length;
      const rest = chunk.subarray(toHead.length);
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailBytes += rest.length;
      if (tailBytes < 2 * perEnd) return;
      const kept = Buffer.concat(tail).subarray(-perEnd);
      tail = [Buffer.from(kept)];
      tailBytes = kept.length;
    },
    result: () => joined(Buffer.concat(head), Buffer.concat(tail).subarray(-perEnd), bytes),
  };
}

function joined(head: Buffer, tail: Buffer, bytes: number): Output {
  if (head.length + tail.length === bytes) return { ...decoded(Buffer.concat([head, tail])), bytes, leftOut: 0 };
  const first = head.subarray(0, charBoundaryBefore(head, head.length));
  const last = tail.subarray(charBoundaryAfter(tail));
  const leftOut = bytes - first.length - last.length;
  const [start, end] = [decoded(first), decoded(last)];
  const text = `${start.text}\n[${leftOut} of ${bytes} bytes left out here]\n${end.text}`;
  return { text, bytes, leftOut, replaced: start.replaced || end.replaced };
}

function decoded(bytes: Buffer): { readonly text: string; readonly replaced: boolean } {
  const text = bytes.toString('utf8');
  return { text, replaced: text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes) };
}

const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the last character that may be incomplete starts, if it is. */
function charBoundaryBefore(bytes: Buffer, end: number): number {
  let start = end - 1;
  while (start > end - 4 && start > 0 && continues(bytes[start])) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > end ? start : end;
}

function charBoundaryAfter(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && continues(bytes[start])) start++;
  return start;
}
