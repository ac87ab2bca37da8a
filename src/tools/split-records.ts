import type { Readable } from 'node:stream';

/** The longest record that is held whole. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

type Records = {
  /** A line feed or a NUL. */
  readonly separator: '\n' | '\0';
  /** Receives each record; one too long to hold comes as `too_long`, with its beginning. After false nothing more is taken. */
  readonly onRecord: (record: string, completeness: 'whole' | 'too_long') => boolean;
  readonly maxBytes?: number | undefined;
};

/** Takes chunks of bytes, split anywhere, and gives records. */
export function splitRecords({ separator, onRecord, maxBytes = MAX_RECORD_BYTES }: Records) {
  const separatorByte = separator.charCodeAt(0);
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let stopped = false;
  const flush = (): void => {
    stopped = stopped || !onRecord(Buffer.concat(parts).toString('utf8'), heldBytes > maxBytes ? 'too_long' : 'whole');
    parts = [];
    heldBytes = 0;
  };
  const append = (chunk: Buffer): void => {
    // The beginning of a record that is too long is enough.
    if (heldBytes <= maxBytes) parts.push(chunk);
    heldBytes += chunk.length;
  };
  return {
    /** Returns how long the record is that is still open. */
    push: (chunk: Buffer): number => {
      let start = 0;
      for (let at = chunk.indexOf(separatorByte); at >= 0 && !stopped; at = chunk.indexOf(separatorByte, start)) {
        append(chunk.subarray(start, at));
        flush();
        start = at + 1;
      }
      if (!stopped && start < chunk.length) append(chunk.subarray(start));
      return heldBytes;
    },
    finish: (): void => {
      if (heldBytes > 0) flush();
    },
  };
}

type Lines = {
  /** Undefined for one that is too long; never an empty one. */
  readonly onLine: (line: string | undefined) => void;
  /** There are no more, for whatever reason; called more than once. */
  readonly onEnd: () => void;
  readonly maxBytes?: number;
};

/** Takes the lines of a peer that sends one message a line. */
export function readLines(input: Readable, { onLine, onEnd, maxBytes }: Lines): void {
  const onRecord = (line: string, completeness: string): boolean => {
    if (completeness === 'too_long') onLine(undefined);
    else if (line.trim() !== '') onLine(line);
    return true;
  };
  const lines = splitRecords({ separator: '\n', onRecord, maxBytes });
  input.on('error', onEnd).on('close', onEnd);
  input.on('end', () => {
    lines.finish();
    onEnd();
  });
  input.on('data', (chunk: Buffer) => void lines.push(chunk));
}
