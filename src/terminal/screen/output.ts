import type { Writable } from 'node:stream';

export type OutputWriter = {
  /** Never throws. */
  readonly write: (text: string) => void;
};

/** Its reader may go away: what is written then is dropped, and `onClosed` called once, with the failure when it is another one. */
export function guardOutput(stream: Writable, onClosed: (failure?: Error) => void): OutputWriter {
  let closed = false;
  const close = (error?: Error): void => {
    if (closed) return;
    closed = true;
    onClosed(error === undefined || isReaderGone(stream, error) ? undefined : error);
  };
  stream.on('error', close);
  return {
    write: (text) => {
      if (closed || text === '') return;
      if (stream.destroyed || stream.writableEnded) close();
      else stream.write(text);
    },
  };
}

/** A terminal that was closed says EIO; on a disk the same code is a real failure. */
function isReaderGone(stream: Writable, error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EIO') return 'isTTY' in stream && stream.isTTY === true;
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_WRITE_AFTER_END';
}
