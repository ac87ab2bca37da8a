import { expect, test } from 'vitest';
import { prepareCompaction } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { pinMessage } from '../../../../src/agent/memory/pins.ts';
import { pendingCompaction } from '../../../../src/commands/chat/pending-compaction.ts';
import { textOf } from '../../../../src/domain/session/message.ts';
import { messageLine } from '../../../../src/terminal/views/rollback-text.ts';
import { createAgentWorld, replies } from '../../../support/agent-world.ts';
import { longSession } from '../../../support/long-session.ts';
import { goodSummary } from '../../../support/summary.ts';

test('the preview shows all that will stand in the message, what is gathered by rule too', async () => {
  const world = createAgentWorld({ messages: longSession(), canSummarise: true, ask: () => replies(goodSummary) });
  const { session, deps } = world;
  const wish = { trigger: 'manual' as const, reasons: [], instructions: 'the ports', limits: limitsOf(session, deps) };
  const made = await prepareCompaction({ ...wish, signal: new AbortController().signal }, session, deps);
  if (made.kind !== 'prepared') throw new Error('It was not prepared');
  const { text, byRule } = pendingCompaction(made, session, deps).view();
  const message = made.context.messages.find(({ origin }) => origin === 'summary');
  expect(textOf(message?.content ?? []).endsWith(`${text}\n\n${byRule}`)).toBe(true);
  expect(byRule).toContain('the ports');
});

test('the preview lists what leaves, and nothing that is pinned: that is carried on word for word', async () => {
  const world = createAgentWorld({ messages: longSession(), canSummarise: true, ask: () => replies(goodSummary) });
  const { session, deps } = world;
  const shown = async () => {
    const wish = { trigger: 'manual' as const, reasons: [], instructions: undefined, limits: limitsOf(session, deps) };
    const made = await prepareCompaction({ ...wish, signal: new AbortController().signal }, session, deps);
    if (made.kind !== 'prepared') throw new Error('It was not prepared');
    return { ...pendingCompaction(made, session, deps).view(), context: made.context };
  };
  const pinned = session.context.messages.find(({ origin }) => origin === 'user');
  if (pinned === undefined) throw new Error('nobody said anything');
  const line = messageLine(pinned);
  const before = await shown();
  expect(before.leaving).toContainEqual(line);
  pinMessage(session.context.messages.indexOf(pinned), session, deps);
  const after = await shown();
  expect(after.leaving).toEqual(before.leaving.filter(({ text }) => text !== line.text));
  expect(after.context.messages.map(({ content }) => textOf(content)).join('\n')).toContain(textOf(pinned.content));
});
