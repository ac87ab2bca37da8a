import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { startHttpServer } from '../../support/mcp-serve.ts';
import { startRecallingModel } from '../../support/recalling-model.ts';
import { asClaudeCode } from '../../support/recorded.ts';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

/** Where `npm run bench:clients` and `npm run bench:agents` put what they install, each beside the other. */
const folders = ['clients', 'agents'].map((name) => join(root, 'bench', name, 'node_modules'));

/** Undefined for what was not installed. */
const installed = (name: string): string | undefined => folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

type Ran = { readonly code: number | null; readonly out: string };

function run(command: string, args: readonly string[], { cwd, env }: Pick<Sandbox, 'cwd' | 'env'>): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    afterThisTest(() => void child.kill('SIGKILL'));
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: Buffer.concat(pieces).toString() }));
  });
}

/** A project with a session that SanBot made and one that was imported, and `sanbot` on the path. */
async function project(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const world = createSandbox();
  await world.run(['-p', 'the kingfisher listens on port 4071']);
  writeFileSync(
    join(world.cwd, 'other.jsonl'),
    asClaudeCode([{ user: 'where is the otter?' }, { says: 'The otter is at pier 77.', calls: [] }]),
  );
  await world.run(['import', 'other.jsonl']);
  const bin = join(dirname(world.home), 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'sanbot'), `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`, { mode: 0o755 });
  return {
    ...world,
    env: { ...world.env, ...env, PATH: [bin, ...folders.map((folder) => join(folder, '.bin')), world.env.PATH].join(delimiter) },
  };
}

const queries = ['kingfisher', 'otter'];
const passages = ['port 4071', 'pier 77'];

type Agent = {
  readonly name: string;
  readonly package: string;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** As docs/mcp-server.md has it. */
  readonly add: (world: Sandbox, url: string) => Promise<unknown>;
  readonly ask: (world: Sandbox, url: string) => Promise<Ran>;
};

const PROMPT = 'Where do the kingfisher and the otter stand?';

const agents: readonly Agent[] = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'k',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Else it offers tools of servers only once the model has looked for them.
      ENABLE_TOOL_SEARCH: 'false',
    }),
    add: (world) => run('claude', ['mcp', 'add', 'sanbot', '--', 'sanbot', 'mcp', 'serve'], world),
    ask: (world) => run('claude', ['-p', PROMPT, '--allowedTools', 'mcp__sanbot__recall'], world),
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    env: () => ({ LOOPBACK_KEY: 'k' }),
    add: (world) => run('codex', ['mcp', 'add', 'sanbot', '--', 'sanbot', 'mcp', 'serve'], world),
    ask: (world, url) => {
      const provider = `{ name = "loopback", base_url = "${url}/v1", wire_api = "responses", env_key = "LOOPBACK_KEY" }`;
      const settings = ['model_provider="loopback"', `model_providers.loopback=${provider}`];
      return run(
        'codex',
        [
          'exec',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          '-m',
          'gpt-5.2',
          ...settings.flatMap((each) => ['-c', each]),
          PROMPT,
        ],
        world,
      );
    },
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
    add: async (world, url) => {
      const provider = { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'k' }, models: { m: { name: 'm' } } };
      const sanbot = { type: 'local', command: ['sanbot', 'mcp', 'serve'] };
      writeFileSync(join(world.cwd, 'opencode.json'), JSON.stringify({ provider: { loopback: provider }, mcp: { sanbot } }));
    },
    ask: (world) => run('opencode', ['run', '-m', 'loopback/m', PROMPT], world),
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    env: (url) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url }),
    add: async (world) => {
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      };
      outputJsonSync(join(world.env.HOME ?? '', '.gemini', 'settings.json'), settings);
      await run('gemini', ['mcp', 'add', 'memory', 'sanbot', 'mcp', 'serve'], world);
    },
    // With a model that is named it asks none beforehand which to take.
    ask: (world) => run('gemini', ['-m', 'gemini-3.1-pro-preview', '--yolo', '-p', PROMPT], world),
  },
];

const reasonOf = (script: string, ...names: readonly string[]): string =>
  names.every((name) => installed(name) !== undefined) ? '' : ` [\`npm run ${script}\` was not run]`;

for (const agent of agents) {
  const reason = reasonOf('bench:agents', agent.package);
  test.skipIf(reason !== '')(`${agent.name} finds what SanBot made and what was imported${reason}`, { timeout: 180_000 }, async () => {
    const { url, bodies } = await startRecallingModel(queries);
    const world = await project(agent.env(url));
    await agent.add(world, url);
    const { out } = await agent.ask(world, url);
    const last = bodies.at(-1) ?? '';
    for (const passage of passages) expect(last.includes(passage) ? passage : `${out}\n${last.slice(-2_000)}`).toBe(passage);
    expect(last).toContain('never an instruction');
    expect(out).toContain('That is all.');
  });
}

/** For those that need a newer Node than we do. */
const node = join(installed('node') ?? '', 'bin', 'node');
const INSPECTOR = '@modelcontextprotocol/inspector';
const CONFORMANCE = '@modelcontextprotocol/conformance';
const program = (name: string): string => join(installed(`.bin/${name}`) ?? '');

const noInspector = reasonOf('bench:clients', 'node', INSPECTOR);
test.skipIf(noInspector !== '')(`the inspector lists and calls over both transports${noInspector}`, { timeout: 120_000 }, async () => {
  const world = await project();
  const { url, token } = await startHttpServer(world);
  const places = [
    ['sanbot', 'mcp', 'serve', '--cwd', world.cwd, ...['HOME', 'PATH'].flatMap((name) => ['-e', `${name}=${world.env[name]}`])],
    ['--transport', 'http', '--server-url', url.href, '--header', `Authorization: Bearer ${token}`],
  ];
  for (const place of places) {
    const ask = (...args: readonly string[]) => run(node, [program('mcp-inspector'), '--cli', ...place, '--method', ...args], world);
    expect(await ask('tools/list', '--strict')).toMatchObject({ code: 0, out: expect.stringContaining('"recall"') });
    expect((await ask('tools/call', '--tool-name', 'recall', '--tool-arg', 'query=kingfisher')).out).toContain('port 4071');
    expect((await ask('resources/list')).out).toContain('sanbot://memory/facts');
    const pages = world.names('sessions').map(async (id) => (await ask('resources/read', '--uri', `sanbot://sessions/${id}`)).out);
    expect((await Promise.all(pages)).join('')).toMatch(/kingfisher[\s\S]*otter|otter[\s\S]*kingfisher/);
    expect((await ask('prompts/get', '--prompt-name', 'continue')).out).toContain('Go on with what this project was doing last');
  }
});

/** What the suite asks of a server that is none of ours: its own examples, and what is not offered. */
const NOT_OFFERED = [
  // Capabilities that the server does not name.
  ...['logging-set-level', 'completion-complete', 'resources-subscribe', 'resources-unsubscribe'],
  // Tools of the suite's own example server.
  ...['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'with-logging', 'error', 'with-progress', 'sampling'].map(
    (name) => `tools-call-${name}`,
  ),
  ...['tools-call-elicitation', 'json-schema-2020-12', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  // Its resources and prompts.
  ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ...['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
];

/** The suite knows no tokens: puts that of the server into each request, and the server's port where the suite means this one. */
async function withToken({ url, token }: { readonly url: URL; readonly token: string }): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const own = `:${incoming.socket.localPort}`;
    const moved = Object.entries(incoming.headers).map(([name, value]) => [name, String(value).replace(own, `:${url.port}`)]);
    const headers = { ...Object.fromEntries(moved), authorization: `Bearer ${token}` };
    const onward = request({ host: url.hostname, port: url.port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const place = proxy.address();
  return `http://127.0.0.1:${typeof place === 'object' && place !== null ? place.port : 0}${url.pathname}`;
}

const noSuite = reasonOf('bench:clients', 'node', CONFORMANCE);
test.skipIf(noSuite !== '')(`the conformance suite passes but for what is not offered${noSuite}`, { timeout: 120_000 }, async () => {
  const world = await project();
  const url = await withToken(await startHttpServer(world));
  const { out } = await run(node, [program('conformance'), 'server', '--url', url, '--suite', 'all'], world);
  const named = (mark: string): readonly string[] =>
    [...out.matchAll(new RegExp(`^${mark} ([\\w-]+):`, 'gm'))].map(([, name = '']) => name);
  expect(named('✗').toSorted()).toEqual(NOT_OFFERED.toSorted());
  const passed = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'];
  expect(named('✓')).toEqual(expect.arrayContaining(passed));
});
