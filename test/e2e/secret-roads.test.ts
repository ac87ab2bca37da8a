import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { textPdf } from '../support/pictures.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Script, type Step } from '../support/scenario.ts';
import { createWorld } from '../unit/tools/world.ts';

const BODY = 'q7Zt3mW9xK2vB5nR8yL4cJ6dF1hG0sPaQ3wE';
const TOKEN = `ghp_${BODY}`;
/** As JSON writes a line, as it is written in JSON again, and as grep marks what it found. */
const FORMS: Readonly<Record<string, string>> = {
  'in JSON': `found ${JSON.stringify({ out: `A=1\n${TOKEN}` })} there`,
  'in JSON twice': `found ${JSON.stringify(JSON.stringify({ out: `A=1\n${TOKEN}` }))} there`,
  coloured: `found A=\x1b[01;31m\x1b[K${TOKEN}\x1b[m\x1b[K there`,
};
const ALL = `${Object.values(FORMS).join('\n')}\n`;
const pieces = Array.from({ length: BODY.length - 7 }, (_, at) => BODY.slice(at, at + 8));
const leaked = (text: string): readonly string[] => pieces.filter((piece) => text.includes(piece));

type Road = {
  /** What the model does; the last step is its answer. */
  readonly steps?: readonly Step[] | Script;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly args?: readonly string[];
  readonly prompt?: string;
  /** Where it stands before the turn. */
  readonly put?: (world: Sandbox) => void;
  /** How often a mark takes its place in what the model gets; at least once when left out. */
  readonly marks?: number;
  /** What the model itself says is kept as it is. */
  readonly isSaidByModel?: boolean;
};

const inFile =
  (name: string, text = ALL) =>
  ({ cwd }: Sandbox): void =>
    writeFileSync(join(cwd, name), text);
const one = (name: string, input: unknown): readonly Step[] => [callsTool(name, input), replies('done')];
const hook = (context: string): string =>
  `node -e 'console.log(JSON.stringify({hookSpecificOutput:{hookEventName:process.argv[1],additionalContext:require("fs").readFileSync("keys.txt","utf8")}}))' ${context}`;

const roads: Readonly<Record<string, Road>> = {
  'the output of a command': { put: inFile('keys.txt'), steps: one('run_command', { command: 'cat keys.txt' }), marks: 3 },
  'what a command says of an error': {
    put: inFile('keys.txt'),
    steps: one('run_command', { command: 'cat keys.txt >&2; false' }),
    marks: 3,
  },
  'the output of a job': {
    put: inFile('keys.txt'),
    steps: [
      callsTool('run_command', { command: 'cat keys.txt; echo ready', background: true }),
      callsTool('read_output', { job: 'job-1', wait_ms: 20_000 }),
      replies('done'),
    ],
    marks: 3,
  },
  'a file': { put: inFile('keys.txt'), steps: one('read_file', { path: 'keys.txt' }), marks: 3 },
  'lines that a search finds': { put: inFile('keys.txt'), steps: one('search', { pattern: 'found' }), marks: 3 },
  'names of files': { put: inFile(`A=1\n${TOKEN}.txt`, 'x'), steps: one('list_files', {}) },
  'a file that is named with @': { put: inFile('keys.txt'), prompt: 'see @keys.txt', marks: 3 },
  'the result of an MCP tool': {
    put: ({ cwd }) => writeFileSync(join(cwd, 'keys.json'), JSON.stringify(ALL)),
    settings: { mcpServers: { desk: { command: process.execPath, args: ['desk.mjs'] } } },
    steps: one('call_tool', { name: 'mcp__desk__echo', arguments: { text: 'KEYS' } }),
  },
  'what a hook says before a turn': { put: inFile('keys.txt'), settings: { hooks: { UserPromptSubmit: [hook('UserPromptSubmit')] } } },
  'what a hook says when a session starts': { put: inFile('keys.txt'), settings: { hooks: { SessionStart: [hook('SessionStart')] } } },
  'what a hook says of a call': {
    put: inFile('keys.txt'),
    settings: { hooks: { PostToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: hook('PostToolUse') }] }] } },
    steps: one('list_files', {}),
  },
  'instructions of a folder': {
    put: inFile('AGENTS.md', `Deploy so: ${FORMS['in JSON']} ${FORMS['in JSON twice']}`),
    args: ['--trust'],
    marks: 2,
  },
  'the message of an error': {
    put: ({ cwd }) => {
      writeFileSync(join(cwd, 'a.txt'), 'x');
      writeFileSync(join(cwd, 'keys.sh'), `cat ./${TOKEN}/none\n`);
    },
    steps: one('run_command', { command: 'sh keys.sh' }),
  },
  'the answer of a helper': {
    put: inFile('keys.txt'),
    isSaidByModel: true,
    steps: ({ messages }) => {
      const isHelper = JSON.stringify(messages[0]).includes('look for it');
      const isLast = messages.at(-1)?.role === 'user' && messages.length > 1;
      if (isHelper) return replies(ALL);
      return isLast ? replies('done') : callsTool('task', { task: 'look for it' });
    },
  },
};

test.each(Object.entries(roads))('a token behind an escape, in JSON and coloured is masked: %s', async (_, road) => {
  const { steps = [replies('done')], settings = {}, prompt = 'go', put, args = [] } = road;
  const world = createSandbox();
  put?.(world);
  writeFileSync(join(world.cwd, 'desk.mjs'), desk);
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  const api = await startFakeApi(steps, { home: world.home });
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' };
  const ran = await world.run(['-p', prompt, '--permission-mode', 'bypass', '--output-format', 'stream-json', ...args], { env });
  expect({ code: ran.code, err: leaked(ran.err) }).toEqual({ code: 0, err: [] });
  const main = JSON.stringify(api.requests.at(-1)?.body);
  expect(leaked(main)).toEqual([]);
  expect(main.match(/\[redacted [^\]]*token\]/g)?.length ?? 0).toBeGreaterThanOrEqual(road.marks ?? 1);
  if (road.isSaidByModel === true) return;
  expect(leaked(ran.out)).toEqual([]);
  expect(keepsIt(world.home)).toEqual([]);
});

test('and in what ! prints, on the screen too, and in a conversation that was recorded elsewhere', async () => {
  const world = createSandbox();
  inFile('keys.txt')(world);
  const api = await startFakeApi([replies('done'), replies('done')], { home: world.home });
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' };
  const terminal = await world.runAtTerminal([], { env });
  await terminal.waitFor(/> $/);
  terminal.send('!cat keys.txt\r');
  await terminal.waitFor('[redacted');
  await terminal.waitFor(/> $/);
  terminal.send('go\r');
  await terminal.waitFor('done');
  terminal.send('/quit\r');
  await terminal.exit;
  const at = '2026-01-02T03:04:05.000Z';
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'cat keys.txt' } }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: ALL }] };
  const lines = [
    { type: 'user', message: { role: 'user', content: 'show it' } },
    { type: 'assistant', message: call },
    { type: 'user', message: result },
  ].map((line, n) => JSON.stringify({ ...line, uuid: `u${n}`, sessionId: 's', timestamp: at }));
  inFile('recorded.jsonl', `${lines.join('\n')}\n`)(world);
  expect(await world.run(['import', 'recorded.jsonl'])).toMatchObject({ code: 0 });
  expect(await world.run(['-p', 'go', '--continue'], { env })).toMatchObject({ code: 0 });
  const [typed, recorded] = api.requests.map(({ body }) => JSON.stringify(body));
  expect([typed, recorded].map((sent) => sent?.match(/\[redacted [^\]]*token\]/g)?.length)).toEqual([3, 3]);
  expect([terminal.text(), typed ?? '', recorded ?? ''].flatMap(leaked)).toEqual([]);
  expect(keepsIt(world.home)).toEqual([]);
});

test('and in a title, in a page of the web, and in the text of a PDF', async () => {
  const offline = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await offline.run(['-p', `${FORMS['in JSON']}`]);
  const shown = await Promise.all([['sessions'], ['sessions', '--json'], ['events', '--json']].map((args) => offline.run(args)));
  expect(shown.flatMap(({ out }) => leaked(out))).toEqual([]);
  const [id = ''] = offline.names('sessions');
  await offline.run(['sessions', 'rename', id, FORMS['in JSON'] ?? '']);
  expect(leaked((await offline.run(['sessions'])).out)).toEqual([]);

  const page = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(ALL));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void page.close());
  const dial = () => ({ addresses: ['127.0.0.1'], port: (page.address() as AddressInfo).port });
  const web = { resolve: async () => ['93.184.215.14'], dial, proxyFor: () => undefined, allowsLocal: () => false };
  const tools = createWorld({ web });
  tools.put('paper.pdf', textPdf([`found "A=1\\\\n${TOKEN}" there`]));
  const results = [await tools.call('fetch_url', { url: 'http://pages.test/' }), await tools.call('read_file', { path: 'paper.pdf' })];
  for (const { content, ok } of results) expect([ok, content.includes('[redacted'), leaked(content)]).toEqual([true, true, []]);
});

/** Answers with the keys. */
const desk = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
process.argv.splice(2);
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'desk', version: '1' } });
  else if (method === 'tools/list') send(id, { tools: [{ name: 'echo', description: 'Says it.', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') send(id, { content: [{ type: 'text', text: JSON.parse(readFileSync('keys.json', 'utf8')) }] });
  else if (id !== undefined) send(id, {});
});
`;

/** Files of the home in which it stands; what is kept of files so that they can be restored is as it was. */
const keepsIt = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/changes/') && leaked(readFileSync(path, 'latin1')).length > 0);
