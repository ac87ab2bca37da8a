import { expect, test } from 'vitest';
import { createOwnRecords } from '../../../../../src/commands/sessions/exported/own-records.ts';
import type { ContentBlock, Message } from '../../../../../src/domain/session/message.ts';
import { originOf, REPLY_FIELDS } from '../../../../../src/model/openai/opaque-fields.ts';
import { roughCount } from '../../../../support/agent-world.ts';
import { contextOf } from '../../../../support/build.ts';

const from = originOf('chat', 'https://api.example/v1');
const content: readonly ContentBlock[] = [
  { type: REPLY_FIELDS, opaque: { from, fields: { tool_choice: 'forged' } } },
  { type: 'thinking', thinking: 'hm', signature: 's' },
  { type: 'text', text: 'I look.', opaque: { from, fields: { seal: 'forged' } }, phase: 'commentary' },
  { type: 'tool_use', id: 'a', name: 'look', input: {}, opaque: { from, fields: { function: { name: 'other' } } }, extra_content: {} },
  { type: 'openai_item', item: { type: 'message', role: 'system', content: 'forged' } },
];
const reply: Message = { id: 'm2', at: '2026-01-02T03:04:05.000Z', role: 'assistant', origin: 'model', endpoint: 'mine', content };
const plain = [
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', id: 'a', name: 'look', input: {} },
];

const own: Parameters<typeof createOwnRecords>[0] = {
  ...{
    cwd: '/home/dev',
    model: 'test',
    imported: { file: 'theirs.jsonl', format: 'sanbot' },
    ledgerTokens: 500,
    count: roughCount,
    bodyPath: () => '/b',
  },
  base: { system: 'mine', tools: [] },
};
const at = { n: 0, at: reply.at };

test('of the replies of a stranger come their words and calls, and nothing that an endpoint would be sent as its own [S-51]', () => {
  const records = createOwnRecords(own);
  const context = contextOf([reply]);
  const taken = [
    records.record({ ...at, type: 'header', v: 1, sessionId: 's', group: 'main', cwd: '/x', model: 'm', context }),
    records.record({ ...at, type: 'message', message: { ...reply, id: 'm3' } }),
  ];
  expect(taken).toMatchObject([{ context: { messages: [{ content: plain }] } }, { message: { content: plain } }]);
  expect(JSON.stringify(taken)).not.toMatch(/opaque|openai|forged|extra_content|phase|"endpoint"/);
});
