import { EventEmitter } from 'node:events';
import type { ClientRequest } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellOfWait } from '../../../src/net/send.ts';

type Connection = { connecting: boolean };

function sending(socket: Connection | null) {
  const request = Object.assign(new EventEmitter(), { socket, destroyed: false });
  const onWait = vi.fn();
  tellOfWait(request as unknown as ClientRequest, onWait);
  return { request, onWait };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] }));
afterEach(() => void vi.useRealTimers());

test('once the request has left it is told, and not before where there is a connection', () => {
  const socket: Connection = { connecting: true };
  const { request, onWait } = sending(socket);
  socket.connecting = false;
  vi.runAllTimers();
  expect(onWait).not.toHaveBeenCalled();
  request.emit('finish');
  vi.runAllTimers();
  expect(onWait).toHaveBeenCalledTimes(1);
});

test.each([null, { connecting: true }])('while there is none for long it is told too', (socket) => {
  const { onWait } = sending(socket);
  vi.runAllTimers();
  expect(onWait).toHaveBeenCalledTimes(1);
});

test('a request that was given up tells nothing', () => {
  const { request, onWait } = sending(null);
  request.destroyed = true;
  vi.runAllTimers();
  expect(onWait).not.toHaveBeenCalled();
  const closed = sending(null);
  closed.request.emit('close');
  vi.runAllTimers();
  expect(closed.onWait).not.toHaveBeenCalled();
});
