import { expect, test } from 'vitest';
import { readHookRun } from '../../../src/domain/hook.ts';

const ran = (stdout: string, code = 0, stderr = '') => readHookRun({ code, stdout, stderr });

test('a hook that ends with 2 says no, and why it does stands on stderr', () => {
  expect(ran('', 2, ' not now\n')).toEqual({ blocked: 'not now' });
  expect(ran('{"summary":"x"}', 2)).toEqual({ blocked: 'no reason given' });
});

test('any other exit code is a failure with what stood on stderr', () => {
  expect(ran('text', 1, 'boom\n')).toBe('it ended with exit code 1: boom');
  expect(ran('text', 127)).toBe('it ended with exit code 127');
});

test('plain text is for the model, and nothing is nothing', () => {
  expect(ran('  keep the colours, 保留颜色\n')).toEqual({ text: 'keep the colours, 保留颜色' });
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

test.each(['{', '{"decision": 3}', '{"summary": ["x"]}'])('what begins like JSON and is no answer is a failure: %s', (text) => {
  expect(ran(text)).toBe('its output starts like JSON but is not a known answer');
});
