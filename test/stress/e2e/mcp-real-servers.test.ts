import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { benchPackage, noBenchPackages } from '../../support/bench-package.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { askModel, callsMcp, resultsOf, worldWith } from '../../support/mcp.ts';
import { callsTool } from '../../support/scenario.ts';

const everything = benchPackage('@modelcontextprotocol/server-everything/package.json');
const servers = join(everything ?? '', '..', '..');

const program = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [join(servers, name, 'dist', 'index.js'), ...args],
});

/** A port that is free now. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address === null || typeof address === 'string' ? reject(new Error('no port')) : resolve(address.port)));
    });
  });

/** The same server over HTTP, until the test is over. */
async function startEverything(): Promise<string> {
  const port = await freePort();
  const { command, args } = program('server-everything', 'streamableHttp');
  const child = spawn(command, args, { env: { PATH: process.env.PATH, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  afterThisTest(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('listening on port')) resolve();
    });
    child.once('exit', () => reject(new Error(`it ended: ${text}`)));
  });
  return `http://127.0.0.1:${port}/mcp`;
}

describe.skipIf(everything === undefined).each([
  ['stdio', async () => program('server-everything', 'stdio')],
  ['HTTP', async () => ({ url: await startEverything() })],
] as const)(`server-everything over %s (skipped where ${noBenchPackages})`, (_, setting) => {
  test('gives texts, sums, images, links and progress', async () => {
    const world = worldWith({ all: await setting() });
    const calls = [
      callsTool('tool_search', { words: 'sum of two numbers' }),
      callsMcp('mcp__all__echo', { message: 'hello' }),
      callsMcp('mcp__all__get-sum', { a: 19, b: 23 }),
      callsMcp('mcp__all__get-tiny-image'),
      callsMcp('mcp__all__get-resource-links', { count: 2 }),
      callsMcp('mcp__all__trigger-long-running-operation', { duration: 0.2, steps: 2 }),
      callsMcp('mcp__all__get-sum', { a: 'nineteen' }),
    ];
    const { ran, api } = await askModel(world, calls, ['--permission-mode', 'bypass', '--output-format', 'stream-json']);
    expect(ran.code, ran.err).toBe(0);
    const [found, echoed, sum, image, links, long, wrong] = resultsOf(api);
    expect(found).toContain('mcp__all__get-sum: ');
    expect(echoed).toContain('hello');
    expect(sum).toContain('42');
    expect(image).toMatch(/\[image 1: PNG image, 20 × 20 pixels, \d+ bytes, below\][\s\S]*<image>/);
    expect(links?.match(/^\[resource .*: demo:\/\//gm)).toHaveLength(2);
    expect(long).toContain('completed');
    expect(wrong).toContain('"b" is missing. It takes {');
    const told = ran.out.split('\n').filter((line) => line.includes('"tool_progress"'));
    expect(JSON.parse(told[0] ?? '{}')).toMatchObject({ tool: 'mcp__all__trigger-long-running-operation', text: '1 of 2' });
  });
});

test.skipIf(everything === undefined)('server-filesystem reads what lies in its folder, and nothing else', async () => {
  const world = worldWith({});
  const folder = join(world.cwd, 'notes');
  mkdirSync(folder);
  writeFileSync(join(folder, 'release.md'), 'The release is on Friday.');
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { notes: program('server-filesystem', folder) } }));
  const { api } = await askModel(world, [
    callsMcp('mcp__notes__list_directory', { path: folder }),
    callsMcp('mcp__notes__read_text_file', { path: join(folder, 'release.md') }),
    callsMcp('mcp__notes__read_text_file', { path: join(world.home, 'config.json') }),
  ]);
  const [listed, read, refused] = resultsOf(api);
  expect(listed).toContain('release.md');
  expect(read).toContain('The release is on Friday.');
  expect(refused).toContain('denied');
});

test.skipIf(everything === undefined)('server-memory keeps what it is told, from one process of it to the next', async () => {
  const world = worldWith({});
  const file = join(world.cwd, 'graph.jsonl');
  const memory = { ...program('server-memory'), env: { MEMORY_FILE_PATH: file } };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { memory } }));
  const entity = { name: 'Desk', entityType: 'thing', observations: ['stands by the window'] };
  await askModel(world, [callsMcp('mcp__memory__create_entities', { entities: [entity] })]);
  expect(existsSync(file)).toBe(true);
  const { api } = await askModel(world, [callsMcp('mcp__memory__read_graph')]);
  expect(resultsOf(api)[0]).toContain('stands by the window');
});
