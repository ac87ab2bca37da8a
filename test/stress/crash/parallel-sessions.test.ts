import { expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { isWhole } from '../../support/share.ts';

const SESSIONS = isWhole ? 50 : 8;

test('sessions that begin in one home at the same time all end well: none loses a word, a memory or an event to another [C-01, C-03, O8]', async () => {
  const { runBinary, run, records, names, read } = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const saidBy = (i: number) => `We decided to name queue ${i} after the river Ob${i}.`;
  const ran = await Promise.all(
    Array.from({ length: SESSIONS }, (_, i) => runBinary(['-p', saidBy(i), '--output-format', 'json'], { env: { TZ: 'UTC' } })),
  );
  const wrong = ran.map(({ code, out, err }, i): string[] => {
    if (code !== 0) return [`session ${i} ended with ${code}: ${err}`];
    const { sessionId } = JSON.parse(out);
    const log = records(`sessions/${sessionId}/log.jsonl`);
    const events = records('context/events.jsonl').filter((event) => event.sessionId === sessionId);
    const types = events.map(({ type }) => type);
    return [
      ...(log.map(({ type }) => type).join() === 'header,message,message' ? [] : [`the log of session ${i}: ${JSON.stringify(log)}`]),
      ...(types[0] === 'session_started' && types.at(-1) === 'session_ended' ? [] : [`the events of session ${i}: ${types.join()}`]),
      ...(read('memory/extracted/decisions.md').includes(saidBy(i).slice(0, -1)) ? [] : [`the memory of session ${i} is not there`]),
    ];
  });
  const good = wrong.filter((each) => each.length === 0).length;
  const { findings } = JSON.parse((await run(['doctor', '--json'])).out);
  console.log(`parallel sessions: ${good} of ${SESSIONS}, problems: ${wrong.flat().length + findings.length}`);
  expect([wrong.flat(), findings]).toEqual([[], []]);
  expect(names('sessions')).toHaveLength(SESSIONS);
});
