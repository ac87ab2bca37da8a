import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { helperTask } from '../../support/helpers.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Script } from '../../support/scenario.ts';

/** Words that stand in the record of the helper, and nowhere else. */
const FOUND = 'zanzibar-7731';
const LONG = Array.from({ length: 300 }, (_, i) => `entry ${i}: ${i === 150 ? FOUND : 'nothing of note here'}`).join('\n');

/** The session asks one helper, which reads a file whose text goes to a file of its own, and says that it is done. */
const script: Script = (request) => {
  const task = helperTask(request);
  if (task !== undefined)
    return request.messages.length === 1 ? callsTool('read_file', { path: 'long.txt' }) : replies(`it is in line 151`);
  const said = JSON.stringify(request.messages.at(-1));
  return said.includes('look for it') ? callsTool('task', { task: 'where is the odd entry?' }) : replies('done');
};

let world: Sandbox;
let api: FakeApi;
let env: Readonly<Record<string, string>>;
let session: string;

beforeEach(async () => {
  world = createSandbox();
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ offload: { maxToolResultChars: 2_000 } }), { mode: 0o600 });
  writeFileSync(join(world.cwd, 'long.txt'), LONG);
  api = await startFakeApi(script, { home: world.home });
  env = {
    ...{ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5', SANBOT_CONTEXT_WINDOW: '200000' },
  };
  expect(await sanbot('-p', 'look for it')).toMatchObject({ code: 0, out: 'done\n' });
  session = world.names('sessions')[0] ?? '';
});
afterEach(() => api.close());

const sanbot = (...args: readonly string[]) => world.run(args, { env });
const log = (id = session) => world.records(`sessions/${id}/log.jsonl`);
/** The page of the session's report. */
const report = async (): Promise<string> => {
  expect(await sanbot('report', '--session', session, '--html', 'page.html')).toMatchObject({ code: 0 });
  return readFileSync(join(world.cwd, 'page.html'), 'utf8');
};
const branchOf = (id = session) => log(id).filter(({ type }) => type === 'branch');

describe('the record of a helper', () => {
  test('is no part of the context: a later request is made of the session alone, and another record is appended to its branch by nobody', async () => {
    await sanbot('-p', 'and now?', '--resume', session);
    const last = api.requests.at(-1)?.request;
    expect(last?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(JSON.stringify(last)).not.toContain('long.txt');
    expect(branchOf()).toHaveLength(6);
  });

  test('is searched: by words, by the reference that is told, and by sessions search', async () => {
    const found = await sanbot('search', 'zanzibar');
    const ref = new RegExp(`${session}:\\d+\\.0`).exec(found.out)?.[0] ?? '';
    expect(ref).not.toBe('');
    expect((await sanbot('show', ref)).out).toContain(FOUND);
    const shown = JSON.parse((await sanbot('sessions', 'show', session, '--json')).out);
    expect((await sanbot('show', `${session}:${shown.helpers[0].last}`)).out).toContain('it is in line 151');
    expect((await sanbot('search', 'odd', 'entry')).out).not.toMatch(/you said/i);
    expect((await sanbot('sessions', 'search', 'odd entry')).out).toContain('where is the odd entry?');
  });

  test('is whole for the doctor, its bodies included; a damaged line of it is told and left out like any other', async () => {
    expect(await sanbot('doctor', '--no-endpoint')).toMatchObject({ code: 0 });
    const path = join(world.home, `sessions/${session}/log.jsonl`);
    writeFileSync(path, world.read(`sessions/${session}/log.jsonl`).replace('it is in line 151', 'it is in line 152'));
    const ran = await sanbot('doctor', '--no-endpoint');
    expect(ran.code).not.toBe(0);
    expect(ran.out).toContain('damaged: line');
    expect(await sanbot('doctor', '--no-endpoint', '--repair')).toMatchObject({ code: 0 });
    expect(await sanbot('doctor', '--no-endpoint')).toMatchObject({ code: 0 });
    expect(await sanbot('-p', 'and now?', '--resume', session)).toMatchObject({ code: 0 });
  });

  test('goes with an export and comes with its import: the same answers, and paths that lead to the copy', async () => {
    await sanbot('export', '--session', session, '-o', 'out.jsonl');
    const other = createSandbox();
    const run = (...args: readonly string[]) => other.run(args, { env, cwd: world.cwd });
    expect(await run('import', 'out.jsonl')).toMatchObject({ code: 0 });
    expect(await run('doctor', '--no-endpoint')).toMatchObject({ code: 0 });
    const copied = other.records(`sessions/${session}/log.jsonl`).filter(({ type }) => type === 'branch');
    expect(copied).toHaveLength(6);
    expect(JSON.stringify(copied)).toContain(join(other.home, 'sessions', session, 'offloaded'));
    expect(JSON.stringify(copied)).not.toContain(world.home);
    const helpers = async (ran: typeof run) => JSON.parse((await ran('sessions', 'show', session, '--json')).out).helpers;
    expect(await helpers(run)).toEqual(await helpers(sanbot));
    expect((await run('search', 'zanzibar')).out).toContain(FOUND);
  });

  test('loses a secret with all else that is purged', async () => {
    expect(JSON.stringify(branchOf())).toContain('it is in line 151');
    expect(await sanbot('purge', '--match', 'in line 151', '--yes')).toMatchObject({ code: 0 });
    expect(JSON.stringify(log())).not.toContain('in line 151');
    expect(branchOf()).toHaveLength(6);
    expect(await sanbot('doctor', '--no-endpoint')).toMatchObject({ code: 0 });
  });

  test('is left out of what is imported from the log, which says so, and of the messages that one can go back to', async () => {
    const ran = await sanbot('import', join(world.home, `sessions/${session}/log.jsonl`));
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out + ran.err).toMatch(/branch/);
    const listed = await sanbot('rollback', '--session', session);
    expect(listed.out).toContain('look for it');
    expect(listed.out).not.toContain('odd entry');
  });

  test('stays when the session goes back to before it, and is in every checkpoint from then on', async () => {
    expect(await sanbot('rollback', '--session', session, '--to-message', '1', '--yes')).toMatchObject({ code: 0 });
    expect(branchOf()).toHaveLength(6);
    const checkpoint = log().findLast(({ type }) => type === 'checkpoint');
    expect(checkpoint).toMatchObject({
      reason: 'rollback',
      helpers: [{ id: 'h1', task: 'where is the odd entry?', steps: 2, end: 'end_turn' }],
    });
    expect((await sanbot('search', 'zanzibar')).out).toContain(FOUND);
    expect(await sanbot('doctor', '--no-endpoint')).toMatchObject({ code: 0 });
  });

  test('stays behind when the session is forked; the fork has the answer', async () => {
    expect(await sanbot('-p', 'and here?', '--resume', session, '--fork')).toMatchObject({ code: 0 });
    const fork = world.names('sessions').find((id) => id !== session) ?? '';
    expect(branchOf(fork)).toEqual([]);
    expect(JSON.stringify(log(fork)[0])).toContain('it is in line 151');
    expect(branchOf()).toHaveLength(6);
  });

  test('is in the report, in the history of nothing, and in the counts of the session only as helpers', async () => {
    const page = await report();
    expect(page).toContain('where is the odd entry?');
    expect(page).toContain('summaries and helpers included');
    expect((await sanbot('sessions', 'show', session)).out).toMatch(/helpers\s+1\n/);
    expect((await sanbot('history', '--session', session)).out).not.toContain('h1');
  });
});
