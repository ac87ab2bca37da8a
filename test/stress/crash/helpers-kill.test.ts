import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { helperTask } from '../../support/helpers.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, callsTools, hangs, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

let api: FakeApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

/** Two helpers that read a file each and never get a second answer; from then on the session says whatever it is asked. */
function twoThatHang(): Script & { readonly goOn: () => void } {
  let killed = false;
  const script: Script = (request) => {
    const said = JSON.stringify(request.messages.at(-1));
    if (request.purpose === 'summary' || said.includes('[Compressed History]')) return replies(goodSummary);
    const task = helperTask(request);
    if (task !== undefined && killed) return replies(`now I know: ${task}`);
    if (task !== undefined) return request.messages.length === 1 ? callsTool('read_file', { path: `${task}.txt` }) : hangs();
    if (said.includes('go on with the first')) return callsTool('task', { task: 'once more', helper: 'h1' });
    if (said.includes('look into both')) return callsTools(['left', 'right'].map((each) => ({ name: 'task', input: { task: each } })));
    return replies('I see.');
  };
  return Object.assign(script, {
    goOn: () => {
      killed = true;
    },
  });
}

async function killedInTheMiddle() {
  const world = createSandbox();
  for (const name of ['left', 'right']) writeFileSync(join(world.cwd, `${name}.txt`), `what ${name} holds\n`);
  const script = twoThatHang();
  const fake = await startFakeApi(script, { home: world.home });
  api = fake;
  const env = {
    ...world.env,
    ...{ ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5', SANBOT_CONTEXT_WINDOW: '200000' },
  };
  mkdirSync(world.home, { mode: 0o700 });
  const compaction = { keepRecentMessages: 0, keepRecentTokens: 0, minMessagesBeforeCompact: 0 };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction }), { mode: 0o600 });
  const long = Array.from({ length: 300 }, (_, i) => `note ${i}: nothing that matters much`).join('\n');
  expect(await world.runBinary(['-p', long], { env })).toMatchObject({ code: 0 });
  const child = spawn(process.execPath, [binary, '-p', 'look into both', '--continue'], { cwd: world.cwd, env, stdio: 'ignore' });
  const exit = once(child, 'exit');
  await Promise.all([fake.stalled(0), fake.stalled(1)]);
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  script.goOn();
  const session = world.names('sessions')[0] ?? '';
  const sanbot = (...args: readonly string[]) => world.runBinary(args, { env });
  const asked = fake.requests.length;
  const later = () => fake.requests.slice(asked).map(({ request }) => request);
  const log = () => world.records(`sessions/${session}/log.jsonl`);
  return { world, session, sanbot, later, log };
}

test('two helpers that are killed in the middle are told at the next opening with step, cost and reference, and go on only when asked to [D-01, C76]', async () => {
  const { session, sanbot, later, log } = await killedInTheMiddle();
  expect(await sanbot('doctor', '--no-endpoint')).toMatchObject({ code: 0, out: expect.stringContaining('lock') });
  const resumed = await sanbot('-p', 'what now?', '--resume', session);
  expect(resumed).toMatchObject({ code: 0, out: 'I see.\n' });
  expect(resumed.err).toContain('2 helpers were killed in the middle: h1 (left), h2 (right). None goes on by itself.');
  expect(later()).toHaveLength(1);
  const told = JSON.stringify(later()[0]?.messages);
  for (const [id, task] of [
    ['h1', 'left'],
    ['h2', 'right'],
  ])
    expect(told).toMatch(
      new RegExp(
        `helper ${id}: ${task} \\(killed in the middle; it does not go on by itself; 1 step, \\$[\\d.]+; its last step: recall with ref ${session}:\\d+\\.0\\)`,
      ),
    );
  const ref = new RegExp(`${session}:\\d+\\.0`).exec(told)?.[0] ?? '';
  expect((await sanbot('show', ref)).out).toContain('what left holds');

  const again = await sanbot('-p', 'and now?', '--resume', session);
  expect(again.code).toBe(0);
  expect(again.err).not.toContain('killed in the middle');
  expect(JSON.stringify(later().at(-1)?.messages).split('killed in the middle')).toHaveLength(3);

  expect(await sanbot('-p', 'go on with the first', '--resume', session)).toMatchObject({ code: 0 });
  const helper = later().find((request) => helperTask(request) !== undefined);
  expect(helper?.messages.map(({ role }) => role).join(' ')).toBe('user assistant user');
  expect(JSON.stringify(helper?.messages)).toMatch(/left.*what left holds.*once more/);
  const shown = JSON.parse((await sanbot('sessions', 'show', session, '--json')).out);
  expect(shown.helpers).toMatchObject([
    { id: 'h1', steps: 2, end: 'end_turn' },
    { id: 'h2', steps: 1, end: 'killed' },
  ]);
  expect(log().filter(({ type, branch }) => type === 'branch' && branch === 'h2')).toHaveLength(5);
  expect(await sanbot('doctor', '--no-endpoint')).toMatchObject({ code: 0 });
});

test('a compaction that comes before anybody has been told loses neither of them', async () => {
  const { session, sanbot, later, log } = await killedInTheMiddle();
  expect(await sanbot('compact', '--session', session)).toMatchObject({ code: 0, out: expect.stringContaining('Compacted') });
  const checkpoint = log().findLast(({ type, reason }) => type === 'checkpoint' && reason === 'compaction');
  expect(checkpoint).toMatchObject({
    helpers: [
      { id: 'h1', task: 'left', steps: 1 },
      { id: 'h2', task: 'right', steps: 1 },
    ],
  });
  await sanbot('-p', 'what now?', '--resume', session);
  expect(JSON.stringify(later().at(-1)?.messages)).toMatch(/helper h1: left .*helper h2: right /);
});
