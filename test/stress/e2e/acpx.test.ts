import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { optionalPackage } from '../../support/bench-package.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, misbehaves, replies, type Step } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

/** The client that others wrote, and a Node that it runs on: it needs 22.13. */
const acpx = optionalPackage('acpx/package.json');
const bundledNode = join(dirname(optionalPackage('node/package.json') ?? ''), 'bin', 'node');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const node = major > 22 || (major === 22 && minor >= 13) ? process.execPath : existsSync(bundledNode) ? bundledNode : undefined;
const why = acpx === undefined ? '`npm run bench:acpx` was not run' : 'acpx needs Node 22.13, and none is here';

type Ran = { readonly code: number | null; readonly out: string };

const prose = (text: string): string => `${text} ${'The part in the middle is long, and says little. '.repeat(60)}`;

/** A project with acpx, and a model that plays its steps; a summary is one whenever it is asked for. */
async function project(steps: readonly Step[]) {
  const world = createSandbox();
  outputJsonSync(join(world.home, 'config.json'), { compaction: { keepRecentMessages: 2, targetTokens: 1_000 } }, { mode: 0o600 });
  let next = 0;
  const fake = await startFakeApi(
    (request) => (request.purpose === 'summary' ? replies(goodSummary) : (steps[next++] ?? replies('No step.'))),
    {
      home: world.home,
    },
  );
  afterThisTest(() => fake.close());
  const env = { ...world.env, ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'k', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const cli = join(dirname(acpx ?? ''), 'dist', 'cli.js');
  const once = (args: readonly string[], options: readonly string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const agent = `${process.execPath} ${binary} acp`;
      const child = spawn(node ?? '', [cli, '--agent', agent, '--cwd', world.cwd, '--ttl', '1', ...options, ...args], {
        cwd: world.cwd,
        env,
      });
      const pieces: Buffer[] = [];
      child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
      child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
      child.on('close', (code) => resolve({ code, out: Buffer.concat(pieces).toString() }));
    });
  /** What holds the agent between two calls ends after a second without one: the next call then begins a process of its own. */
  const run = async (args: readonly string[], ...options: readonly string[]): Promise<Ran> => {
    for (let tries = 0; ; tries += 1) {
      const ran = await once(args, options);
      if (tries === 20 || !ran.out.includes('Queue owner is shutting down')) return ran;
    }
  };
  return { world, fake, run };
}

const isMissing = acpx === undefined || node === undefined;

test.skipIf(isMissing)(`acpx drives a session${isMissing ? ` [${why}]` : ''}`, { timeout: 120_000 }, async () => {
  const edit = (from: string, to: string) => callsTool('edit_file', { path: 'a.txt', old_string: from, new_string: to });
  const { world, fake, run } = await project([
    ...[edit('one', 'two'), replies(prose('Changed it.')), edit('two', 'three'), replies(prose('I may not.'))],
    ...[misbehaves({ how: 'hang' }), replies(prose('Here again.')), replies('Back in a second process.')],
  ]);
  const file = join(world.cwd, 'a.txt');
  writeFileSync(file, 'one\n');
  expect(await run(['sessions', 'new'])).toMatchObject({ code: 0 });
  expect((await run(['prompt', 'change it'], '--approve-all')).out).toContain('Changed it.');
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  expect((await run(['prompt', 'change it again'], '--deny-all')).out).toContain('I may not.');
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  const hanging = run(['prompt', 'wait']);
  await fake.stalled();
  await run(['cancel']);
  expect((await hanging).out).toMatch(/cancel/i);
  expect((await run(['prompt', 'and now?'])).out).toContain('Here again.');
  expect((await run(['prompt', '/compact'])).out).toMatch(/Compacted .*Undo: \/undo/s);
  expect((await run(['prompt', '/undo'], '--approve-all')).out).toContain('Undo: /undo');
  const [id = ''] = world.names('sessions');
  await run(['sessions', 'close']);
  expect(await run(['sessions', 'new', '--resume-session', id])).toMatchObject({ code: 0 });
  const before = fake.requests.length;
  expect((await run(['prompt', 'go on'])).out).toContain('Back in a second process.');
  expect(JSON.stringify(fake.requests[before]?.request.messages)).toContain('Here again.');
  expect(world.names('sessions')).toHaveLength(1);
});
