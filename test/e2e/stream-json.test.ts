import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isToolResult, textOf } from '../../src/domain/session/message.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { binary, createSandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Step } from '../support/scenario.ts';
import { root } from '../support/source.ts';

const STREAM = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
const schemaFile = join(root, 'dist', 'docs', 'stream-json.schema.json');

type LineSchema = { readonly properties: Readonly<Record<string, { readonly const?: string }>>; readonly required: readonly string[] };

/** "reply: usage, costUsd?" */
const fieldsOf = ({ properties: { type, ...fields }, required }: LineSchema): string =>
  `${type?.const}: ${Object.keys(fields)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ')}`;

type Line = Readonly<Record<string, unknown>>;
const user = (text: string, more: Line = {}): string => `${JSON.stringify({ type: 'user', text, ...more })}\n`;

/** The real binary with a model that plays its steps, spoken to line by line. */
async function startStream(steps: readonly Step[] = []) {
  const world = createSandbox();
  let hear = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const answer = (_request: unknown, n: number): Step => {
    hear();
    return steps[n] ?? replies(`reply ${n}`);
  };
  const fake: FakeApi = await startFakeApi(answer, { home: world.home, key: 'test-key' });
  afterThisTest(() => fake.close());
  const env = { ...world.env, ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const child = spawn(process.execPath, [binary, ...STREAM], { cwd: world.cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  afterThisTest(() => void child.kill('SIGKILL'));
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const look of [...waiting]) look();
  });
  const waitFor = (wanted: (line: Line) => boolean, nth = 1): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (lines.filter(wanted).length < nth) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { ...{ asked, world, fake, lines, waitFor, exit }, send: (text: string) => child.stdin.write(text), end: () => child.stdin.end() };
}

const resultsIn = (lines: readonly Line[]): readonly Line[] => lines.filter(({ type }) => type === 'result');

describe('messages as lines of JSON', () => {
  test('are turns of one session, each with its result, in order', async () => {
    const { fake, lines, send, end, exit } = await startStream();
    send(user('one') + user('two'));
    end();
    expect(await exit).toBe(0);
    const [first, second] = resultsIn(lines);
    expect([first, second]).toMatchObject([
      { result: 'reply 0', steps: 1, stopReason: 'end_turn', schema: 1 },
      { result: 'reply 1', steps: 1 },
    ]);
    expect(first?.sessionId).toBe(second?.sessionId);
    expect(fake.requests[1]?.request.messages.map(({ content }) => textOf(content))).toEqual(['one', 'reply 0', 'two']);
  });

  test('stop the turn that runs, and the next one is answered', async () => {
    const { asked, lines, waitFor, send, end, exit } = await startStream([{ answer: { kind: 'mischief', mischief: { how: 'hang' } } }]);
    send(user('one'));
    await asked;
    send('{"type":"interrupt"}\n');
    await waitFor(({ type }) => type === 'result');
    send(user('two'));
    end();
    expect(await exit).toBe(0);
    expect(resultsIn(lines)).toMatchObject([{ stopReason: 'interrupted' }, { result: 'reply 1' }]);
  });

  test('steer the turn that runs where they say so', async () => {
    const { world, fake, lines, waitFor, send, end, exit } = await startStream([callsTool('read_file', { path: 'a.txt' })]);
    writeFileSync(join(world.cwd, 'a.txt'), 'x\n');
    send(user('one') + user('be short', { steer: true }));
    await waitFor(({ type }) => type === 'result');
    end();
    expect(await exit).toBe(0);
    expect(resultsIn(lines)).toHaveLength(1);
    const last = fake.requests[1]?.request.messages.at(-1)?.content ?? [];
    expect([last.some(isToolResult), textOf(last)]).toEqual([true, 'be short']);
  });

  test('are taken as programs for Claude Code write them, as far as they are text', async () => {
    const { fake, send, end, exit } = await startStream();
    const line = (content: unknown) =>
      `${JSON.stringify({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: 'x' })}\n`;
    send(line('one') + line([{ type: 'text', text: 'two' }]));
    send(line([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]));
    end();
    expect(await exit).toBe(2);
    expect(fake.requests[1]?.request.messages.map(({ content }) => textOf(content))).toEqual(['one', 'reply 0', 'two']);
    expect(fake.requests).toHaveLength(2);
  });

  test('that are none end the run after those before them', async () => {
    const { lines, send, end, exit } = await startStream();
    send(`${user('one')}{"type":"user"}\n${user('two')}`);
    end();
    expect(await exit).toBe(2);
    expect(resultsIn(lines)).toMatchObject([
      { result: 'reply 0' },
      { error: { code: 'usage', message: 'Line 2 of stdin is not a stream-json message' } },
    ]);
  });

  test.each([[['-p', 'hello', ...STREAM]], [['--input-format', 'stream-json']]])('%j is refused', async (args) => {
    const ran = await createSandbox().run(args, { stdin: user('one') });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('needs --output-format stream-json')]);
  });
});

describe('the schema of stream-json', () => {
  test('has these lines with these fields: one that goes, or means something else, makes a new version', async () => {
    const { title, $defs } = JSON.parse(readFileSync(schemaFile, 'utf8'));
    const lines: readonly string[] = [...($defs.input.oneOf ?? $defs.input.anyOf), ...$defs.output.anyOf].map(fieldsOf);
    await expect(`${title}\n\n${lines.join('\n')}\n`).toMatchFileSnapshot(join(root, 'test', 'golden', 'stream-json.txt'));
  });

  test('holds for every line of real runs', async () => {
    const { $defs } = JSON.parse(readFileSync(schemaFile, 'utf8'));
    const [input, output] = [z.fromJSONSchema($defs.input), z.fromJSONSchema($defs.output)];
    for (const line of [user('one'), user('two', { steer: true }), '{"type":"interrupt"}'])
      expect(input.safeParse(JSON.parse(line)).success).toBe(true);
    for (const line of ['{"type":"user","text":""}', '{"type":"other"}', '{"type":"user","text":"x","more":1}'])
      expect(input.safeParse(JSON.parse(line)).success).toBe(false);
    const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '8000' });
    writeFileSync(join(world.cwd, 'a.txt'), 'line of a file\n'.repeat(4_000));
    const said = ['read a.txt', 'look at @a.txt', 'run echo hi', 'read a.txt', 'remember the port is 8080', 'status'];
    const ran = await world.run([...STREAM, '--allow', 'run_command'], { stdin: said.map((text) => user(text)).join('') });
    const lines = ran.out.trimEnd().split('\n');
    expect(lines.filter((line) => !output.safeParse(JSON.parse(line)).success)).toEqual([]);
    expect(new Set(lines.map((line) => JSON.parse(line).type)).size).toBeGreaterThan(10);
  });
});
