import { describe, expect, test } from 'vitest';
import {
  checkSummary,
  correctionNote,
  narrativeSections,
  requiredSections,
  type SummaryCheckInput,
  sectionNames,
} from '../../../../src/context/summary/summary-check.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';

const good = sectionNames.map((name) => `## ${name}\n\nSomething.`).join('\n\n');
const about: SummaryCheckInput = { stopReason: 'end_turn', hasToolCall: false, sourceTokens: 10_000, tokens: 200 };
const problems = (text: string, more: Partial<SummaryCheckInput> = {}): string => {
  const verdict = checkSummary(text, { ...about, ...more });
  return verdict.kind === 'good' ? '' : verdict.problems.map(({ en }) => en).join(' ');
};

describe('a summary is good', () => {
  test('with its eight sections, at any level, numbered or bold, in other capitals', () => {
    expect(checkSummary(good, about)).toEqual({ kind: 'good' });
    expect(problems(good.replaceAll('## ', '# '))).toBe('');
    expect(problems(good.replace('## Technical Context', '### 1. **Technical context**'))).toBe('');
    expect(problems(good.replace('Debugging & Issues', 'Debugging and Issues'))).toBe('');
  });

  test('also without the sections that the ledger writes', () => {
    const narrative = requiredSections.map((name) => `## ${name}\n\nSomething.`).join('\n\n');
    expect(narrative).not.toContain('User Preferences');
    expect(checkSummary(narrative, about)).toEqual({ kind: 'good' });
  });

  test('also when its room was used up, with the sections that it has', () =>
    expect(problems(good.slice(0, good.indexOf('## Current Status')), { stopReason: 'max_tokens' })).toBe(''));
  test('also when it is longer than its target, since nothing is ever cut [S8]', () => expect(problems(good, { tokens: 9_999 })).toBe(''));

  test('also when it speaks of errors, refusals, tool calls and tags', () => {
    const text = `${good}\nThe API answered "I cannot help with that". Error: 429 was seen. The tag <invoke> is parsed in a.ts.\n\`\`\`\n<function_calls>\n\`\`\``;
    expect(problems(text)).toBe('');
  });
});

describe('a summary is refused', () => {
  const cases: readonly (readonly [why: string, text: string, more: Partial<SummaryCheckInput>, problem: string])[] = [
    ['when it is empty [P22, X7, C86]', '  \n', {}, 'It was empty.'],
    ['when the model refused [P22]', good, { stopReason: 'refusal' }, 'It refused'],
    ['when it says that it cannot, in English [P22]', "I'm sorry, but I can't help with summarizing this.", {}, 'It refused'],
    ['when it says that it cannot, in Chinese [P22]', '抱歉，我无法总结这段对话。', {}, 'It refused'],
    ['when it calls a tool [P25, C81, C82]', good, { hasToolCall: true }, 'It called a tool.'],
    ['when it ends to have a tool run [P25]', good, { stopReason: 'tool_use' }, 'It called a tool.'],
    ['when a tool call is written out as text [B-26]', '<function_calls>\n<invoke name="bash">', {}, 'It called a tool.'],
    ['when it is a tool call as JSON [C82]', '{"name": "run_command", "arguments": {"command": "ls"}}', {}, 'It called a tool.'],
    ['when it was cut off before its first section [C27]', 'The work', { stopReason: 'max_tokens' }, 'It was cut off'],
    ['when it was interrupted [C27]', good, { stopReason: 'interrupted' }, 'It was cut off'],
    ['when it is as large as its source [B-26]', good, { tokens: 10_000 }, 'It was not shorter'],
    ['when it is an error message [C84]', 'API Error: 529 overloaded_error', {}, 'It was an error message.'],
    ['when it is an error as JSON [C84]', '{"type":"error","error":{"type":"overloaded_error"}}', {}, 'It was an error message.'],
    [
      'when it goes on with the work instead [C83]',
      'Let me now fix the remaining two tests. First I will open a.ts.',
      {},
      'It lacked the headings "## Technical Context"',
    ],
    [
      'when one section is missing [C83]',
      good.replace('## Current Status', '## Status'),
      {},
      'It lacked the headings "## Current Status".',
    ],
    ['when the headings only stand in quoted code', `\`\`\`\n${good}\n\`\`\``, {}, 'It lacked the headings'],
  ];
  for (const [why, text, more, problem] of cases) test(why, () => expect(problems(text, more)).toContain(problem));
});

test('the corrective note names each fault and every heading [B-26]', () => {
  const note = correctionNote([sameInBoth('It was empty.'), sameInBoth('It called a tool.')]);
  expect(note).toContain('- It was empty.\n- It called a tool.');
  for (const name of narrativeSections) expect(note).toContain(`## ${name}`);
});
