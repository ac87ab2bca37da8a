import { expect, test } from 'vitest';
import { relocateContext } from '../../../../src/context/history/apply-record.ts';
import { pairingProblems, toWire } from '../../../../src/context/history/pairing.ts';
import type { ContentBlock, Message, WireMessage } from '../../../../src/domain/session/message.ts';
import { contextOf, says, user } from '../../../support/build.ts';
import { createRequestChecker, type SentRequest } from '../../../support/check-request.ts';

const block: ContentBlock = { type: 'compaction', content: 'In /old/home it began.', signature: 's1' };
const summary: Message = {
  ...user('[Compressed History] in /old/home'),
  origin: 'summary',
  content: [block, { type: 'text', text: 'ledger of /old/home' }],
};
const asks: WireMessage = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
const compacted: WireMessage = { role: 'assistant', content: [block] };

test('the API’s summary is sent in its words; what goes with it and the user’s words follow it', () => {
  const wire = toWire([summary, user('hi')]);
  expect(wire).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: block.content },
        { type: 'text', text: 'ledger of /old/home' },
        { type: 'text', text: 'hi' },
      ],
    },
  ]);
  expect(pairingProblems(wire)).toEqual([]);
});

test('a summary by another API in a reply is sent in its words too', () => {
  const foreign = toWire([user('hi'), says('', { content: [block] }), user('go on')]);
  expect(foreign[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: block.content }] });
});

test('another home changes the words beside a signed summary, and not the summary', () => {
  const { messages } = relocateContext(contextOf([summary]), '/old/home', '/new');
  expect(messages[0]?.content).toEqual([block, { type: 'text', text: 'ledger of /new' }]);
});

test('the fake refuses a block that is altered, unknown, not first or without its header', () => {
  const checker = createRequestChecker();
  const request = (messages: readonly WireMessage[], more: Partial<SentRequest> = {}): SentRequest => ({
    system: [],
    tools: [],
    messages,
    maxTokens: 100,
    betas: ['compact-2026-09-04'],
    ...more,
  });
  const why = (messages: readonly WireMessage[], more?: Partial<SentRequest>) => checker.check(request(messages, more)).join();
  expect(why([compacted, asks])).toContain('compaction_signature_invalid');
  checker.answered(request([asks], { compaction: { type: 'summarize' } }), [block]);
  expect(why([compacted, asks])).toBe('');
  expect(why([{ ...compacted, content: [{ ...block, content: 'other' }] }, asks])).toContain('compaction_content_mismatch');
  expect(why([asks, compacted, asks])).toContain('compaction_block_misplaced');
  expect(why([{ ...compacted, content: [block, block] }, asks])).toContain('compaction_block_ambiguous');
  expect(why([compacted, asks], { betas: [] })).toContain('the beta header is missing');
  expect(why([compacted], { compaction: { type: 'summarize' } })).toContain('compaction_nothing_to_summarize');
});
