import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startFakeApi } from '../../support/fake-api.ts';
import { gif, pdf, png } from '../../support/pictures.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';

type Row = readonly [tool: string, input: object, told: RegExp];

/** What a model may get wrong, or a server or a file may be; and what it is told of it. */
const parts: Readonly<Record<string, readonly Row[]>> = {
  'MCP servers': [
    ['call_tool', { name: 'mcp__nowhere__look', arguments: {} }, /there is no such MCP server. There are dead, tools/],
    ['call_tool', { name: 'read_file', arguments: { path: 'a' } }, /is no tool of an MCP server; their names begin with mcp__/],
    ['call_tool', { name: 'mcp__dead__look', arguments: {} }, /the server does not answer: .*not-there: no such file/],
    ['call_tool', { name: 'mcp__tools__nothing', arguments: {} }, /the server has no such tool. Did you mean/],
    ['call_tool', { name: 'mcp__tools__echo', arguments: {} }, /text.{3,8}is missing. It takes/],
    ['call_tool', { name: 'mcp__tools__echo', arguments: 'text' }, /arguments must be an object. It takes/],
    ['call_tool', { arguments: {} }, /name.{3,8}is missing. It takes name/],
    ['call_tool', { name: '__proto__' }, /is no tool of an MCP server/],
    ['tool_search', { words: 5 }, /words.{3,8}must be a string, got 5/],
  ],
  'images and PDFs': [
    ['read_file', { path: 'cut.png' }, /cut.png: is a PNG image that is damaged or cut off \(40 bytes\)/],
    ['read_file', { path: 'wide.gif' }, /is a GIF image of 9000 × 2 pixels; at most 8000 on a side can be sent/],
    ['read_file', { path: 'heavy.png' }, /is a PNG image of 4000081 bytes; at most 3750000 can be sent/],
    ['read_file', { path: 'cut.pdf' }, /cut.pdf: is a PDF that is damaged or cut off/],
    ['read_file', { path: 'locked.pdf' }, /locked.pdf: is a PDF that is encrypted/],
    ['read_file', { path: 'long.pdf' }, /long.pdf: is a PDF that is damaged: its pages cannot be read/],
    ['read_file', { path: 'none.png' }, /none.png: no such file/],
    ['read_file', { path: 'a.png', offset: 0 }, /offset.{3,8}must be at least 1, got 0/],
  ],
  'web pages': [
    ['fetch_url', { url: 'not an address' }, /not an address is no address; give all of it, with https/],
    ['fetch_url', { url: '' }, /url.{3,8}is empty/],
    ['fetch_url', {}, /url.{3,8}is missing/],
    ['fetch_url', { url: 'ftp://example.com/' }, /ftp: is not read; only http: and https: are/],
    ['fetch_url', { url: 'file:///etc/passwd' }, /file: is not read/],
    ['fetch_url', { url: 'http://me:secret@example.com/' }, /an address with a name or a password in it is not read/],
    ['fetch_url', { url: 'http://169.254.169.254/latest/meta-data' }, /169.254.169.254 is not on the public internet/],
    ['fetch_url', { url: 'http://[::1]:9/' }, /is this machine, and no allow rule names it/],
    ['fetch_url', { url: 'http://localhost:9/' }, /localhost:9 is this machine, and no allow rule/],
    ['fetch_url', { url: `http://example.com/${'a'.repeat(3_000)}` }, /must be at most 2000 characters long/],
  ],
  'commands, edits and questions': [
    ['run_command', { command: '' }, /command.{3,8}is empty/],
    ['run_command', { command: 'true', timeout_ms: -1 }, /timeout_ms.{3,8}must be at least 1, got -1/],
    ['run_command', { command: 'a\0b' }, /a command cannot contain a NUL character/],
    ['run_command', { command: 'exit 3', background: 'yes' }, /background.{3,8}must be a boolean, got the text/],
    ['read_output', { job: 'job-9' }, /there is no background command job-9/],
    ['read_output', { job: '../../log' }, /there is no background command/],
    ['read_output', {}, /job.{3,8}is missing/],
    ['stop_command', { job: 'job-0' }, /there is no background command job-0/],
    ['edit_file', { path: 'a.txt', edits: [] }, /edits.{3,8}must be at least 1 item long/],
    [
      'edit_file',
      {
        path: 'a.txt',
        edits: [
          { old_string: 'one', new_string: '1' },
          { old_string: 'nowhere', new_string: '2' },
        ],
      },
      /edits\[1\] cannot be made, so none was: old_string is not in the file/,
    ],
    [
      'edit_file',
      {
        path: 'a.txt',
        edits: [
          { old_string: 'one', new_string: '1' },
          { old_string: 'one', new_string: '2' },
        ],
      },
      /edits\[1\] cannot be made, so none was/,
    ],
    ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'one' }, /old_string and new_string are the same/],
    ['edit_file', { path: 'a.txt', old_string: '', new_string: 'x' }, /old_string is empty; give the text to replace/],
    ['edit_file', { path: 'none.txt', old_string: 'a', new_string: 'b' }, /none.txt: no such file; write_file makes a new one/],
    ['ask_user', { question: 'Which?', choices: [] }, /choices.{3,8}must be at least 2 items long/],
    [
      'ask_user',
      { question: 'Which?', choices: Array.from({ length: 60 }, (_, i) => `choice ${i}`) },
      /choices.{3,8}must be at most 9 items long/,
    ],
    ['ask_user', { question: '', choices: ['a', 'b'] }, /question.{3,8}is empty/],
    ['ask_user', { question: 'Which?', choices: ['a', 'b'] }, /There is nobody to ask/],
  ],
};

const rows = Object.values(parts).flat();
const results: { readonly text: string; readonly failed: boolean }[] = [];
let ended: { readonly code: number | null; readonly out: string; readonly err: string };

beforeAll(async () => {
  const world = createSandbox();
  const put = (name: string, content: string | Buffer) => writeFileSync(join(world.cwd, name), content);
  put('a.txt', 'one two three\n');
  put('a.png', png(4, 3));
  put('cut.png', png(40, 30).subarray(0, 40));
  put('wide.gif', gif(9_000, 2));
  put('heavy.png', Buffer.concat([png(40, 30), Buffer.alloc(4_000_000)]));
  put('cut.pdf', pdf(1).subarray(0, 60));
  put('locked.pdf', pdf(1, '/Encrypt 9 0 R\n'));
  put('long.pdf', pdf(101));
  mkdirSync(world.home, { mode: 0o700 });
  const mcpServers = {
    dead: { command: join(world.cwd, 'not-there') },
    tools: { command: process.execPath, args: [join(root, 'test', 'support', 'mcp-server.mjs')] },
  };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers }), { mode: 0o600 });
  const api = await startFakeApi(
    (_request, n) => {
      if (n === 0) return callsTool('read_file', { path: 'a.txt' });
      const row = rows[n - 1];
      return row === undefined ? replies('All of it was refused.') : callsTool(row[0], row[1]);
    },
    { home: world.home },
  );
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  ended = await world.runBinary(['-p', 'try all of it', '--permission-mode', 'bypass', '--max-steps', '200'], { env });
  await api.close();
  for (const { request } of api.requests.slice(2)) {
    const content = request.messages.at(-1)?.content;
    const result = Array.isArray(content) ? content.find(({ type }) => type === 'tool_result') : undefined;
    results.push({ text: JSON.stringify(result?.content ?? ''), failed: result?.is_error === true });
  }
});

test.each([
  [{ 'bad name!': { command: 'x' } }, 'mcpServers: expected a name of at most 30 letters, digits, hyphens and single underscores'],
  [{ neither: {} }, 'mcpServers.neither: expected either command'],
  [{ both: { command: 'x', url: 'https://example.com/' } }, 'mcpServers.both'],
])('a server that is set wrong (%o) is told with its place before anything begins', async (mcpServers, told) => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers }), { mode: 0o600 });
  const { code, err } = await world.runBinary(['-p', 'hello']);
  expect(code).not.toBe(0);
  expect(err).toContain('config.json:1:');
  expect(err).toContain(told);
});

test('nothing of it ends the session', () => {
  expect([ended.code, ended.out], ended.err).toEqual([0, 'All of it was refused.\n']);
  expect(results).toHaveLength(rows.length);
});

describe.each(Object.entries(parts))('of %s', (_part, own) => {
  test.each(
    own.map(([tool, input, told]) => [tool, JSON.stringify(input).slice(0, 80), told, rows.findIndex((row) => row[1] === input)] as const),
  )('%s %s is told as %s', (_tool, _input, told, at) => {
    expect(results[at]?.text).toMatch(told);
    expect(results[at]?.failed).toBe(true);
  });
});
