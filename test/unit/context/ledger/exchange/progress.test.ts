import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../../src/context/ledger/ledger.ts';
import { ruleSummary } from '../../../../../src/context/rules/rule-summary.ts';
import { compressedHistory } from '../../../../../src/context/summary/compressed-history.ts';
import { sectionsIn } from '../../../../../src/context/summary/summary-check.ts';
import { emptyLedger, type Ledger, ledgerSchema } from '../../../../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../../../../src/domain/session/message.ts';
import { quarter } from '../../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../../support/build.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const run = (id: string, command: string, content: string, isError = false): readonly Message[] => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content, isError }),
];
const edit = (id: string, path: string): readonly Message[] => [
  calls({ id, name: 'edit_file', input: { path, old_string: 'a', new_string: 'b' } }),
  answers({ id, content: 'Changed.' }),
];
const request = user('Rename the quay to pier in the charts, then in the docs');
const before = [
  ...run('f', 'cat big.txt', 'line of text\n'.repeat(1_000)),
  user('How many quays are there?'),
  ...edit('x', 'notes.md'),
  { ...says('There are nine quays.'), stopReason: 'end_turn' as const },
];
const half = [
  ...edit('e1', 'charts/north.ts'),
  ...run('r1', 'npm test', '12 tests passed'),
  ...run('r2', 'npm run lint', 'error: no quay', true),
];
const on = (text: string): Message => ({ ...says(text), stopReason: 'tool_use' });
const then = on('The charts are renamed. Now let me rename it in the docs.');
const continued = (messages: readonly Message[], kept: readonly Message[] = [], earlier: Ledger = emptyLedger): Ledger =>
  continueLedger(earlier, messages, { ...nowhere, kept });
const pending = (messages: readonly Message[], ledger: Ledger): string | undefined => {
  const text = ruleSummary(messages, { earlier: undefined, ledger, bodyOf: nowhere.bodyOf, tokens: 4_000, count: quarter });
  const history = compressedHistory({ id: 's', at: '', text, ledger, messages: 9, ledgerTokens: 4_000, count: quarter });
  return sectionsIn(textOf(history.content))['Pending Tasks'];
};

describe('what is left of the newest request is told', () => {
  test('by what was done for it, how its commands ended, and what was to come next', () => {
    const messages = [...before, request, ...half, then];
    const ledger = continued(messages);
    expect(ledger.progress).toEqual({
      ...{ files: ['charts/north.ts'], worked: ['npm test'], failed: ['npm run lint'] },
      next: 'Now let me rename it in the docs.',
    });
    expect(pending(messages, ledger)).toBe(
      [
        '- What is left of the latest request. Done for it before the messages that follow:',
        '  changed: charts/north.ts',
        '  ran and worked: `npm test`',
        '  failed when last run: `npm run lint`',
        '  said to come next: "Now let me rename it in the docs."',
      ].join('\n'),
    );
  });

  test('in Chinese beside Chinese text', () => {
    const messages = [user('把海图里的码头改名，然后改文档里的名字，最后提交'), ...half, on('海图已经改好了，现在让我改文档里的名字。')];
    expect(pending(messages, continued(messages))).toContain(
      '- 最近的请求中剩下的部分。在后面的消息之前已为它做了：\n  改动了: charts/north.ts',
    );
  });

  test('no more once it is finished, here or in the messages that stay, or once something else is asked', () => {
    const finished = { ...says('All renamed.'), stopReason: 'end_turn' as const };
    expect(continued([request, ...half, finished]).progress).toBeUndefined();
    expect(continued([request, ...half], [finished]).progress).toBeUndefined();
    expect(continued([request, ...half], [user('Something else')]).progress).toBeUndefined();
    const ledger = continued([request, ...half]);
    expect(continued([request, then, user('Count the boats'), ...edit('e9', 'boats.ts')], [], ledger).progress?.files).toEqual([
      'boats.ts',
    ]);
  });

  test('over several compactions of one turn: a command counts as it ended last, and what comes next only while nothing else is said', () => {
    const first = continued([...before, request, ...half, then], [request]);
    const second = continued(
      [request, ...edit('e2', 'docs/quay.md'), ...run('r3', 'npm run lint', 'No problems found')],
      [on('Good.')],
      first,
    );
    expect(second.progress).toEqual({ files: ['charts/north.ts', 'docs/quay.md'], worked: ['npm test', 'npm run lint'], failed: [] });
  });

  test('and a ledger of an older version, which has none, is read and tells of the request and of what still fails', () => {
    const messages = [request, ...half, then];
    const { progress: _, symbols: __, ...older } = continued(messages);
    expect(ledgerSchema.parse(JSON.parse(JSON.stringify(older)))).toEqual(older);
    expect(pending(messages, older)).toBe('- Failed when last run: `npm run lint`\n- The latest request.');
  });
});
