import { expect, test } from 'vitest';
import { limitsOf } from '../../../src/agent/deps.ts';
import { offloadUnderPressure } from '../../../src/agent/offload-results.ts';
import { storeResult } from '../../../src/agent/run-tools.ts';
import { isToolResult, isToolUse, resultText } from '../../../src/domain/message.ts';
import { createAgentWorld } from '../../support/agent-world.ts';
import { calls, says, user } from '../../support/build.ts';

test('a result that leaves under pressure names the file it was read from, and shows less of it than one that leaves on arrival [C56b, C55, S4]', () => {
  const world = createAgentWorld({ messages: [user('look')], window: 32_000 });
  const { session, deps } = world;
  const limits = limitsOf(session, deps);
  const read = (id: string, chars: number) => {
    const message = calls({ id });
    session.append({ type: 'message', message });
    const call = message.content.find(isToolUse);
    if (call === undefined) throw new Error('no call');
    const content = `line of ${id}\n`.repeat(chars).slice(0, chars);
    storeResult(call, { ok: true, content, note: '', denied: false, ms: 1, source: `/work/${id}.ts` }, session, deps, limits);
  };
  read('arrives', 12_000);
  for (let n = 0; n < 14; n++) read(`later${n}`, 7_000);
  session.append({ type: 'message', message: says('seen') });
  expect(offloadUnderPressure(session, deps, limits)).toBeGreaterThan(0);
  const stubs = session.context.messages.filter((message) => message.stubs !== undefined);
  const texts = stubs.flatMap((message) => message.content.filter(isToolResult).map(resultText));
  expect(texts.length).toBeGreaterThan(3);
  for (const [at, message] of stubs.entries()) {
    const source = message.stubs?.[0]?.source;
    expect(source).toMatch(/^\/work\/(arrives|later\d+)\.ts$/);
    expect(texts[at]).toContain(`source ${source}`);
    if (at > 0) expect(texts[at]?.length).toBeLessThan((texts[0]?.length ?? 0) * 0.6);
  }
  expect(world.reopened().context).toEqual(session.context);
});
