import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { createLineCheck } from '../../support/acp-schema.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';

/** The real program, and all that it writes. */
function start(cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [binary, 'acp'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  afterThisTest(() => void child.kill('SIGKILL'));
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.resume();
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    child,
    exit,
    out: () => Buffer.concat(pieces).toString(),
    stream: ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)),
  };
}

const MB = 1024 * 1024;

test('the real program serves an editor, idle in little memory, and leaves in order when it goes', async () => {
  const world = createSandbox();
  const edit = () => callsTool('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
  const fake = await startFakeApi([edit(), replies('Changed it.'), callsTool('read_file', { path: 'a.txt' }), edit()], {
    home: world.home,
  });
  afterThisTest(() => fake.close());
  const env = { ...world.env, ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'k', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const file = join(world.cwd, 'a.txt');
  writeFileSync(file, 'one\n');
  let asked = 0;
  let asking = (): void => undefined;
  const isAskedAgain = new Promise<void>((resolve) => {
    asking = resolve;
  });
  const { child, exit, out, stream } = start(world.cwd, env);
  const { agent } = client({ name: 'editor' })
    .onNotification(methods.client.session.update, () => undefined)
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked += 1;
      if (asked === 1) return { outcome: { outcome: 'selected', optionId: params.options[0]?.optionId ?? '' } };
      asking();
      return new Promise(() => undefined);
    })
    .connect(stream);
  await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [] });
  const prompt = (text: string) => agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  if (process.platform === 'linux') {
    const [, pages = ''] = readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ');
    expect((Number(pages) * 4096) / MB).toBeLessThan(100);
  }
  expect(await prompt('change it')).toEqual({ stopReason: 'end_turn' });
  expect(readFileSync(file, 'utf8')).toBe('two\n');
  writeFileSync(file, 'one\n');
  void prompt('once more').catch(() => undefined);
  await isAskedAgain;
  child.stdin.destroy();
  expect(await exit).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('one\n');
  const check = createLineCheck();
  for (const [id, method] of ['initialize', 'session/new', 'session/prompt', 'session/prompt'].entries())
    check.sent({ jsonrpc: '2.0', id, method });
  const lines = out()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.flatMap((line) => check.problems(JSON.parse(line)))).toEqual([]);
  const ran = await world.run(['sessions', '--json'], { env });
  expect(JSON.parse(ran.out)).toMatchObject([{ sessionId, open: false }]);
});
