import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openCallbackServer } from '../../../../src/tools/mcp/connection/callback-server.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

const firstLine = (port: number, target: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`));
    socket.on('data', (piece) => {
      heard += piece.toString();
    });
    socket.on('close', () => resolve(heard.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });

test('a request for what is no address is answered, and the browser that comes back later is heard', async () => {
  const { address, answer, close } = await openCallbackServer('the-state');
  afterThisTest(close);
  const port = Number(new URL(address).port);
  for (const target of ['//', '///', '//:', 'http://', 'http://[']) expect(await firstLine(port, target)).toBe('HTTP/1.1 404 Not Found');
  expect(await firstLine(port, '/callback?state=another&code=x')).toBe('HTTP/1.1 400 Bad Request');
  expect(await firstLine(port, '/callback?state=the-state&code=real')).toBe('HTTP/1.1 200 OK');
  expect(await answer(new AbortController().signal)).toMatchObject({ code: 'real' });
});
