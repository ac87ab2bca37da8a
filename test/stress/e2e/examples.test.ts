import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { type FakeApi, type FakeWire, startFakeApi } from '../../support/fake-api.ts';
import { chatWire } from '../../support/fake-chat.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Script } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';
import { goodSummary } from '../../support/summary.ts';

const MAX_LINES = 60;

/** Runs an example against a strict fake, which `done` asks whether all went as the API wants it. */
async function runExample(name: string, script: Script, { env, wire, args }: ExampleOptions) {
  expect(
    readFileSync(join(root, 'examples', name), 'utf8')
      .trimEnd()
      .split('\n').length,
  ).toBeLessThan(MAX_LINES);
  const api = await startFakeApi(script, { ...(wire !== undefined && { wire }) });
  afterThisTest(api.close);
  const world = createSandbox(env(api));
  const ran = await world.runBinary(args, { program: join(root, 'examples', name) });
  api.done();
  return { ran, api };
}

type ExampleOptions = {
  readonly env: (api: FakeApi) => Readonly<Record<string, string>>;
  readonly wire?: FakeWire;
  readonly args: readonly string[];
};

const questions = Array.from({ length: 12 }, (_, at) => `Question ${at}: what is module-${at}.ts for?`);
const answer = (n: number): string => `Answer ${n}. ${'It is one of many, and it does what its name says. '.repeat(200)}`;

/** One call of a tool, then long answers; a summary where one is asked for. */
const talk =
  (tool: string, input: unknown): Script =>
  ({ purpose }, n) => {
    if (purpose === 'summary') return replies(goodSummary);
    return n === 0 ? callsTool(tool, input) : replies(answer(n));
  };

const isTold = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('Answer') || line.startsWith('('));

test('a loop over the Anthropic SDK goes on for as long as it likes, in a small window', async () => {
  const { ran, api } = await runExample('anthropic-loop.mjs', talk('read_file', { path: join(root, 'package.json') }), {
    env: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k', WINDOW: '16000' }),
    args: questions,
  });
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(isTold(ran.out).filter((line) => line.startsWith('Answer'))).toHaveLength(questions.length);
  expect(isTold(ran.out)).toContain('(compacted)');
  expect(JSON.stringify(api.requests[1]?.body)).toContain('\\"name\\": \\"sanbot\\"');
});

test.skipIf(!existsSync(join(root, 'node_modules/openai')))('a loop over the OpenAI client does the same', async () => {
  const { ran, api } = await runExample('openai-loop.mjs', talk('clock', {}), {
    env: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'k', MODEL: 'local', WINDOW: '16000' }),
    wire: chatWire(),
    args: questions,
  });
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(isTold(ran.out).filter((line) => line.startsWith('Answer'))).toHaveLength(questions.length);
  expect(isTold(ran.out)).toContain('(compacted)');
  expect(JSON.stringify(api.requests[1]?.body)).toMatch(/"role":"tool".*\d\d:\d\d/);
});

test('a whole agent calls a tool of its own, compacts, takes that back and goes on', async () => {
  const script: Script = ({ purpose }, n) => {
    if (purpose === 'summary') return replies(goodSummary);
    if (n === 0) return callsTool('count_nuts', { bag: 'blue' });
    return replies(n === 1 ? `Seven. ${'They were counted with care. '.repeat(2_000)}` : 'Seven.');
  };
  const { ran } = await runExample('whole-agent.mjs', script, {
    env: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'k' }),
    args: ['How many nuts are in the blue bag?', 'Are you sure?', 'Really?'],
  });
  expect([ran.code, ran.err]).toEqual([0, '']);
  expect(ran.out.split('\n').map((line) => line.slice(0, 40).replace(/\d{3,}/, 'N'))).toEqual([
    '> count_nuts {"bag":"blue"}',
    'Seven. They were counted with care. They',
    'Seven.',
    'A compaction would save N tokens.',
    expect.stringMatching(/^compacted, \d messages$/),
    'undone, 6 messages',
    'Seven.',
    '',
  ]);
});
