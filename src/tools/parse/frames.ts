import { deserialize, serialize } from 'node:v8';

const HEAD_BYTES = 4;

/** A value as it goes between SanBot and the process that parses: its length in four bytes, and then what V8 writes of it. */
export function frameOf(value: unknown): Buffer {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

type Frames<Value> = {
  readonly maxBytes: number;
  readonly onValue: (value: Value) => void;
  /** One is longer than that, and nothing is read any more. */
  readonly onTooLong: () => void;
};

/** Calls back with each value of a stream as soon as it is whole. Both ends are the same program: their form is not checked. */
export function readFrames<Value>(stream: NodeJS.ReadableStream, { maxBytes, onValue, onTooLong }: Frames<Value>): void {
  let chunks: Buffer[] = [];
  let size = 0;
  /** The length of the value that comes; undefined where its head does. */
  let bodyBytes: number | undefined;
  const take = (bytes: number): Buffer => {
    const all = Buffer.concat(chunks);
    chunks = [all.subarray(bytes)];
    size -= bytes;
    return all.subarray(0, bytes);
  };
  const read = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= (bodyBytes ?? HEAD_BYTES)) {
      if (bodyBytes === undefined) bodyBytes = take(HEAD_BYTES).readUInt32LE();
      else {
        const body = take(bodyBytes);
        bodyBytes = undefined;
        onValue(deserialize(body));
      }
      if (bodyBytes !== undefined && bodyBytes > maxBytes) {
        stream.off('data', read);
        onTooLong();
        return;
      }
    }
  };
  stream.on('data', read);
}
