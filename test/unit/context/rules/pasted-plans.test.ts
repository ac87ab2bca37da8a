import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { boundLedger } from '../../../../src/context/ledger/merge-ledger.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import { says, user } from '../../../support/build.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };

const phase = (n: number): string =>
  `## Phase ${n}\n\n${Array.from({ length: 8 }, (_, k) => `- Step ${n}.${k}: read table ${k} of module ${n} and note its columns\n  - owner of column ${k}\n`).join('')}`;

const items = [
  'No new dependencies (especially not lodash)',
  'no new npm packages, in particular no axios',
  '**Dependencies:** none may be added, not even left-pad',
  'Do not add a dependency such as moment; the standard library is enough',
  'Audience: nurses on night shift, no technical knowledge',
  'This will be read by auditors, not developers.',
  'parseRange should take a RangeOptions object instead of separate start and end parameters.',
  'render() gets one options object in place of the three flags.',
  'Put it into a new file, parser2.ts; the old one stays.',
  'Write a new module and keep legacy.py untouched.',
  '不引入新依赖（尤其是 lodash）',
  '读者是没有技术背景的董事会成员。',
  '这份报告是给不懂代码的人看的。',
  '函数改为接收 Options 对象，代替原来的三个参数',
  '新建一个文件，旧的保留不动。',
];

/** The constraints after five rounds of other talk. */
function constraintsAfter(plan: string): readonly string[] {
  const rounds = Array.from({ length: 5 }, (_, n) => [user(`Now do step ${n} of the plan.`), says(`Step ${n} is done.`)]);
  return [[user(plan), says('Understood.')], ...rounds].reduce(
    (ledger, messages) => boundLedger(continueLedger(ledger, messages, nowhere)),
    emptyLedger,
  ).constraints;
}

describe('what a pasted plan lays down', () => {
  test.each(items)('stands as a constraint five rounds on, from a list and from a fence: %s', (item) => {
    const said = [expect.stringContaining(item.replace(/\*\*/g, '').slice(-24))];
    const plain = (constraints: readonly string[]) => constraints.map((text) => text.replace(/\*\*/g, ''));
    expect(plain(constraintsAfter(`Work along this plan:\n\n${phase(1)}${phase(2)}- ${item}\n${phase(3)}`))).toEqual(said);
    expect(plain(constraintsAfter(`The plan:\n\n\`\`\`md\n${phase(1)}- ${item}\n\`\`\`\n`))).toEqual(said);
  });

  test('is not what steps, errors, questions and code say', () => {
    const plan = `${phase(1)}- Who are the readers?\n- A new file was found in the old folder.\n- It takes longer than before.\n- Users reported it\n`;
    expect(constraintsAfter(`The plan:\n\n${plan}`)).toEqual([]);
    expect(constraintsAfter('It fails:\n\n```ts\n- never use this\n```\n```\nno new errors (2 old)\n```')).toEqual([]);
  });
});
