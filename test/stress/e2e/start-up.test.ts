import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { createMeasure, SEED_RATIO } from '../../../src/context/measure/measure.ts';
import type { HeaderRecord, MessageRecord } from '../../../src/domain/session/record.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { countTokens } from '../../support/count-tokens.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { replies } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';

test('a start from what V8 has kept can load the packages beside the bundle, and warns of nothing', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  for (const start of ['first', 'second', 'third']) {
    const ran = await world.runBinary(['-p', 'list']);
    expect([start, ran.out, ran.err]).toEqual([
      start,
      'list_files returned 1 line:\n.: 0 files in 0 folders\n',
      expect.not.stringContaining('Warning'),
    ]);
  }
});

/** The addresses of the files that a run of the binary loads. */
async function filesLoadedBy(args: readonly string[]): Promise<readonly string[]> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'status']);
  const imports = join(world.cwd, 'imports');
  const ran = await world.runBinary(args, { node: ['--import', join(root, 'test/support/record-imports.mjs')], env: { IMPORTS: imports } });
  expect(ran.code).toBe(0);
  if (!existsSync(imports)) return [];
  const lines = readFileSync(imports, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return [...new Set(lines.map((line) => line.split(' ')[0] ?? ''))];
}

const filesOf = async (args: readonly string[]): Promise<number> =>
  (await filesLoadedBy(args)).filter((file) => file.includes('/dist/bundle/')).length;

/** What it loads: the sources that the files of the bundle hold, and packages beside it, by their paths. */
const loadedBy = async (args: readonly string[]): Promise<readonly string[]> => sourcesOf(await filesLoadedBy(args));

function sourcesOf(files: readonly string[]): readonly string[] {
  return files.flatMap((file) => {
    if (file.startsWith('node:')) return [];
    const [, chunk] = /\/dist\/bundle\/([^/]+\.js)$/.exec(file) ?? [];
    if (chunk === undefined) return [file];
    const map = join(root, 'dist', 'bundle', `${chunk}.map`);
    return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')).sources as readonly string[]) : [];
  });
}

/** The packages among them. */
async function packagesOf(args: readonly string[]): Promise<readonly string[]> {
  const found = (await loadedBy(args)).flatMap((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(found)].sort();
}

const heavy = ['@anthropic-ai/sdk', 'marked', 'highlight.js', '@inquirer/prompts', 'ora', 'diff', 're2js'];

test.each([['history'], ['sessions'], ['history', '--json', '--help']])(
  'sanbot %s loads neither the SDK nor what only a conversation needs',
  async (...args) => {
    expect((await packagesOf(args)).filter((name) => heavy.includes(name))).toEqual([]);
  },
);

test.each([['--version'], ['--help'], ['help'], ['memory', 'add', '--help'], ['help', 'history']])(
  'sanbot %s loads nothing of the program',
  async (...args) => {
    expect(await loadedBy(args)).toEqual([expect.stringMatching(/\/bin\/sanbot\.js$/)]);
  },
);

test('a help that the program lays out loads the command line and what tells its language and width, in few files', async () => {
  const width = ['ansi-regex', 'get-east-asian-width', 'string-width', 'strip-ansi'];
  expect(await packagesOf(['history', '--json', '--help'])).toEqual([...width, 'commander', 'jsonc-parser'].sort());
  expect(await filesOf(['history', '--json', '--help'])).toBeLessThanOrEqual(5);
});

test('an answer loads few files, and no part of Node that only tools and endpoints use', async () => {
  expect(await filesOf(['-p', 'status'])).toBeLessThanOrEqual(20);
  const late = ['child_process', 'crypto', 'dns', 'dns/promises', 'http', 'https', 'tty'].map((name) => `node:${name}`);
  const loaded = await filesLoadedBy(['-p', 'status']);
  expect(loaded).toContain('node:zlib');
  expect(loaded.filter((name) => late.includes(name))).toEqual([]);
});

test.each([[['history']], [['-p', 'status']]])('sanbot %j loads nothing of what other programs import', async (args) => {
  const loaded = await loadedBy(args);
  expect(loaded.filter((path) => /\/src\/library\/|\/dist\/exports\//.test(path))).toEqual([]);
  expect(loaded.filter((path) => path.includes('/src/domain/errors.ts'))).toHaveLength(1);
});

test('nothing of the protocol of editors is loaded but for an editor', async () => {
  const isOfEditors = (path: string): boolean => /@agentclientprotocol|src\/commands\/acp\/(?!acp-command)/.test(path);
  for (const args of [['-p', 'status'], ['history'], ['acp', '--help', '--home', '.']])
    expect((await loadedBy(args)).filter(isOfEditors)).toEqual([]);
  expect((await loadedBy(['acp'])).filter(isOfEditors)).not.toEqual([]);
});

test('a first prompt of an editor is sent before what it does not need is loaded', async () => {
  const world = createSandbox();
  const imports = join(world.cwd, 'imports');
  const read = (): readonly string[] => [...new Set(readFileSync(imports, 'utf8').split('\n'))].map((line) => line.split(' ')[0] ?? '');
  let before: readonly string[] = [];
  const api = await startFakeApi(() => {
    before = read();
    return replies('Done.');
  });
  afterThisTest(api.close);
  const env = { ...world.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'k', IMPORTS: imports };
  const child = spawn(process.execPath, ['--import', join(root, 'test/support/record-imports.mjs'), binary, 'acp'], {
    cwd: world.cwd,
    env,
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const commands = new Promise<void>((resolve) => {
    client({ name: 'editor' })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.update.sessionUpdate === 'available_commands_update') resolve();
      })
      .connectWith(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), async (agent) => {
        await agent.request(methods.agent.initialize, { protocolVersion: 1 });
        const { sessionId } = await agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [] });
        await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
        await commands;
      })
      .finally(() => child.stdin.end());
  });
  await ended;
  // What is listed to be typed comes behind it, and nobody has asked for a sandbox.
  const late = /src\/(?:terminal\/(?:slash|repl|live|prompt)\/|tools\/command\/sandbox\/(?:sandbox|covers)\.ts)/;
  expect(sourcesOf(before).filter((path) => /@anthropic-ai\/sdk/.test(path))).not.toEqual([]);
  expect(sourcesOf(before).filter((path) => late.test(path))).toEqual([]);
  expect(sourcesOf(read()).filter((path) => late.test(path))).not.toEqual([]);
});

test('nothing of the server for other agents is loaded but for one of them', async () => {
  const isOfServer = (path: string): boolean => /@modelcontextprotocol\/server|src\/commands\/mcp\/serve\//.test(path);
  for (const args of [['-p', 'status'], ['history'], ['mcp'], ['mcp', 'serve', '--help', '--home', '.']])
    expect((await loadedBy(args)).filter(isOfServer)).toEqual([]);
  expect((await loadedBy(['mcp', 'serve'])).filter(isOfServer)).not.toEqual([]);
});

test('history counts no tokens, and an offline turn never loads the SDK', async () => {
  const counter = 'src/context/measure/byte-pairs.ts';
  expect((await loadedBy(['history'])).filter((path) => path.endsWith(counter))).toEqual([]);
  const turn = await loadedBy(['-p', 'status', '--continue']);
  expect(turn.filter((path) => path.endsWith(counter))).toHaveLength(1);
  expect(turn.filter((path) => path.includes('@anthropic-ai/sdk'))).toEqual([]);
});

describe('the first request', () => {
  /** What a run did first, the session's header, and what the audit log says of the request. */
  async function firstOf(env: Readonly<Record<string, string>>) {
    const api = await startFakeApi([replies('Done.')]);
    afterThisTest(api.close);
    const world = createSandbox({ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'k', ...env });
    const sending = join(world.cwd, 'sending');
    const ran = await world.runBinary(['-p', 'hello'], {
      node: ['--import', join(root, 'test/support/record-sending.mjs')],
      env: { SENDING: sending },
    });
    expect([ran.code, ran.out]).toEqual([0, 'Done.\n']);
    const [id = ''] = world.names('sessions');
    const [header, said] = world.records(`sessions/${id}/log.jsonl`) as unknown as readonly [HeaderRecord, MessageRecord];
    const request = world.records('context/events.jsonl').find(({ type }) => type === 'request');
    const count = createMeasure(countTokens).context({ ...header.context, messages: [said.message] }, SEED_RATIO);
    return { order: readFileSync(sending, 'utf8').trim().split('\n'), tokens: request?.tokens, counted: count.tokens };
  }

  test('leaves before the vocabulary of the tokenizer is read, and its exact size is stored all the same', async () => {
    const { order, tokens, counted } = await firstOf({});
    expect(order).toEqual(['sent', 'vocabulary']);
    expect(tokens).toBe(counted);
  });

  test('waits for the counter in a window where that may decide', async () => {
    const { order, tokens, counted } = await firstOf({ SANBOT_CONTEXT_WINDOW: '16000' });
    expect(order).toEqual(['vocabulary', 'sent']);
    expect(tokens).toBe(counted);
  });
});

test('a turn that only reads loads nothing of what keeps the working folder, so it costs nothing; one that may write does', async () => {
  const isOfChanges = (path: string): boolean => path.includes('/store/changes/');
  const loadedByTurn = async (command: string): Promise<readonly string[]> =>
    (await loadedBy(['-p', command, '--allow', 'run_command'])).filter(isOfChanges);
  expect(await loadedByTurn('run cat /etc/hosts | grep -v x | sort')).toEqual([]);
  expect(await loadedByTurn('read imports')).toEqual([]);
  expect(await loadedByTurn('run touch x')).not.toEqual([]);
});
