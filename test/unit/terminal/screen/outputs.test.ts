import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { AbortedError, errorKinds, SanbotError } from '../../../../src/domain/errors.ts';
import { type CompactedEvent, recordedFields, type SanbotEvent } from '../../../../src/domain/event.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import { supportsColour } from '../../../../src/runtime/io-streams.ts';
import { createJsonOutput, initialJsonState, reduceJson } from '../../../../src/terminal/screen/json-output.ts';
import { guardOutput } from '../../../../src/terminal/screen/output.ts';
import { createTextOutput } from '../../../../src/terminal/screen/text-output.ts';
import { errorText, exitCodeOf } from '../../../../src/terminal/text/error-text.ts';

const usage = { inputTokens: 10, cacheReadTokens: 20, cacheWriteTokens: 30, outputTokens: 40 };
const compacted: CompactedEvent = {
  type: 'compacted',
  trigger: 'auto',
  method: 'model',
  snapshotId: 's',
  tokensBefore: 9,
  tokensAfter: 3,
  messagesBefore: 5,
  messagesKept: 2,
  bodiesRetired: 0,
  memoriesAdded: 0,
  usage: noUsage,
  costUsd: undefined,
  ms: 1,
};
/** A turn in which the model speaks, calls a tool, a summary is made, and the model answers. */
const turn: readonly SanbotEvent[] = [
  { type: 'session_started', resumed: false, model: 'm', windowTokens: 200_000, windowAssumed: false },
  { type: 'turn_started' },
  { type: 'request', purpose: 'turn', tokens: 100, windowTokens: 200_000 },
  { type: 'text', text: 'Let me look.' },
  { type: 'reply', text: 'Let me look.', stopReason: 'tool_use', usage, costUsd: 0.1 },
  { type: 'tool_started', toolUseId: 't', tool: 'read_file', title: 'read_file a' },
  { type: 'tool_ended', toolUseId: 't', tool: 'read_file', ok: true, denied: false, bytes: 5, ms: 1, note: sameInBoth('1 line') },
  {
    type: 'offloaded',
    when: 'arrival',
    results: [{ toolUseId: 't', tool: 'read_file', path: '/b', bytes: 5 }],
    tokensBefore: 9,
    tokensAfter: 1,
  },
  { type: 'compaction_started', trigger: 'auto', reasons: ['tokens'], tokens: 9, messages: 5 },
  { type: 'request', purpose: 'summary', tokens: 100, windowTokens: 200_000 },
  { type: 'reply', text: '## Technical Context', stopReason: 'end_turn', usage, costUsd: 0.1 },
  compacted,
  { type: 'request', purpose: 'turn', tokens: 100, windowTokens: 200_000 },
  { type: 'text', text: 'It says 你好.' },
  { type: 'reply', text: 'It says 你好.', stopReason: 'end_turn', usage, costUsd: 0.1 },
  { type: 'turn_ended', stopReason: 'end_turn', steps: 2, usage, costUsd: undefined, ms: 1 },
];
const answer = {
  sessionId: 's1',
  result: 'It says 你好.',
  stopReason: 'end_turn',
  steps: 2,
  usage,
  costUsd: null,
  compactions: 1,
  offloads: 1,
  edits: [],
  denied: [],
};

function jsonLines({ streaming, error }: { readonly streaming: boolean; readonly error?: unknown }): unknown[] {
  let text = '';
  const output = createJsonOutput({
    sessionId: 's1',
    streaming,
    write: (piece) => {
      text += piece;
    },
  });
  for (const event of turn) output.onEvent(event);
  output.finish(error);
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('headless output', () => {
  test('as JSON is one object with the answer, and never the summary in its place [C122]', () => {
    expect(jsonLines({ streaming: false })).toEqual([answer]);
  });

  test('as JSON has what each edit changed', () => {
    const diff = { path: 'a.js', added: 1, removed: 1, text: '-1 a\n+1 b' };
    const call = { toolUseId: 't', tool: 'edit_file', ok: true, denied: false, bytes: 5, ms: 1, note: sameInBoth('') };
    const events: readonly SanbotEvent[] = [
      { type: 'tool_ended', ...call, diff },
      { type: 'tool_ended', ...call },
    ];
    expect(events.reduce(reduceJson, initialJsonState('s1')).edits).toEqual([diff]);
  });

  test('as a stream is every event in a line, compaction started and ended among them [C121], and the object last', () => {
    const lines = jsonLines({ streaming: true });
    expect(lines).toHaveLength(turn.length + 1);
    expect(lines[0]).toEqual({ ...turn[0], sessionId: 's1', schema: 1 });
    expect(lines.slice(1, -1)).toEqual(JSON.parse(JSON.stringify(turn.slice(1).map(recordedFields))));
    expect(lines.at(-1)).toEqual({ type: 'result', schema: 1, ...answer });
    expect(lines.map((line) => (line as { type: string }).type)).toEqual(expect.arrayContaining(['compaction_started', 'compacted']));
  });

  test('as JSON tells a failure in the object', () => {
    const error = new SanbotError('model_key', sameInBoth('no key'));
    expect(jsonLines({ streaming: false, error })).toEqual([
      { ...answer, error: { code: 'model_key', message: 'no key', hint: errorKinds.model_key.hint.en, exitCode: 4 } },
    ]);
  });

  test('as text is the last answer on stdout and all else on stderr', () => {
    const seen = { out: '', err: '' };
    const output = createTextOutput({
      out: (text) => {
        seen.out += text;
      },
      err: (text) => {
        seen.err += text;
      },
    });
    for (const event of turn) output.onEvent(event);
    output.finish();
    expect(seen.out).toBe('It says 你好.\n');
    expect(seen.err.split('\n')).toEqual([
      '✓ Read a  1 line',
      'Offloaded 1 result (5 B) to a file, 9 -> 1 tokens',
      'Compacting…',
      expect.stringMatching(/^Compacted 9 -> 3 tokens/),
      expect.stringMatching(/^1 ms · 2 steps/),
      '',
    ]);
  });
});

describe('the text of an error', () => {
  test('says what and where, and the way out', () => {
    expect(errorText(new SanbotError('not_found', sameInBoth('There is no session "x"')))).toBe(
      `sanbot: There is no session "x"\n  ${errorKinds.not_found.hint.en}\n`,
    );
    expect(errorText(new SanbotError('config_invalid', sameInBoth('a\nb'), sameInBoth('c')))).toBe('sanbot: a\n  b\n  c\n');
    const fault = new TypeError('x is not a function');
    fault.stack = 'TypeError: x is not a function\n    at compact (src/compact.ts:3:5)\n    at src/turn.ts:9:1';
    expect(errorText(fault)).toBe(
      `sanbot: unexpected: TypeError: x is not a function\n    at compact (src/compact.ts:3:5)\n    at src/turn.ts:9:1\n  ${errorKinds.internal.hint.en}\n`,
    );
    expect(errorText('thrown text')).toContain('thrown text');
    expect(errorText(new AbortedError('stop'))).toBe('sanbot: interrupted\n');
  });

  test('shows control characters [S-24]', () => {
    expect(errorText(new SanbotError('store_failed', sameInBoth('bad name \u001b]0;x\u0007\r')))).not.toMatch(/[\u001b\u0007\r]/);
  });

  test('comes with the exit code of its kind', () => {
    for (const [code, kind] of Object.entries(errorKinds))
      expect(exitCodeOf(new SanbotError(code as keyof typeof errorKinds, sameInBoth('m')))).toBe(kind.exitCode);
    expect([exitCodeOf(new AbortedError('stop')), exitCodeOf(new Error('x')), exitCodeOf(undefined)]).toEqual([130, 1, 1]);
  });
});

describe('a stream whose reader went away', () => {
  test('swallows what is written, and says so once [B-25]', async () => {
    const stream = new PassThrough();
    let closed = 0;
    const output = guardOutput(stream, () => {
      closed += 1;
    });
    output.write('before');
    expect(String(stream.read())).toBe('before');
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await new Promise((resolve) => stream.once('close', resolve));
    output.write('after');
    output.write('after');
    expect(closed).toBe(1);
  });
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('colours with %j and a terminal %s: %s', (env, isTTY, expected) => {
  expect(supportsColour({ env, isTTY })).toBe(expected);
});
