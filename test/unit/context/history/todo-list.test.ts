import { describe, expect, test } from 'vitest';
import { openTasks, todoListIn, todoText } from '../../../../src/context/history/todo-list.ts';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { compressedHistory } from '../../../../src/context/summary/compressed-history.ts';
import { emptyLedger, type TodoItem } from '../../../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const creates = (number: number, subject: string): readonly Message[] => [
  calls({ id: `c${number}`, name: 'TaskCreate', input: { subject, description: 'more' } }),
  answers({ id: `c${number}`, content: `Task #${number} created successfully: ${subject}` }),
];
let serial = 0;
const updates = (taskId: string, change: object, isError = false): readonly Message[] => {
  const id = `u${++serial}`;
  return [calls({ id, name: 'TaskUpdate', input: { taskId, ...change } }), answers({ id, content: 'Updated', isError })];
};
const writes = (todos: readonly object[]): readonly Message[] => [
  calls({ id: `w${++serial}`, name: 'TodoWrite', input: { todos } }),
  answers({ id: `w${serial}`, content: 'ok' }),
];
const ledgerOf = (messages: readonly Message[], kept: readonly Message[] = [], earlier = emptyLedger) =>
  continueLedger(earlier, messages, { bodyOf: () => undefined, bodyPath: () => '', kept });
const shown = (messages: readonly Message[], kept: readonly Message[] = []): string =>
  textOf(
    compressedHistory({
      ...{ id: 's', at: '', text: '## Current Status\n\n- x', messages: 2, ledgerTokens: 4_000, count: (text) => text.length / 4 },
      ledger: ledgerOf(messages, kept),
    }).content,
  );

describe('a task list that is kept task by task', () => {
  test('has what was made and what became of each', () => {
    const messages = [
      ...[...creates(1, 'mend the lamp'), ...creates(2, 'paint the quay'), ...creates(3, 'oil the lock')],
      ...[...updates('1', { status: 'completed' }), ...updates('2', { status: 'in_progress', subject: 'paint the long quay' })],
      ...[...updates('3', { status: 'completed' }, true), ...updates('9', { status: 'completed' })],
    ];
    expect(todoListIn(messages)).toEqual([
      { text: '#1 mend the lamp', status: 'done' },
      { text: '#2 paint the long quay', status: 'in_progress' },
      { text: '#3 oil the lock', status: 'pending' },
    ]);
    expect(todoListIn([...messages, ...updates('2', { status: 'deleted' })])).toHaveLength(2);
  });

  test('shows what is worked on, then what is open, and of what is done how much', () => {
    const items: readonly TodoItem[] = [
      { text: 'oil the lock', status: 'done' },
      { text: 'mend the lamp', status: 'pending' },
      { text: 'count the boats', status: 'done' },
      { text: 'paint the quay', status: 'in_progress' },
    ];
    expect(todoText(items).split('\n').slice(3)).toEqual(['- [>] paint the quay', '- [ ] mend the lamp', '- [x] 2 done']);
    expect(todoText(items.slice(1, 2)).split('\n').slice(3)).toEqual(['- [ ] mend the lamp']);
    expect(todoText(items.slice(0, 1))).toBe('');
  });

  test('goes on after a compaction, and gives way to a list that is written whole', () => {
    const first = ledgerOf(creates(1, 'mend the lamp'));
    const next = ledgerOf(updates('1', { status: 'completed' }), [], first);
    expect(next.todo).toEqual([{ text: '#1 mend the lamp', status: 'done' }]);
    expect(todoListIn([...creates(1, 'mend the lamp'), ...writes([{ content: 'rest', status: 'pending' }])])).toEqual([
      { text: 'rest', status: 'pending' },
    ]);
    expect(todoListIn([user('hi')])).toBeUndefined();
  });

  test('stays within its bounds, and drops what is done before what is open', () => {
    const messages = Array.from({ length: 40 }, (_, at) => [...creates(at + 1, `task ${at + 1}`)]).flat();
    const done = updates('1', { status: 'completed' });
    expect(todoListIn([...messages.slice(0, 60), ...done, ...messages.slice(60)])?.length).toBeLessThanOrEqual(30);
  });
});

describe('pending work', () => {
  const open: readonly TodoItem[] = [{ text: 'paint', status: 'pending' }];

  test('is never "None" beside a task that is open', () => {
    const text = shown([user('go'), ...writes([{ content: 'paint', status: 'pending' }]), says('Good.')]);
    expect(text).toContain('## Pending Tasks\n\nWhat is open in the task list.');
    expect(text.match(/paint/g)).toHaveLength(1);
    expect(shown([user('go'), ...writes([{ content: 'paint', status: 'completed' }]), says('Good.')])).toContain(
      '## Pending Tasks\n\nNone.',
    );
  });

  test('is as of the messages that stay, not as of those that leave', () => {
    const leaves = [user('go'), ...writes([{ content: 'paint', status: 'pending' }])];
    const stays = writes([{ content: 'paint', status: 'completed' }]);
    expect(ledgerOf(leaves, stays).todo).toEqual([{ text: 'paint', status: 'done' }]);
    expect(shown(leaves, stays)).toContain('## Pending Tasks\n\nNone.');
    expect(openTasks(open)).toEqual(['paint']);
  });
});
