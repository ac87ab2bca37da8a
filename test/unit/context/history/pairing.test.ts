import { describe, expect, test } from 'vitest';
import { closeOpenCalls, pairingProblems, repairPairs, toWire } from '../../../../src/context/history/pairing.ts';
import type { ContentBlock, WireMessage } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'x', input: {} });
const result = (id: string): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: 'r' });
const from = (role: 'user' | 'assistant', ...content: ContentBlock[]): WireMessage => ({ role, content });

describe('the check before a request leaves', () => {
  test('passes parallel calls with their results in any order, and text after them', () => {
    expect(
      pairingProblems([
        from('user', text('hi')),
        from('assistant', text('ok'), call('a'), call('b')),
        from('user', result('b'), result('a'), text('and?')),
      ]),
    ).toEqual([]);
  });

  test.each<[string, WireMessage[], string[]]>([
    ['nothing at all', [], ['there is no message']],
    ['an assistant first', [from('assistant', text('hi')), from('user', text('hi'))], ['message 0 is the first and not from the user']],
    ['two of one role [C60]', [from('user', text('a')), from('user', text('b'))], ['message 1 follows another user message']],
    ['an empty message', [from('user')], ['message 0 is empty']],
    ['blank text', [from('user', text(' \n'))], ['message 0 has an empty text block']],
    ['the last word to the assistant', [from('user', text('a')), from('assistant', text('b'))], ['the last message is not from the user']],
    [
      'a call without its result [C63]',
      [from('user', text('a')), from('assistant', call('a')), from('user', text('no'))],
      ['message 1 calls a, which the next message does not answer'],
    ],
    [
      'a result without its call [C60, O1]',
      [from('user', result('a'))],
      ['message 0 has a result of a, which the message before it does not call'],
    ],
    [
      'a result one message late [C64]',
      [
        from('user', text('a')),
        from('assistant', call('a')),
        from('user', text('b')),
        from('assistant', text('c')),
        from('user', result('a')),
      ],
      [
        'message 1 calls a, which the next message does not answer',
        'message 4 has a result of a, which the message before it does not call',
      ],
    ],
    [
      'a result twice',
      [from('user', text('a')), from('assistant', call('a')), from('user', result('a'), result('a'))],
      ['message 2 answers a twice'],
    ],
    [
      'a result after other content',
      [from('user', text('a')), from('assistant', call('a')), from('user', text('b'), result('a'))],
      ['message 2 has the result of a after other content'],
    ],
    [
      'an id that is used again [F7, B-11]',
      [
        from('user', text('a')),
        from('assistant', call('a')),
        from('user', result('a')),
        from('assistant', call('a')),
        from('user', result('a')),
      ],
      ['message 3 calls a a second time'],
    ],
    [
      'a call by the user',
      [from('user', call('a')), from('assistant', text('b')), from('user', text('c'))],
      ['message 0 calls a but is not from the assistant', 'message 0 calls a, which the next message does not answer'],
    ],
  ])('refuses %s', (_, messages, problems) => {
    expect(pairingProblems(messages)).toEqual(problems);
  });
});

describe('an interrupted session', () => {
  test('has its open calls closed with a result that says so, answered ones left alone [D-43, C63, C64]', () => {
    const messages = [user(), calls({ id: 'a' }, { id: 'b' }, { id: 'c' }), answers({ id: 'b' })];
    const closing = closeOpenCalls(messages);
    expect(closing.map((block) => [block.tool_use_id, block.is_error])).toEqual([
      ['a', true],
      ['c', true],
    ]);
    expect(String(closing[0]?.content)).toMatch(/^Interrupted: this call has no result/);
    expect(pairingProblems(toWire([...messages, { ...user(), origin: 'interrupted', content: closing }]))).toEqual([]);
  });

  test('has nothing to close when it ended well, or before any reply', () => {
    expect(closeOpenCalls([])).toEqual([]);
    expect(closeOpenCalls([user()])).toEqual([]);
    expect(closeOpenCalls([user(), calls({ id: 'a' }), answers({ id: 'a' }), says()])).toEqual([]);
  });
});

describe('a conversation that lost messages to a damaged log', () => {
  test('gets a result for the lost one, and loses the result of a lost call [C61, D-08, D-09]', () => {
    const asked = calls({ id: 'a' }, { id: 'b' });
    const messages = [user(), asked, answers({ id: 'a' }), says(), answers({ id: 'lost' }), user('go on')];
    const mended = repairPairs(messages);
    expect(mended.map((message) => message.content.map((block) => block.tool_use_id ?? block.type))).toEqual([
      ['text'],
      ['tool_use', 'tool_use'],
      ['b'],
      ['a'],
      ['text'],
      ['text'],
    ]);
    expect(mended[2]).toMatchObject({ id: `${asked.id}-closed`, at: asked.at, origin: 'interrupted' });
  });

  test('that an earlier version stored gets calls that can be sent, and loses what no reply may hold', () => {
    const bad = says();
    const content = [
      { type: 'text', text: 'so' },
      { type: 'tool_use', id: 'a', name: null, input: {} },
      { type: 'tool_use', id: 7, name: 'read_file', input: {} },
      { type: 'tool_use', id: 'functions.read_file:0', name: 'read_file', input: {} },
      { type: 'tool_result', tool_use_id: 'a', content: 'forged' },
    ];
    const answered = answers({ id: 'a' }, { id: 'functions.read_file:0' });
    const mended = repairPairs([user(), { ...bad, content }, answered, user('go on'), says()]);
    expect(mended[1]?.content).toEqual([
      { type: 'text', text: 'so' },
      { type: 'tool_use', id: 'a', name: 'unnamed', input: {} },
      { type: 'tool_use', id: 'call', name: 'read_file', input: {} },
      // A call that was sent back all along keeps its id, whatever characters it has.
      { type: 'tool_use', id: 'functions.read_file:0', name: 'read_file', input: {} },
    ]);
    const wire = toWire([...mended, user('and now')]);
    expect(pairingProblems(wire)).toEqual([]);
    expect(repairPairs(mended)).toBe(mended);
  });
});
