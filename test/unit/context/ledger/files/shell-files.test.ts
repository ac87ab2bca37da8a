import { expect, test } from 'vitest';
import { isSameWork } from '../../../../../src/context/ledger/files/shell-files.ts';
import { outcomesOf, settlesFailure } from '../../../../../src/context/ledger/outcomes.ts';
import { toolCalls } from '../../../../../src/context/ledger/tool-calls.ts';
import { answers, calls } from '../../../../support/build.ts';

const ran = (id: string, command: string, isError: boolean) => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content: isError ? 'Error: no quay' : 'ok', isError }),
];

test('the same program at the same work', () => {
  expect(isSameWork('npm test', 'npm test --silent')).toBe(true);
  expect(isSameWork('../tools/run.sh pier', 'tools/run.sh pier')).toBe(true);
  expect(isSameWork('npm test', 'yarn test')).toBe(false);
  expect(isSameWork('git commit -m "a b"', "git commit -m 'c'")).toBe(true);
});

test.each([
  ['npm run build', 'npm run lint'],
  ['cargo test', 'go test ./...'],
  ['tsc -b', 'eslint .'],
  ['npm install crane', 'npm install heron'],
])('a failed command stays until its own success: %s does not settle %s', (success, failed) => {
  expect(settlesFailure(success, failed)).toBe(false);
  const { failed: left } = outcomesOf(toolCalls([...ran('a', failed, true), ...ran('b', success, false)], () => undefined));
  expect(left.map(({ command }) => command)).toEqual([failed]);
});

test('more of the same settles it', () => {
  expect(settlesFailure('npm test', 'npm test -- lamp.test.ts')).toBe(true);
  expect(settlesFailure('npm run lint', 'npm run lint -- src/a.ts')).toBe(true);
  expect(settlesFailure('npm install', 'npm install heron')).toBe(true);
});
