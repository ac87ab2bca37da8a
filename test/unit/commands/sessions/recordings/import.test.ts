import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importTranscript } from '../../../../../src/commands/sessions/recordings/import-transcript.ts';
import { isToolUse } from '../../../../../src/domain/session/message.ts';
import type { Step, Transcript } from '../../../../../src/domain/session/transcript.ts';
import {
  asAnthropic,
  asClaudeCode,
  asCodex,
  asEntire,
  asGeminiCli,
  asOpenai,
  asPi,
  type Recorded,
  small,
} from '../../../../support/recorded.ts';
import { root } from '../../../../support/source.ts';

const one = (text: string): Transcript => {
  const [first, ...more] = importTranscript('recording', text);
  if (first === undefined || more.length > 0) throw new Error('expected one conversation');
  return first;
};

const stepsOf = (recorded: Recorded, { outcomes = true } = {}): readonly Step[] =>
  recorded.map((step) =>
    'user' in step
      ? { type: 'user', text: step.user }
      : {
          type: 'reply',
          content: [{ type: 'text', text: step.says }, ...step.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }))],
          results: step.calls.map(({ id, result, ok }) => ({ toolUseId: id, content: result, ok: outcomes ? ok : true })),
        },
  );

describe('importing a recorded session', () => {
  test.each([
    ['claude-code', asClaudeCode],
    ['pi', asPi],
    ['gemini-cli', asGeminiCli],
    ['anthropic', asAnthropic],
    ['codex', asCodex],
    ['entire', asEntire],
  ] as const)('a %s session is told by its content and gives the same steps, pairs whole', (format, write) => {
    const made = one(write(small));
    const steps = made.steps.map(({ at: _, ...step }) => step);
    expect({ format: made.format, steps, damaged: made.damaged }).toEqual({ format, steps: stepsOf(small), damaged: [] });
  });

  test('steps have the time of their entry where that is one', () => {
    const lines = asClaudeCode(small).trim().split('\n');
    const times = ['2025-03-01T10:00:00.000Z', '2025-03-01T11:30:00+01:00', 'yesterday', 5];
    const dated = lines.map((line, i) => JSON.stringify({ ...JSON.parse(line), ...(i < times.length ? { timestamp: times[i] } : {}) }));
    const made = one(dated.join('\n'));
    expect(made.steps.map(({ at }) => at).filter((at) => at !== undefined)).toEqual([
      '2025-03-01T10:00:00.000Z',
      '2025-03-01T10:30:00.000Z',
    ]);
    const bare = made.steps.map(({ at: _, ...step }) => step);
    expect(bare).toEqual(stepsOf(small));
  });

  test('OpenAI messages give the same steps, all calls as if they had gone well, and their system prompt', () => {
    const made = one(asOpenai(small));
    expect(made).toMatchObject({ format: 'openai', system: 'Be brief.', steps: stepsOf(small, { outcomes: false }) });
  });

  test('a session that was cut off in the middle of a line is read up to there, and the line is told', () => {
    const made = one(asClaudeCode(small).slice(0, -30));
    expect(made.damaged).toEqual(['line 12 is not a JSON object']);
    expect(made.steps).toEqual(stepsOf(small).slice(0, -1));
  });

  test('a byte order mark at the start is no damage', () => {
    expect(one(`\ufeff${asPi(small)}`).steps).toEqual(stepsOf(small));
  });

  test("Claude Code's own summaries, side conversations and unknown lines are counted and not taken for what was said", () => {
    const extra = [
      { type: 'user', uuid: 'x', isCompactSummary: true, message: { role: 'user', content: 'This session is being continued' } },
      {
        type: 'assistant',
        uuid: 'y',
        isSidechain: true,
        message: { id: 'side', role: 'assistant', content: [{ type: 'text', text: 'aside' }] },
      },
      { type: 'progress', uuid: 'z' },
      { type: 'user', uuid: 'w', message: { role: 'user', content: '<local-command-stdout>built</local-command-stdout>' } },
    ];
    const made = one(asClaudeCode(small) + extra.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    expect(made.leftOut).toEqual([
      { kind: 'summary by Claude Code', count: 1 },
      { kind: 'side conversation', count: 1 },
      { kind: 'progress', count: 1 },
    ]);
    expect(made.steps.slice(small.length)).toEqual([{ type: 'notice', text: '<local-command-stdout>built</local-command-stdout>' }]);
  });

  test('a call that never got a result has one that says so, and a result without its call goes; both are counted', () => {
    const text = asPi(small)
      .split('\n')
      .filter((line) => !line.includes('"toolCallId":"c1"'))
      .concat(JSON.stringify({ type: 'message', message: { role: 'toolResult', toolCallId: 'nobody', content: [] } }))
      .join('\n');
    const made = one(text);
    const reply = made.steps[1];
    expect(reply?.type === 'reply' && reply.results[0]).toEqual({
      toolUseId: 'c1',
      content: '(no result of this call was recorded)',
      ok: false,
    });
    expect(made.leftOut).toEqual([
      { kind: 'result without its call', count: 1 },
      { kind: 'call without a result', count: 1 },
    ]);
  });

  test('a pi session that is a tree gives the branch that its last entry ends', () => {
    const entry = (id: string, parentId: string | null, role: string, text: string) =>
      JSON.stringify({ type: 'message', id, parentId, message: { role, content: [{ type: 'text', text }] } });
    const text = [
      JSON.stringify({ type: 'session', id: 's', cwd: '/w' }),
      entry('1', null, 'user', 'begin'),
      entry('2', '1', 'assistant', 'dropped'),
      entry('3', '1', 'assistant', 'kept'),
    ].join('\n');
    const made = one(text);
    expect(made.steps).toEqual([
      { type: 'user', text: 'begin' },
      { type: 'reply', content: [{ type: 'text', text: 'kept' }], results: [] },
    ]);
    expect(made.leftOut).toEqual([{ kind: 'other branch', count: 1 }]);
  });

  test('a trajectory of SWE-agent that writes its commands as text has them as calls with their observations', () => {
    const history = [
      { role: 'system', content: 'You are a programmer.' },
      { role: 'user', content: 'Fix the sum.', agent: 'main' },
      { role: 'assistant', content: 'I run it.\n```\npython a.py\n```', thought: 'I run it.', action: 'python a.py\n', agent: 'main' },
      { role: 'user', content: '41', agent: 'main' },
    ];
    expect(one(JSON.stringify({ trajectory: [], history, info: {} }))).toMatchObject({
      format: 'swe-agent',
      system: 'You are a programmer.',
      steps: [
        { type: 'user', text: 'Fix the sum.' },
        {
          content: [
            { type: 'text', text: 'I run it.' },
            { type: 'tool_use', name: 'bash', input: { command: 'python a.py' } },
          ],
          results: [{ content: '41', ok: true }],
        },
      ],
    });
  });

  test('the output of a command that was run in aider is not the model speaking', () => {
    const [transcript] = importTranscript(
      'chat.md',
      '\n# aider chat started at 2026-01-01 10:00:00\n\n#### /test pytest  \n> ==== test session starts ====  \ncollected 2 items\n\nFAILED test_mast.py\n> Add the output to the chat? y  \n\nThe mast is too short.\n',
    );
    expect(transcript?.steps.map(({ type }) => type)).toEqual(['user', 'notice', 'reply']);
    expect(JSON.stringify(transcript?.steps[1])).toContain('FAILED test_mast.py');
    expect(JSON.stringify(transcript?.steps[2])).toContain('The mast is too short.');
  });

  test("aider's history tells what was typed, what aider printed and what the model said apart, its code blocks whole", () => {
    const text =
      '\n# aider chat started at 2026-01-01 10:00:00\n\n> Model: x  \n\n#### add a test  \n\nI add it.\n\n```\n> quoted in code\n```\n\n> Applied edit to a.py  \n';
    expect(one(text).steps).toEqual([
      { type: 'notice', text: 'Model: x' },
      { type: 'user', text: 'add a test' },
      { type: 'reply', content: [{ type: 'text', text: 'I add it.\n\n```\n> quoted in code\n```' }], results: [] },
      { type: 'notice', text: 'Applied edit to a.py' },
    ]);
  });

  test('chats of several people give one conversation each, with the days between', () => {
    const person = (query: string) => ({ history: { '2026-01-01': [{ query, response: '好' }] } });
    const made = importTranscript('chats', JSON.stringify({ 甲: person('你好'), 乙: person('早') }));
    expect(made.map(({ part, steps }) => ({ part, first: steps.slice(0, 2) }))).toEqual([
      {
        part: '甲',
        first: [
          { type: 'notice', text: '2026-01-01' },
          { type: 'user', text: '你好' },
        ],
      },
      {
        part: '乙',
        first: [
          { type: 'notice', text: '2026-01-01' },
          { type: 'user', text: '早' },
        ],
      },
    ]);
  });

  test("SanBot's own log is a recording like any other", () => {
    const context = { system: 'You are SanBot.', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
    const base = { at: '2026-01-01T00:00:00.000Z' };
    const message = (n: number, made: object) => ({ type: 'message', n, ...base, message: { id: `m${n}`, ...base, ...made } });
    const text = [
      { type: 'header', n: 0, ...base, v: 1, sessionId: 's', group: 'main', cwd: '/w', model: 'm', context },
      message(1, { role: 'user', origin: 'user', content: [{ type: 'text', text: 'list' }] }),
      message(2, { role: 'assistant', origin: 'model', content: [{ type: 'tool_use', id: 't', name: 'list_files', input: {} }] }),
      message(3, { role: 'user', origin: 'tools', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a.ts' }] }),
      { type: 'checkpoint', n: 4, ...base, reason: 'compaction', context },
    ];
    expect(one(text.map((line) => JSON.stringify(line)).join('\n'))).toMatchObject({
      format: 'sanbot',
      cwd: '/w',
      system: 'You are SanBot.',
      leftOut: [{ kind: 'checkpoint (compaction)', count: 1 }],
      steps: [
        { type: 'user', text: 'list' },
        { type: 'reply', results: [{ toolUseId: 't', content: 'a.ts', ok: true }] },
      ],
    });
  });

  test("the user's words with a no stay theirs, and only where the field says so", () => {
    const base = { at: '2026-01-01T00:00:00.000Z' };
    const sentence = 'Not allowed: the user said no, and says: in vendor/';
    const result = { type: 'tool_result', tool_use_id: 't', content: sentence, is_error: true };
    const message = (n: number, made: object) => ({ type: 'message', n, ...base, message: { id: `m${n}`, ...base, ...made } });
    const log = (more: object) =>
      [
        message(1, { role: 'user', origin: 'user', content: [{ type: 'text', text: 'list' }] }),
        message(2, { role: 'assistant', origin: 'model', content: [{ type: 'tool_use', id: 't', name: 'list_files', input: {} }] }),
        message(3, { role: 'user', origin: 'tools', content: [result], ...more }),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n');
    const header = JSON.stringify({
      ...{ type: 'header', n: 0, ...base, v: 1, sessionId: 's', group: 'main', cwd: '/w', model: 'm' },
      context: { system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 },
    });
    const resultsOf = (text: string) => one(text).steps.flatMap((step) => (step.type === 'reply' ? step.results : []));
    const refusals = [{ toolUseId: 't', said: 'in vendor/' }];
    expect(resultsOf(`${header}\n${log({ refusals })}`)).toEqual([{ toolUseId: 't', content: sentence, ok: false, said: 'in vendor/' }]);
    expect(resultsOf(`${header}\n${log({})}`)).toEqual([{ toolUseId: 't', content: sentence, ok: false }]);
  });

  test('what Claude Code tells the model behind a result is no part of it', () => {
    const content = '1 first line\n2 last line\n\n<system-reminder>\nConsider this.\n</system-reminder>\n';
    const line = (entry: object) => JSON.stringify({ uuid: 'u', ...entry });
    const text = [
      line({ type: 'user', message: { role: 'user', content: 'read it' } }),
      line({
        type: 'assistant',
        message: { id: 'r', role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
      }),
      line({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] } }),
    ].join('\n');
    expect(one(text).steps[1]).toMatchObject({ results: [{ content: '1 first line\n2 last line' }] });
  });

  test.each([
    ['its own record of the outcome', 'User rejected tool use', 'in vendor/'],
    ['the error of a tool', "Error: The user doesn't want to proceed", undefined],
  ])('a no in a log of Claude Code is told from %s', (_, toolUseResult, said) => {
    const content =
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nin vendor/";
    const line = (entry: object) => JSON.stringify({ uuid: 'u', ...entry });
    const text = [
      line({ type: 'user', message: { role: 'user', content: 'list' } }),
      line({
        type: 'assistant',
        message: { id: 'r', role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
      }),
      line({
        type: 'user',
        toolUseResult,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content, is_error: true }] },
      }),
    ].join('\n');
    const results = one(text).steps.flatMap((step) => (step.type === 'reply' ? step.results : []));
    expect(results[0]?.said).toBe(said);
  });

  test.each([
    ['an empty file', '', 'is empty'],
    ['prose', 'Dear diary, today was fine.', 'is in no known format'],
    ['JSON that is no conversation', '{"a": 1}', 'is in no known format'],
    ['a session without a message', '{"type":"session","id":"s"}\n', 'has no message in it'],
  ])('%s is refused with what is known', (_, text, why) => {
    expect(() => importTranscript('x.json', text)).toThrow(`x.json ${why}`);
  });

  test('whatever lines a file has, it is refused or gives steps with every call answered exactly once', () => {
    const entries = [...asClaudeCode(small), ...asPi(small), ...asCodex(small)].join('').split('\n');
    const line = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...entries) }, fc.json(), fc.string());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (all) => {
        for (const { steps } of transcriptsOrNone(all.join('\n'))) {
          expect(steps[0]?.type).not.toBe('reply');
          const calls = steps.flatMap((step) => (step.type === 'reply' ? step.content.filter(isToolUse).map((call) => call.id) : []));
          const results = steps.flatMap((step) => (step.type === 'reply' ? step.results.map((result) => result.toolUseId) : []));
          expect(results).toEqual(calls);
          expect(new Set(calls).size).toBe(calls.length);
        }
      }),
      { numRuns: 200 },
    );
  });
});

function transcriptsOrNone(text: string): readonly Transcript[] {
  try {
    return importTranscript('any', text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' });
    return [];
  }
}

const shared = process.env.SANBOT_TEST_TRANSCRIPTS ?? join(root, '..', 'shared', 'transcripts');
const recordings = existsSync(shared)
  ? readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:jsonl?|md|traj)$/.test(name) && name !== 'README.md')
  : [];

describe.skipIf(recordings.length === 0)('recordings of real sessions (skipped where they are not beside the project)', () => {
  test.each(recordings)('%s imports with nothing damaged', (name) => {
    const made = importTranscript(name, readFileSync(join(shared, name), 'utf8'));
    expect(made.flatMap((transcript) => transcript.damaged)).toEqual([]);
    expect(made.every((transcript) => transcript.steps.length > 0)).toBe(true);
  });
});
