import { expect, test } from 'vitest';
import { importTranscript } from '../../../../../src/commands/sessions/recordings/import-transcript.ts';

const base = { v: 1, agent: 'claude-code', cli_version: '0.4.4' };
const line = (entry: object): string => JSON.stringify({ ...base, ts: '2026-02-14T16:55:00Z', ...entry });
const call = (id: string, command: string, result?: object) => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input: { command },
  ...(result && { result }),
});

test("Entire's transcripts of version 1 are read, with the result that stands in each call", () => {
  const text = [
    line({ type: 'user', content: [{ text: 'light the lamps' }] }),
    line({
      type: 'assistant',
      id: 'r1',
      content: [
        { type: 'text', text: 'I look.' },
        call('a', 'ls', { output: 'lamp.ts', status: 'success' }),
        call('b', 'cat quay.ts', { output: 'no such file', status: 'error' }),
        call('c', 'sleep 9'),
      ],
    }),
    line({ type: 'assistant', content: [{ type: 'text', text: 'They are lit.' }] }),
    line({ type: 'user', content: 'thanks' }),
    line({ type: 'checkpoint' }),
  ].join('\n');
  const [transcript] = importTranscript('full.jsonl', text);
  expect(transcript).toMatchObject({
    format: 'entire',
    damaged: [],
    leftOut: [
      { kind: 'checkpoint', count: 1 },
      { kind: 'call without a result', count: 1 },
    ],
    steps: [
      { type: 'user', text: 'light the lamps' },
      {
        type: 'reply',
        results: [
          { toolUseId: 'a', content: 'lamp.ts', ok: true },
          { toolUseId: 'b', content: 'no such file', ok: false },
          { toolUseId: 'c', ok: false },
        ],
      },
      { type: 'reply', content: [{ text: 'They are lit.' }], results: [] },
      { type: 'user', text: 'thanks' },
    ],
  });
});

test('a call of it is handed on without its result, as the API wants it', () => {
  const text = [
    line({ type: 'user', content: 'go' }),
    line({ type: 'assistant', id: 'r', content: [call('a', 'ls', { output: '', status: 'success' })] }),
  ].join('\n');
  const reply = importTranscript('full.jsonl', text)[0]?.steps[1];
  expect(reply).toMatchObject({ type: 'reply', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } }] });
  expect(JSON.stringify(reply?.type === 'reply' ? reply.content : '')).not.toContain('status');
});
