import { describe, expect, test } from 'vitest';
import { decisionFromAnswer } from '../../../../src/context/rules/decision-from-answer.ts';

const lists = {
  queues:
    'Two ways:\n\n1. **One queue for all** with a fair order\n2. **A queue per harbour**, merged at night\n3. **Both**\n\nWhich approach would you prefer?',
  owner:
    '**Option 1: the `berth/` folder**\n- It owns the ids\n\n**Option 2: the `paths/` folder**\n- Wrong layer\n\n**Recommendation:** Move it to `berth/`. It owns the ids already.',
  halts:
    'The tide can turn in between. Either:\n1. **Stop at once** with an error\n2. **Move the anchor first** (to the new buoy)\n3. **Warn only**\n\nWant me to look at a fix?',
  crane: '有两个方案：\n1. 每个码头一台吊车\n2. 全港共用一台吊车\n\n你想用哪个？',
};

describe('what the user settles by an answer', () => {
  test.each([
    [lists.queues, 'I think 2 is the right approach. Each harbour has its own rules anyway', ['Which approach', 'A queue per harbour']],
    [lists.owner, 'yes do option 1', ['the `berth/` folder', 'yes do option 1']],
    [lists.owner, 'use the second', ['the `paths/` folder']],
    [
      lists.halts,
      "since we can't stop at sea, I would like to look at 2. Move the anchor first (to the new buoy)",
      ["since we can't stop at sea", 'Move the anchor first'],
    ],
    [lists.crane, '第二个吧', ['全港共用一台吊车']],
    [lists.crane, '那就选2', ['全港共用一台吊车']],
    [
      'The old lists stay behind. **Do you want the clean-up included?** It is three lines more and keeps the quay tidy.',
      "yes, let's add this",
      ['clean-up included', 'keeps the quay tidy', "yes, let's add this"],
    ],
    [
      "One caller, no reuse. I'd just inline it into `moor()`, and the old branch can be closed. Want me to go ahead?",
      "yeah let's do it",
      ["I'd just inline it into `moor()`", "yeah let's do it"],
    ],
    [
      '## Best solution: move the checks to `hull/`\n\nSince `hull/` needs them:\n\n1. Move `checkKeel` to `hull/checks.ts`\n2. Keep `keelId` in `berth/`\n\n**Want me to implement this approach?** It breaks the circle.',
      'yes',
      ['move the checks to `hull/`', 'checkKeel', 'Answer: yes'],
    ],
    [
      'Should I add a second token like `ropeInner`, so that the core has its own colour?',
      'yes, core as 404040',
      ['`ropeInner`', 'yes, core as 404040'],
    ],
    [
      'Shall I raise the version? This looks like a minor release (new tides). Or do you want a patch release (0.7.2 to 0.7.3)?',
      'minor, this is a big change',
      ['minor release', 'minor, this is a big change'],
    ],
    [
      'The line before the anchor goes to the wrong log. Want to keep it as it is and move on, or do you want to look into one log for all?',
      "I think let's have one per harbour, the ids in each line are enough to filter by",
      ['one log for all', 'one per harbour'],
    ],
    [
      'Do you want me to keep the first hull text apart for comparing? That needs another store.',
      'no, this is fine',
      ['keep the first hull text apart', 'no, this is fine'],
    ],
    ['I would recommend one table for all berths. What do you think?', 'sounds good', ['one table for all berths', 'sounds good']],
    [
      'Do you want me to keep the old tide table beside it? It needs more room.',
      'no, this is fine. Can you look through the docs next?',
      ['keep the old tide table', 'no, this is fine'],
    ],
    ['我建议把潮汐表放到 tide.ts 里，别的都不动。这样可以吗？', '好的', ['tide.ts', '好的']],
    ['要不要把旧的航线表删掉，只保留新的？', '不用，先留着', ['旧的航线表', '不用，先留着']],
    ['用 Redis 还是直接放内存？', '那就放内存吧', ['用 Redis 还是直接放内存', '那就放内存吧']],
  ])('%# %s', (reply, answer, parts) => {
    const decision = decisionFromAnswer(reply, answer) ?? '';
    for (const part of parts) expect(decision).toContain(part);
    expect(decision.length).toBeLessThanOrEqual(720);
  });
});

describe('what settles nothing', () => {
  test.each([
    ['Want me to go ahead?', "yeah let's do it"],
    ['Should I commit this?', 'yes'],
    ['Ready. Should I proceed with committing and tagging?', 'yeah, do it all'],
    ['Want me to fix the test?', 'fix it up'],
    ['Shall I run the tests now?', 'ok'],
    ['Shall I look at the log of the crane next?', 'yes please'],
    [lists.queues, 'what is the difference between 1 and 2?'],
    [lists.queues, 'not sure yet'],
    [
      'Want me to answer the harbour master, or leave it as it is?',
      'ehh, could we not use the tide table for this? I thought we had dropped it',
    ],
    [lists.queues, 'you decide'],
    [lists.queues, 'show me the file first'],
    ['The three lamps are lit. All tests pass.', 'great, thanks'],
    ['I will keep that in mind. What would you like to do next?', 'add the lamp'],
    ['你今天过得怎么样？', '还不错，去公园走了走。'],
    ['要不要我先跑一下测试？', '好'],
    ['你喜欢听什么音乐？', '好听的都行'],
    ['', 'yes'],
  ])('%# %s / %s', (reply, answer) => {
    expect(decisionFromAnswer(reply, answer)).toBeUndefined();
  });
});

test('a huge reply and a huge answer are read in bounded time and room', () => {
  const reply = `${'1. a plank\n2. a rope\n'.repeat(40_000)}Which one do you prefer?`;
  expect((decisionFromAnswer(reply, 'option 2') ?? '').length).toBeLessThan(800);
  expect(decisionFromAnswer(reply, 'yes '.repeat(100_000))).toBeUndefined();
});
