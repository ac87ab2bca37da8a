import type { ClientRequest } from 'node:http';

/** A name is looked up, and a server near by is reached, in less. */
const SLOW_CONNECTION_MS = 10;

/** Calls `onWait` once the request has left; and before that where its connection takes long to make, since the processor is idle then too. */
export function tellOfWait(sent: ClientRequest, onWait: (() => void) | undefined): void {
  if (onWait === undefined) return;
  // On a busy machine there may be a connection that nobody has seen yet: it is seen before what is immediate.
  const tellIfConnecting = (): void => {
    if (!sent.destroyed && sent.socket?.connecting !== false) onWait();
  };
  const timer = setTimeout(() => setImmediate(tellIfConnecting), SLOW_CONNECTION_MS);
  const stop = (): void => clearTimeout(timer);
  sent.once('finish', onWait).once('finish', stop).once('close', stop);
}
