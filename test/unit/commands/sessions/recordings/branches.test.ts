import { expect, test } from 'vitest';
import { importTranscript } from '../../../../../src/commands/sessions/recordings/import-transcript.ts';
import { isText } from '../../../../../src/domain/session/message.ts';
import type { Transcript } from '../../../../../src/domain/session/transcript.ts';

const read = (entries: readonly unknown[] | object): Transcript => {
  const text = Array.isArray(entries) ? entries.map((entry) => JSON.stringify(entry)).join('\n') : JSON.stringify(entries, null, 2);
  const [first, ...more] = importTranscript('recording', text);
  if (first === undefined || more.length > 0) throw new Error('expected one conversation');
  return first;
};
const said = ({ steps }: Transcript): readonly string[] =>
  steps.flatMap((step) =>
    step.type === 'reply'
      ? [...step.content.filter(isText).map(({ text }) => text), ...step.results.map(({ content }) => `= ${content}`)]
      : [step.type === 'user' ? step.text : `(${step.text})`],
  );
const leftOut = ({ leftOut: kinds }: Transcript): readonly string[] => kinds.map(({ kind, count }) => `${count} ${kind}`);

const user = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content }, ...more },
});
const reply = (uuid: string, parentUuid: string | null, block: unknown, id = `m-${uuid}`) => ({
  ...{ type: 'assistant', uuid, parentUuid, sessionId: 's', message: { id, role: 'assistant', content: [block] } },
});
const words = (text: string) => ({ type: 'text', text });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} });
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `read by ${id}` }];

test.each([
  [
    'a prompt that was edited',
    [user('c', 'b', 'No, red.'), reply('d', 'c', words('Red.')), user('e', 'b', 'Blue.'), reply('f', 'e', words('Blue it is.'))],
    2,
  ],
  [
    'a reply that was asked for again',
    [user('e', 'b', 'Blue.'), reply('x', 'e', words('Grey?')), reply('f', 'e', words('Blue it is.'))],
    1,
  ],
  [
    'a way back, with a command of the program on the branch that was left',
    [
      ...[user('w', 'b', '<bash-input>ls</bash-input>'), user('c', 'w', 'No, red.'), reply('d', 'c', words('Red.'))],
      ...[user('e', 'b', 'Blue.'), reply('f', 'e', words('Blue it is.'))],
    ],
    3,
  ],
])('of Claude Code the branch comes in that its last message ends: %s [B-43]', (_, lines, rewound) => {
  const made = read([user('a', null, 'Paint it.'), reply('b', 'a', words('Which colour?')), ...lines]);
  expect(said(made)).toEqual(['Paint it.', 'Which colour?', 'Blue.', 'Blue it is.']);
  expect(leftOut(made)).toEqual([`${rewound} rewound`]);
});

test('going back to the first prompt begins the conversation anew, and a session behind a session in one file does not [B-43]', () => {
  const first = [user('a', null, 'Paint it.'), reply('b', 'a', words('Which colour?'))];
  expect(said(read([...first, user('c', null, 'Build it.'), reply('d', 'c', words('Built.'))]))).toEqual(['Build it.', 'Built.']);
  const other = [user('c', null, 'Build it.', { sessionId: 't' }), reply('d', 'c', words('Built.'))];
  expect(said(read([...first, ...other]))).toEqual(['Paint it.', 'Which colour?', 'Build it.', 'Built.']);
});

test.each([
  ['each result behind its call', ['u1', 'r1', 'u2', 'r2'], 'r2'],
  ['the results behind the calls', ['u1', 'u2', 'r2', 'r1'], 'r1'],
])('calls of one reply that ran side by side fork the tree, and nothing of them was left: %s [B-43]', (_, order, last) => {
  const lines = {
    u1: reply('u1', 'b', call('one'), 'm'),
    u2: reply('u2', 'u1', call('two'), 'm'),
    r1: user('r1', 'u1', result('one')),
    r2: user('r2', 'u2', result('two')),
  };
  const made = read([
    ...[user('a', null, 'Read both.'), reply('b', 'a', words('I read.'), 'm')],
    ...order.map((name) => Object.entries(lines).find(([key]) => key === name)?.[1]),
    reply('z', last, words('Both read.')),
  ]);
  expect(said(made)).toEqual(['Read both.', 'I read.', '= read by one', '= read by two', 'Both read.']);
  expect(leftOut(made)).toEqual([]);
});

test('what was before a compaction, and behind lines that are gone, is on the way [B-43]', () => {
  const made = read([
    ...[user('a', 'gone', 'Paint it.'), reply('b', 'a', words('Painted.'))],
    { type: 'system', subtype: 'compact_boundary', uuid: 'c', parentUuid: null, logicalParentUuid: 'b', sessionId: 's' },
    user('d', 'c', 'A summary.', { isCompactSummary: true }),
    ...[user('e', 'gone too', 'And the door.'), reply('f', 'e', words('The door too.'))],
  ]);
  expect(said(made)).toEqual(['Paint it.', 'Painted.', 'And the door.', 'The door too.']);
});

test('what was typed while the model worked was said; a job in the background says it to the model [B-43]', () => {
  const queued = (uuid: string, parentUuid: string, prompt: unknown, commandMode: string) => ({
    ...{ type: 'attachment', uuid, parentUuid, sessionId: 's', attachment: { type: 'queued_command', prompt, commandMode } },
  });
  const made = read([
    ...[user('a', null, 'Paint it.'), queued('b', 'a', [words('Blue!')], 'prompt'), queued('c', 'b', 'job 3 ended', 'task-notification')],
    reply('d', 'c', words('Blue it is.')),
  ]);
  expect(said(made)).toEqual(['Paint it.', 'Blue!', '(job 3 ended)', 'Blue it is.']);
});

test('a file that a helper alone wrote is the conversation with it; beside another one it is left out [B-43]', () => {
  const lines = [user('a', null, 'Look for it.'), reply('b', 'a', words('Found.'))].map((line) => ({ ...line, isSidechain: true }));
  expect(said(read(lines))).toEqual(['Look for it.', 'Found.']);
  const beside = read([user('x', null, 'Find it.'), reply('y', 'x', words('I ask.')), ...lines]);
  expect([said(beside), leftOut(beside)]).toEqual([['Find it.', 'I ask.'], ['2 side conversation']]);
});

test('a line that was written twice comes in once, also under another session; two that differ are one, as it was last [B-44]', () => {
  const lines = [user('a', null, 'Paint it.'), reply('b', 'a', words('Painted.'))];
  const again = lines.map((line) => ({ ...line, sessionId: 't', version: '2' }));
  const made = read([...lines, ...again, user('c', 'b', 'And the door.')]);
  expect([said(made), leftOut(made)]).toEqual([['Paint it.', 'Painted.', 'And the door.'], ['2 line that was written twice']]);
  const twice = read([user('a', null, 'One.'), user('a', null, 'Two.')]);
  expect([said(twice), leftOut(twice)]).toEqual([['Two.'], ['1 earlier state of a message']]);
});

const item = (payload: unknown) => ({ timestamp: '2026-01-01T00:00:00.000Z', type: 'response_item', payload });
const spoken = (role: string, text: string) => item({ type: 'message', role, content: [{ type: 'input_text', text }] });
const rolledBack = (turns: unknown) => ({ ...item({ type: 'thread_rolled_back', num_turns: turns }), type: 'event_msg' });

test.each([
  [1, ['Paint it.', 'Painted.', 'Thanks.']],
  [2, ['Thanks.']],
  [9, ['Thanks.']],
  ['1', ['Paint it.', 'Painted.', 'And the door.', 'I look.', '= a door', 'Thanks.']],
])('of Codex the last turns before a way back of %j are left out; what the program says in between is no turn [B-43]', (turns, left) => {
  const made = read([
    item({ type: 'reasoning' }),
    ...[spoken('user', 'Paint it.'), spoken('assistant', 'Painted.')],
    ...[spoken('user', 'And the door.'), spoken('user', '# AGENTS.md instructions for /w'), spoken('assistant', 'I look.')],
    ...[
      item({ type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' }),
      item({ type: 'function_call_output', call_id: 'c', output: 'a door' }),
    ],
    ...[rolledBack(turns), spoken('user', 'Thanks.')],
  ]);
  expect(said(made).filter((text) => !text.startsWith('('))).toEqual(left);
  expect(leftOut(made).some((kind) => kind.endsWith(' rewound'))).toBe(left.length < 4);
});

test('of Codex a file that goes on from another one takes away, behind it, what that has from there on; alone it says what it lacks [B-43]', () => {
  const numbered = (lines: readonly object[], from: number) => lines.map((line, at) => ({ ...line, ordinal: from + at }));
  const base = numbered(
    [spoken('user', 'Paint it.'), spoken('assistant', 'Painted.'), spoken('user', 'Red.'), spoken('assistant', 'No.')],
    1,
  );
  const head = { ...item({ cwd: '/w', history_base: { thread_id: 't', end_ordinal_exclusive: 3 } }), type: 'session_meta' };
  const more = numbered([head, spoken('user', 'Blue.'), spoken('assistant', 'Blue it is.')], 3);
  const whole = read([...base, ...more]);
  expect([said(whole), leftOut(whole), whole.damaged]).toEqual([['Paint it.', 'Painted.', 'Blue.', 'Blue it is.'], ['2 rewound'], []]);
  expect(read(more).damaged).toEqual(['it goes on from another file, which has its beginning']);
});

test('of a log of Gemini CLI in lines each message comes in once, as it was last, without what was rewound or replaced [B-43, B-44]', () => {
  const head = { sessionId: 's', projectHash: 'h', startTime: 't' };
  const typed = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] });
  const model = (id: string, content: string) => ({ id, type: 'gemini', content, toolCalls: [] });
  const made = read([
    ...[head, typed('1', 'Paint it.'), model('2', 'Pain'), model('2', 'Painted.'), typed('3', 'And the door.'), model('4', 'No.')],
    ...[{ $rewindTo: '3' }, { $set: { lastUpdated: 't' } }, typed('5', 'Thanks.')],
  ]);
  expect([said(made), leftOut(made)]).toEqual([
    ['Paint it.', 'Painted.', 'Thanks.'],
    ['1 head', '1 earlier state of a message', '2 rewound', '1 $set'],
  ]);
  const replaced = read([head, typed('1', 'Paint it.'), { $set: { messages: [typed('7', 'Build it.'), model('8', 'Built.')] } }]);
  expect([said(replaced), leftOut(replaced)]).toEqual([
    ['Build it.', 'Built.'],
    ['1 head', '1 message that was replaced'],
  ]);
  expect(said(read([head, typed('1', 'Paint it.'), { $rewindTo: 'unknown' }, typed('2', 'Build it.')]))).toEqual(['Build it.']);
});

const contents = [
  { role: 'user', parts: [{ text: '<session_context>\nToday is Monday.' }] },
  { role: 'model', parts: [{ text: 'Got it.' }] },
  { role: 'user', parts: [{ text: 'Paint it.' }, { inlineData: { data: 'AA' } }] },
  { role: 'model', parts: [{ text: 'hm', thought: true }, { functionCall: { name: 'paint', args: { colour: 'blue' } } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'paint', response: { output: 'wet' } } }] },
  { role: 'model', parts: [{ text: 'Painted.' }] },
];

test.each([
  ['a list', contents],
  ['a checkpoint of a tool call', { history: [{ id: 1, type: 'user', text: 'Paint it.' }], clientHistory: contents, toolCall: {} }],
  ['a saved chat', { history: contents, authType: 'key' }],
])('a checkpoint of Gemini CLI is read as its messages: %s', (_, file) => {
  const [made] = importTranscript('checkpoint', JSON.stringify(file));
  if (made === undefined) throw new Error('no conversation');
  expect(made.format).toBe('gemini-cli');
  expect(said(made)).toEqual(['(<session_context>\nToday is Monday.)', 'Got it.', 'Paint it.\n[inlineData]', '= wet', 'Painted.']);
  expect(leftOut(made)).toEqual(['1 inlineData in a message', '1 thought']);
});

test('a session of OpenCode comes in up to where it was reverted, with its calls and their results [B-43]', () => {
  const message = (id: string, role: string, parts: readonly object[], more: object = {}) => ({
    info: { id, role, time: { created: 0 }, ...more },
    parts,
  });
  const tool = (callID: string, state: object) => ({
    type: 'tool',
    id: `p-${callID}`,
    callID,
    tool: 'bash',
    state: { input: { command: 'ls' }, ...state },
  });
  const messages = [
    message('1', 'user', [words('Paint it.'), { ...words('the file says'), synthetic: true }, { type: 'file', url: 'x' }]),
    message('2', 'assistant', [
      { type: 'step-start' },
      words('I look.'),
      tool('c', { status: 'completed', output: 'a door' }),
      tool('d', { status: 'error', error: 'no' }),
    ]),
    message('3', 'assistant', [words('A summary.')], { summary: true }),
    message('4', 'user', [words('And the door.')]),
    message('5', 'assistant', [words('No.')]),
  ];
  const file = (revert?: object) => ({ info: { id: 's', directory: '/w', ...(revert !== undefined && { revert }) }, messages });
  const held = ['(the file says)', 'Paint it.', 'I look.', '= a door', '= no'];
  expect(said(read(file()))).toEqual([...held, 'And the door.', 'No.']);
  const reverted = read(file({ messageID: '4' }));
  expect([reverted.format, reverted.cwd, said(reverted)]).toEqual(['opencode', '/w', held]);
  expect(leftOut(reverted)).toEqual(['1 file part', '1 step-start part', '1 summary by OpenCode', '2 rewound']);
  expect(said(read(file({ messageID: '2', partID: 'p-d' })))).toEqual(held.slice(0, 4));
});
