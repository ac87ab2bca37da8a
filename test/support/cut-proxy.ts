import { connect, createServer } from 'node:net';

export type Cut = { at: number; readonly mode: 'before' | 'after'; readonly act: () => Promise<void> };

/**
 * Stands before a server and counts what its clients say. At one of their words something happens and the connection breaks: before the server
 * hears it, or before its answer comes.
 */
export async function proxyTo(port: number) {
  let cut: Cut | undefined;
  let words = 0;
  const proxy = createServer((client) => {
    const to = connect(port, '127.0.0.1');
    const both = [client, to];
    for (const socket of both) socket.on('error', () => undefined);
    const end = (): void => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) socket.on('close', end);
    client.on('data', async (bytes) => {
      words += 1;
      const mine = cut !== undefined && --cut.at === 0 ? cut : undefined;
      if (mine === undefined) return void to.write(bytes);
      to.removeAllListeners('data');
      if (mine.mode === 'after') {
        const answered = new Promise((resolve) => to.once('data', resolve));
        to.write(bytes);
        await answered;
      }
      await mine.act();
      end();
    });
    to.on('data', (bytes) => client.write(bytes));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: (): void => void proxy.close(),
    words: (): number => words,
    /** Whether the one before came. */
    cutAt: (next: Cut | undefined): boolean => {
      const came = cut !== undefined && cut.at <= 0;
      cut = next;
      return came;
    },
  };
}
