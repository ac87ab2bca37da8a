import fc from 'fast-check';
import { isToolResult, type Message, type StubRef } from '../../src/domain/session/message.ts';
import type { NewRecord } from '../../src/domain/session/record.ts';
import { anyContext, anyTranscript } from './arbitrary.ts';
import { contextOf } from './build.ts';

export const stubOf = (toolUseId: string): { ref: StubRef; text: string } => ({
  ref: { toolUseId, tool: 'read_file', body: { sha256: 'a'.repeat(64), bytes: 9, lines: 1 } },
  text: `Tool result is at: /${toolUseId}`,
});
export const resultIds = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => message.content.filter(isToolResult)).map((block) => block.tool_use_id);

/** A log as a session writes it: messages one by one, with offloads, checkpoints and model changes in between. */
export const anyLog = fc
  .record({
    messages: anyTranscript({ open: true }),
    other: anyContext({ open: true }),
    marks: fc.array(fc.record({ at: fc.nat(40), kind: fc.constantFrom('offload', 'checkpoint', 'model', 'branch'), pick: fc.nat(5) }), {
      maxLength: 4,
    }),
  })
  .map(({ messages, other, marks }) => {
    const header: NewRecord = { type: 'header', v: 1, sessionId: 's', group: 'main', cwd: '/w', model: 'm', context: contextOf([]) };
    const log: NewRecord[] = [header];
    messages.forEach((message, index) => {
      log.push({ type: 'message', message });
      const ids = resultIds(messages.slice(0, index + 1));
      for (const mark of marks.filter(({ at }) => at === index)) {
        if (mark.kind === 'model') log.push({ type: 'model', model: 'other' });
        if (mark.kind === 'branch')
          for (const each of other.messages)
            log.push({ type: 'branch', branch: 'h1', steps: 1, costUsd: null, entry: { type: 'message', message: each } });
        if (mark.kind === 'checkpoint') log.push({ type: 'checkpoint', reason: 'rollback', context: other });
        if (mark.kind === 'offload' && ids.length > 0) log.push({ type: 'offload', stubs: [stubOf(ids[mark.pick % ids.length] ?? '')] });
      }
    });
    return log;
  });
