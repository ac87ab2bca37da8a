import type { Writable } from 'node:stream';

export type Output = {
  /** Never throws. */
  readonly write: (text: string) => void;
};

/**
 * Writes to a stream whose reader may go away (`sanbot history | head`): from then on all that is written is dropped, and `onClosed` is called
 * once. Any other failure of the stream is treated the same, since there is nowhere left to tell it.
 */
export function guardOutput(stream: Writable, onClosed: () => void): Output {
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    onClosed();
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
