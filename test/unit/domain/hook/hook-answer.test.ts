import { describe, expect, test } from 'vitest';
import { type HookEvent, hookEvents } from '../../../../src/domain/hook/hook.ts';
import { mergeAnswers, readHookRun } from '../../../../src/domain/hook/hook-answer.ts';

const ran = (stdout: string, code = 0, stderr = '', event: HookEvent = 'PreCompact') => readHookRun({ code, stdout, stderr }, event);
const at = (event: HookEvent, answer: object) => ran(JSON.stringify(answer), 0, '', event);

test('a hook that ends with 2 says no, and why it does stands on stderr', () => {
  expect(ran('', 2, ' not now\n')).toEqual({ blocked: 'not now' });
  expect(ran('{"summary":"x"}', 2)).toEqual({ blocked: 'no reason given' });
});

test('any other exit code is a failure with what stood on stderr', () => {
  expect(ran('text', 1, 'boom\n')).toMatchObject({ en: 'it ended with exit code 1: boom' });
  expect(ran('text', 127)).toMatchObject({ en: 'it ended with exit code 127' });
});

test('plain text is for the model where it is asked for, elsewhere it says nothing, and nothing is nothing', () => {
  const taking = hookEvents.filter((event) => JSON.stringify(ran('  保留颜色\n', 0, '', event)) === '{"text":"保留颜色"}');
  expect(taking).toEqual(['PreCompact', 'SessionStart', 'UserPromptSubmit']);
  expect(ran('done', 0, '', 'PreToolUse')).toEqual({});
  expect(ran(' \n')).toEqual({});
  expect(ran('{}')).toEqual({});
});

test('an object may block, add text, give a summary and tell the user', () => {
  expect(ran('{"decision":"block","reason":"later"}')).toEqual({ blocked: 'later' });
  expect(ran('{"continue":false,"stopReason":"stop"}')).toEqual({ blocked: 'stop' });
  expect(ran('{"continue":true,"suppressOutput":true,"systemMessage":"archived"}')).toEqual({ message: 'archived' });
  expect(ran('{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a branch"}}')).toEqual({ text: 'a branch' });
  expect(ran('{"instructions":"i","summary":"s"}')).toEqual({ text: 'i', summary: 's' });
});

test.each(['{', '{"decision": 3}', '{"summary": ["x"]}', '{"hookSpecificOutput":{"updatedInput":"rm"}}'])(
  'what begins like JSON and is no answer is a failure: %s',
  (text) => {
    expect(ran(text, 0, '', 'PreToolUse')).toMatchObject({ en: 'its output starts like JSON but is not a known answer' });
  },
);

describe('about a call, a hook', () => {
  const about = (fields: object) => at('PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

  test.each([
    [
      { permissionDecision: 'allow', permissionDecisionReason: 'safe' },
      { decision: 'allow', reason: 'safe' },
    ],
    [{ permissionDecision: 'ask' }, { decision: 'ask' }],
    [{ permissionDecision: 'deny', permissionDecisionReason: 'no rm' }, { blocked: 'no rm' }],
    [{ permissionDecision: 'defer' }, {}],
    [
      { permissionDecision: 'allow', updatedInput: { command: 'ls' } },
      { decision: 'allow', input: { command: 'ls' } },
    ],
    [{ permissionDecision: 'deny', updatedInput: { command: 'ls' } }, { blocked: 'no reason given' }],
    [
      { updatedInput: { command: 'ls' }, additionalContext: 'c' },
      { input: { command: 'ls' }, text: 'c' },
    ],
  ])('says %j', (fields, meant) => {
    expect(about(fields)).toEqual(meant);
  });

  test('may use the older words', () => {
    expect(at('PreToolUse', { decision: 'approve', reason: 'r' })).toEqual({ decision: 'allow', reason: 'r' });
    expect(at('PreToolUse', { decision: 'block', reason: 'r' })).toEqual({ blocked: 'r' });
  });

  test('decides nothing at other events', () => {
    expect(at('PostToolUse', { decision: 'approve', updatedInput: { command: 'ls' } })).toEqual({});
  });
});

test.each([
  ['PreToolUse', { blocked: 'enough', ends: 'enough' }],
  ['PostToolUse', { ends: 'enough' }],
  ['Stop', { ends: 'enough' }],
  ['UserPromptSubmit', { blocked: 'enough' }],
] as const)('continue: false at %s stops what comes next', (event, meant) => {
  expect(at(event, { continue: false, stopReason: 'enough' })).toEqual(meant);
});

test('of several hooks the strictest decision counts, the first reason of a block, and the last input', () => {
  const merged = mergeAnswers(
    [
      { decision: 'allow', reason: 'a', input: { n: 1 } },
      { decision: 'ask', reason: 'b', input: { n: 2 } },
    ],
    'PreToolUse',
  );
  expect(merged).toEqual({ decision: 'ask', reason: 'b', input: { n: 2 } });
  expect(mergeAnswers([{ text: 'x' }, { blocked: 'one' }, { blocked: 'two', text: 'y' }], 'PreToolUse')).toEqual({
    blocked: 'one',
    text: 'x\n\ny',
  });
  expect(mergeAnswers([{ blocked: 'one' }, { blocked: 'two' }], 'PostToolUse')).toEqual({ blocked: 'one\n\ntwo' });
});
