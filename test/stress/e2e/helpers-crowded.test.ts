import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatWire } from '../../support/fake-chat.ts';
import { helperTask, helperWorld } from '../../support/helpers.ts';
import { callsTool, callsTools, hangs, replies, type Script } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

test("a helper whose own context is full is compacted: it goes on with its task, the session's context is untouched, and no snapshot or memory comes of it", async () => {
  const summaries: string[] = [];
  const script: Script = (request) => {
    const task = helperTask(request);
    const said = JSON.stringify(request.messages);
    if (request.purpose === 'summary') {
      summaries.push(said);
      return replies(goodSummary);
    }
    if (task === undefined)
      return request.messages.length === 1 ? callsTool('task', { task: 'count the words of all parts' }) : replies('done');
    return said.includes('part 19 begins')
      ? replies('the 20 parts hold 9000 words')
      : callsTool('read_file', { path: `part${reads++}.txt` });
  };
  let reads = 0;
  const { say, log, main, names, read, cwd } = await helperWorld(script, { offload: { enabled: false } }, 24_000);
  for (let i = 0; i < 20; i++)
    writeFileSync(join(cwd, `part${i}.txt`), `part ${i} begins\n${`we always use the colour ${i} for it. `.repeat(100)}`);
  expect(await say('how many words?')).toMatchObject({ code: 0, out: 'done\n' });
  const branch = log().filter(({ type, branch: id }) => type === 'branch' && id === 'h1');
  const checkpoints = branch.filter(({ entry }) => (entry as { type: string }).type === 'checkpoint');
  expect(checkpoints.length).toBeGreaterThan(0);
  expect(JSON.stringify(checkpoints)).not.toContain('snapshotId');
  expect(summaries.join('\n')).toContain('count the words of all parts');
  const turns = main().filter(({ request }) => request.purpose === 'turn');
  const answered = JSON.stringify(turns[1]?.body.messages);
  expect(turns).toHaveLength(2);
  expect(answered).toContain('the 20 parts hold 9000 words');
  expect(answered).not.toContain('part 3 begins');
  expect(log().filter(({ type }) => type === 'checkpoint')).toEqual([]);
  expect(names('snapshots')).toEqual([]);
  const memories = names('memory/extracted').map((name) => read(`memory/extracted/${name}`));
  expect(memories.join('\n')).not.toContain('colour');
});

test('of six helpers of one reply four work at once, and the others only when one has ended', async () => {
  const tasks = Array.from({ length: 6 }, (_, i) => `task number ${i}`);
  const script: Script = (request) =>
    helperTask(request) === undefined ? callsTools(tasks.map((task) => ({ name: 'task', input: { task } }))) : hangs();
  const { runAtTerminal, env, log, api, of } = await helperWorld(script);
  const terminal = await runAtTerminal([], { env });
  await terminal.waitFor('> ');
  terminal.send('go\r');
  await api.stalled(3);
  const begun = () => log().filter(({ type, entry }) => type === 'branch' && (entry as { type: string }).type === 'start').length;
  expect(begun()).toBe(4);
  terminal.send('\u001b');
  await terminal.waitFor('interrupted');
  terminal.send('/quit\r');
  await terminal.exit;
  expect(begun()).toBe(4);
  expect(tasks.map((task) => of(task).length)).toEqual([1, 1, 1, 1, 0, 0]);
});

test('on a server of one’s own, which keeps one prefix in memory, a helper has all its steps before the next one begins', async () => {
  const asked: string[] = [];
  const script: Script = (request) => {
    const task = helperTask(request);
    if (task === undefined)
      return request.messages.length === 1
        ? callsTools(['one', 'two', 'three'].map((each) => ({ name: 'task', input: { task: each } })))
        : replies('all done');
    asked.push(task);
    return request.messages.length < 5 ? callsTool('read_file', { path: 'a.txt' }) : replies(`${task} is done`);
  };
  const { say } = await helperWorld(script, { model: { provider: 'openai-chat' } }, 200_000, chatWire());
  expect(await say('go')).toMatchObject({ code: 0, out: 'all done\n' });
  expect(asked).toEqual(['one', 'two', 'three'].flatMap((task) => [task, task, task]));
});
