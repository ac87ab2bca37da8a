import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isToolResult } from '../../../src/domain/session/message.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { countTokens } from '../../support/count-tokens.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { chatWire } from '../../support/fake-chat.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

/** A step is one call with a result of so many tokens. */
const RESULT_TOKENS = 300;

/** What a compaction must leave room for, at the least; measured were 19, 33 and 67. There are steps enough for a second compaction well before the end. */
const windows = [
  { window: 8_192, steps: 6, requests: 65 },
  { window: 16_384, steps: 12, requests: 120 },
  { window: 32_768, steps: 25, requests: 220 },
] as const;
const cases = windows.flatMap((one) => [
  { ...one, by: 'model' },
  { ...one, by: 'rules' },
]);

/** Prose of exactly so many tokens, with something of its own in each part. */
function prose(part: number): string {
  const sentences: string[] = [];
  for (let i = 0; countTokens(sentences.join(' ')) < RESULT_TOKENS; i++)
    sentences.push(`Part ${part} says in sentence ${i} that the cause ${part * 31 + i} was looked for in module ${(part * 17 + i) % 97}.`);
  return sentences.join(' ');
}

test.each(cases)(
  'in a window of $window tokens a compaction by $by leaves room for $steps steps with results of 300 tokens',
  async ({ window, steps, requests, by }) => {
    const world = createSandbox({ SANBOT_CONTEXT_WINDOW: String(window) });
    mkdirSync(world.home, { recursive: true, mode: 0o700 });
    const compaction = { softWindow: 0, useLLMSummary: by === 'model' };
    const endpoints = { local: { baseUrl: '', model: 'm', contextWindow: window } };
    for (let part = 0; part < requests; part++) writeFileSync(join(world.cwd, `part-${part}.txt`), `${prose(part)}\n`);
    let step = 0;
    const script: Script = ({ purpose }) => {
      if (purpose === 'summary') return replies(goodSummary);
      return step < requests ? callsTool('read_file', { path: `part-${step++}.txt` }) : replies('All parts are read.');
    };
    const api = await startFakeApi(script, { wire: chatWire(), windowTokens: window });
    afterThisTest(() => api.close());
    endpoints.local.baseUrl = `${api.url}/v1`;
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction, model: { name: 'local', endpoints } }), { mode: 0o600 });
    const ran = await world.run([
      '-p',
      'Read all parts, one after the other, and never touch vendor/lib.ts.',
      '--permission-mode',
      'bypass',
    ]);
    expect([ran.code, ran.out]).toEqual([0, 'All parts are read.\n']);
    const whole = api.requests.flatMap(({ request }) => request.messages.at(-1)?.content.filter(isToolResult) ?? []);
    expect(whole.length).toBeGreaterThanOrEqual(requests);

    const between: number[] = [];
    for (const { type, method } of world.records('context/events.jsonl')) {
      if (type === 'compacted') {
        expect(method).toBe(by);
        between.push(0);
      } else if (type === 'request' && between.length > 0) between[between.length - 1] = (between.at(-1) ?? 0) + 1;
    }
    // After the last one the work ended.
    const full = between.slice(0, -1);
    expect(full.length).toBeGreaterThanOrEqual(1);
    expect(Math.min(...full)).toBeGreaterThanOrEqual(steps);
    api.done();
  },
);
