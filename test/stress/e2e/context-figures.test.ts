import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { createSandbox, type Ran } from '../../support/sanbot.ts';
import { callsTool, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';
import { SIZES, talk } from '../../support/talk.ts';

type Shown = {
  readonly tokens: number;
  readonly freeable: readonly { readonly by: string; readonly tokens: number; readonly costUsd: number | null }[];
};

const prose = (about: string, sentences: number): string =>
  Array.from({ length: sentences }, (_, i) => `${about} has a fact number ${i} that somebody may need later.`).join(' ');

/** What a summary may take in these settings, its note in the system prompt included. */
const SUMMARY_TOKENS = 1_000;

async function world(script: Script, settings: { readonly compaction?: object; readonly model?: object } = {}) {
  const sandbox = createSandbox();
  const served = await startFakeApi(script, { home: sandbox.home, key: 'test-key' });
  afterThisTest(() => served.close());
  const price = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };
  const compaction = { keepRecentMessages: 2, keepRecentTokens: 1_000, targetTokens: 2 * SUMMARY_TOKENS, ...settings.compaction };
  outputJsonSync(join(sandbox.home, 'config.json'), { ...settings, compaction, model: { price, ...settings.model } }, { mode: 0o600 });
  const env = { ANTHROPIC_BASE_URL: served.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const run = async (...args: string[]): Promise<Ran> => {
    const ran = await sandbox.run(args, { env });
    expect(ran).toMatchObject({ code: 0 });
    return ran;
  };
  const shown = async (): Promise<Shown> => JSON.parse((await run('context', '--json')).out);
  const freed = async (by: string) => (await shown()).freeable.find((row) => row.by === by) ?? { tokens: 0, costUsd: null };
  return { sandbox, run, shown, freed };
}

const talking: Script = (request, n) => (request.purpose === 'summary' ? replies(goodSummary) : replies(prose(`Answer ${n}`, 60)));

/** Turns in which some things are said that a ledger keeps. */
async function say(run: (...args: string[]) => Promise<Ran>, turns: number): Promise<void> {
  for (let n = 0; n < turns; n++)
    await run('-p', `Tell me about part ${n}; never touch vendor/lib${n}.ts.`, ...(n === 0 ? [] : ['--continue']));
}

describe('what /context says that /compact would free', () => {
  test('is what it frees to within 20 tokens, and costs nothing, where rules write the summary', async () => {
    const { run, shown, freed } = await world(talking, { compaction: { useLLMSummary: false } });
    await say(run, 5);
    const [before, told] = [await shown(), await freed('/compact')];
    const done = JSON.parse((await run('compact', '--json')).out);
    expect(done).toMatchObject({ compacted: true, method: 'rules', tokensBefore: before.tokens });
    expect(Math.abs(told.tokens - (done.tokensBefore - done.tokensAfter))).toBeLessThanOrEqual(20);
    expect((await shown()).tokens).toBe(done.tokensAfter);
  });

  test('is what it frees to within what a summary may take, where a model writes it; and within 20 tokens the second time', async () => {
    const { run, shown, freed } = await world(talking);
    await say(run, 5);
    const told = await freed('/compact');
    const done = JSON.parse((await run('compact', '--json')).out);
    expect(done).toMatchObject({ compacted: true, method: 'model' });
    const first = done.tokensBefore - done.tokensAfter;
    expect(told.tokens).toBeLessThanOrEqual(first);
    expect(told.tokens).toBeGreaterThanOrEqual(first - SUMMARY_TOKENS * 1.1);
    for (const n of [5, 6, 7]) await run('-p', `Tell me about part ${n}.`, '--continue');
    const again = await freed('/compact');
    const second = JSON.parse((await run('compact', '--json')).out);
    expect(Math.abs(again.tokens - (second.tokensBefore - second.tokensAfter))).toBeLessThanOrEqual(20);
    expect((await shown()).tokens).toBe(second.tokensAfter);
  });

  test('costs what it and the next request cost, to within a quarter', async () => {
    const { run, freed } = await world(talking);
    await say(run, 5);
    await run('compact', '--json');
    for (const n of [5, 6, 7]) await run('-p', `Tell me about part ${n}.`, '--continue');
    const told = await freed('/compact');
    const { costUsd } = JSON.parse((await run('compact', '--json')).out);
    const next = JSON.parse((await run('-p', 'One more.', '--continue', '--output-format', 'json')).out);
    // The answer itself is no part of the figure.
    const paid = costUsd + next.costUsd - (next.usage.outputTokens * 15) / 1_000_000;
    expect(told.costUsd).toBeGreaterThan(paid * 0.75);
    expect(told.costUsd).toBeLessThan(paid * 1.25);
  });

  test('is nothing where a compaction would do nothing', async () => {
    const { run, freed } = await world(talking);
    await say(run, 1);
    expect(await freed('/compact')).toEqual({ tokens: 0, costUsd: null });
    expect(JSON.parse((await run('compact', '--json')).out)).toEqual({ compacted: false });
  });
});

test('what /context says that files would free is what they free to within a twentieth', async () => {
  const names = Array.from({ length: 6 }, (_, n) => `${n}.txt`);
  const script: Script = (_request, n) =>
    n < names.length ? callsTool('read_file', { path: names[n] }) : replies(n === names.length ? prose('All of it', 800) : 'Yes.');
  const { sandbox, run, freed } = await world(script, {
    compaction: { keepRecentMessages: 1 },
    model: { contextWindow: 32_000 },
  });
  for (const name of names) writeFileSync(join(sandbox.cwd, name), prose(name, 110).replaceAll('. ', '.\n'));
  await run('-p', 'Read them all.');
  const told = await freed('tool results to files');
  const lines = (await run('-p', 'And now?', '--continue', '--output-format', 'stream-json')).out.trim().split('\n');
  const [offloaded] = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'offloaded');
  expect(offloaded.results).toHaveLength(names.length);
  const did = offloaded.tokensBefore - offloaded.tokensAfter;
  expect(told.tokens).toBeGreaterThan(did * 0.95);
  expect(told.tokens).toBeLessThan(did * 1.05);
});

describe.each(SIZES)('the number of tokens in a window of $columns by $rows', (size) => {
  test('is one and the same in /context and in sanbot context', async () => {
    const { terminal, world: sandbox } = await talk({ size, args: ['--context-window', '100000'], steps: [replies(prose('It', 40))] });
    terminal.send('tell me\r');
    await terminal.waitForScreen(/· 1 step/);
    terminal.send('/context\r');
    await terminal.waitForScreen(/^(?:Nothing worth freeing|Would be freed by)[\s\S]*\n> $/m);
    const rows = terminal.rows();
    const total = /^Context: ([\d,]+) of/m.exec(rows.join('\n'))?.[1];
    const env = { SANBOT_MODEL: 'claude-sonnet-5-5', SANBOT_CONTEXT_WINDOW: '100000', ANTHROPIC_API_KEY: 'test-key' };
    terminal.send('/quit\r');
    await terminal.exit;
    const json = JSON.parse((await sandbox.run(['context', '--json'], { env })).out);
    expect(json.tokens.toLocaleString('en')).toBe(total);
  });
});
