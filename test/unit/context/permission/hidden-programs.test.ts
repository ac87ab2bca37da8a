import { expect, test } from 'vitest';
import { mayRun, ruleTouches } from '../../../../src/context/permission/rules.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { ordinaryCommands, programRoads } from '../../../support/program-roads.ts';

const callOf = async (text: string) => ({
  ...{ tool: 'run_command', cwd: '/ws', paths: [] },
  command: { text, parsed: await parseShell(text) },
});

const passing = async (texts: readonly string[], rule: { readonly tool: string; readonly prefix?: string; readonly command?: string }) => {
  const passed: string[] = [];
  for (const text of texts) {
    const call = await callOf(text);
    if (!ruleTouches(rule, call) && !mayRun([rule], call)) passed.push(text);
  }
  return passed;
};

test('a rule that forbids a program finds it by every road, or says that it cannot tell [S-12]', async () => {
  expect(await passing(programRoads, { tool: 'run_command', prefix: 'mark' })).toEqual([]);
  expect(await passing(programRoads, { tool: 'run_command', command: 'mark' })).toEqual([]);
  expect(programRoads.length).toBeGreaterThan(550);
});

test('what people run day by day is told, also with the name in a text that nothing runs', async () => {
  expect(await passing(ordinaryCommands, { tool: 'run_command', prefix: 'mark' })).toEqual(ordinaryCommands);
  expect(await passing(ordinaryCommands, { tool: 'run_command', command: 'git clone x' })).toEqual(ordinaryCommands);
});

test('more words than a program are found behind options of it, in texts and in parts of a line', async () => {
  const rule = { tool: 'run_command', prefix: 'git push' };
  const roads = [
    'git -C x push',
    'git --no-pager push',
    'git -c a.b=c push',
    'env -S "git push"',
    'cd x; git push -f',
    'x --do "git push"',
  ];
  expect(await passing(roads, rule)).toEqual([]);
  const others = ['git stash push', 'git log', 'git add push.md', 'git commit -m "push it: git push"', 'npm push', 'git switch push/x'];
  expect(await passing(others, rule)).toEqual(others);
});

test('a rule with a whole command finds it as a part of another, and no other words of its program', async () => {
  const rule = { tool: 'run_command', command: 'git push' };
  expect(await passing(['git push', ' git  push ', 'a && git push', 'sh -c "git push"', 'git "push"'], rule)).toEqual([]);
  expect(await passing(['git pull', 'git push origin x'], rule)).toEqual(['git pull', 'git push origin x']);
});
