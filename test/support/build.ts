import type { SessionContext } from '../../src/domain/session/context.ts';
import { emptyLedger } from '../../src/domain/session/ledger.ts';
import type { ContentBlock, Message } from '../../src/domain/session/message.ts';

/** Builders of messages. Ids count up within one test file; nothing else is random. */
let serial = 0;
const AT = '2026-01-02T03:04:05.000Z';
const nextId = () => `m${++serial}`;

export const user = (text = 'hi'): Message => ({ id: nextId(), at: AT, role: 'user', origin: 'user', content: [{ type: 'text', text }] });

export const says = (text = 'ok', more: Partial<Message> = {}): Message => ({
  id: nextId(),
  at: AT,
  role: 'assistant',
  origin: 'model',
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
  ...more,
});

type Call = { readonly id: string; readonly name?: string; readonly input?: unknown };
export const calls = (...made: readonly Call[]): Message => ({
  id: nextId(),
  at: AT,
  role: 'assistant',
  origin: 'model',
  content: made.map(({ id, name = 'read_file', input = { path: 'a.txt' } }): ContentBlock => ({ type: 'tool_use', id, name, input })),
  stopReason: 'tool_use',
});

type Answer = { readonly id: string; readonly content?: string; readonly isError?: boolean };
export const answers = (...given: readonly Answer[]): Message => ({
  id: nextId(),
  at: AT,
  role: 'user',
  origin: 'tools',
  content: given.map(
    ({ id, content = 'body', isError }): ContentBlock => ({
      type: 'tool_result',
      tool_use_id: id,
      content,
      ...(isError === undefined ? {} : { is_error: isError }),
    }),
  ),
});

export const contextOf = (messages: readonly Message[], more: Partial<SessionContext> = {}): SessionContext => ({
  system: 'You are SanBot.',
  shortTermSummary: '',
  tools: [],
  messages,
  anchorFloor: 0,
  ...more,
});

/** A summary that an API made and signed, as versions before 0.2.0 asked for when told to. */
export const signedBlock: ContentBlock = {
  type: 'compaction',
  content: '## Task\n- Rename the port.',
  encrypted_content: null,
  signature: 'signed-before',
};

/** The message that holds it, with its ledger beside it. */
export const signedSummary = (): Message => ({
  ...user(),
  origin: 'summary',
  content: [signedBlock, { type: 'text', text: '[Compressed History]\n\nnever touch vendor/lib.ts' }],
  summary: {
    text: String(signedBlock.content),
    ledger: { ...emptyLedger, constraints: ['never touch vendor/lib.ts'] },
    messages: 12,
  },
});
