import { describe, expect, test } from 'vitest';
import { extractMemories, isPassing } from '../../../../src/context/memory/extract-memories.ts';
import type { Message } from '../../../../src/domain/session/message.ts';

const passing = [
  'Only this time, always use pnpm.',
  'We never run the tests, just this once.',
  'In this experiment we decided to use pnpm.',
  'For this trial, the port is 8443.',
  '只是这一次用 pnpm',
  '仅此一次，不要跑测试',
  '在这个实验里一律用 tab',
  '本次实验中，端口是 8443',
  'exec ls /nope; the db is on port 5433',
  'run exec ls /nope; the server is at 10.0.0.1',
  'docker run -p 8080:80 nginx',
  'git stash && npm test',
  'PORT=8080 npm start | tee log',
];
const lasting = [
  'We use pnpm, and not only for this experiment.',
  '不只是这次：以后一律用 pnpm',
  '这个实验室用 pnpm',
  'git push --force is never allowed.',
  'docker compose -f dev.yml is how we start the stack.',
  'Use pnpm; never npm.',
  'The experiments are in lab/.',
];

describe('what is over with one attempt, and what is for a shell', () => {
  test.each(passing)('%s', (text) => expect(isPassing(text)).toBe(true));
  test.each(lasting)('and not: %s', (text) => expect(isPassing(text)).toBe(false));

  test.each(passing)('is not remembered: %s', (text) => expect(remembered(said(text))).toEqual([]));
});

test('what answers a permission question is about that call', () => {
  const refused: Message = {
    ...said(''),
    origin: 'tools',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: 'The user said no: always use pnpm', is_error: true }],
    refusals: [{ toolUseId: 't1', said: 'always use pnpm' }],
  };
  expect(remembered(refused)).toEqual([]);
  expect(remembered(said('always use pnpm'))).toEqual(['always use pnpm']);
});

const said = (text: string): Message => ({
  ...{ id: 'm1', at: '2026-02-01T12:00:00.000Z', role: 'user', origin: 'user' },
  content: [{ type: 'text', text }],
});
const remembered = (message: Message): readonly string[] =>
  extractMemories([message], { sessionId: 's1', cwd: '/p' }).map(({ text }) => text);
