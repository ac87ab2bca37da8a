import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helperTask, withHelpers, helperWorld as world } from '../support/helpers.ts';
import { callsTool, callsTools, hangs, replies, type Script, type Step } from '../support/scenario.ts';

const two: readonly Step[] = [
  callsTools([
    { name: 'task', input: { task: 'find alpha' }, id: 'call_a' },
    { name: 'task', input: { task: 'find beta' }, id: 'call_b' },
  ]),
  replies('16'),
];
const finders = {
  'find alpha': [callsTool('read_file', { path: 'a.txt' }), replies('alpha is 7')],
  'find beta': [callsTool('read_file', { path: 'b.txt' }), replies('beta is 9')],
};

describe('a helper', () => {
  test('works in a context of its own, and only its answer comes back; two work side by side', async () => {
    const { say, main, of, log, run, env, session } = await world(withHelpers(two, finders));
    const said = await say('add them');
    expect(said).toMatchObject({ code: 0, out: '16\n' });
    for (const line of ['Helper h1: find alpha', 'Helper h2: find beta']) expect(said.err).toContain(line);
    expect(of('find alpha')).toHaveLength(2);
    expect(of('find beta')).toHaveLength(2);
    const results = main().at(-1)?.request.messages.at(-1)?.content;
    expect(results).toMatchObject([
      { tool_use_id: 'call_a', content: 'alpha is 7' },
      { tool_use_id: 'call_b', content: 'beta is 9' },
    ]);
    expect(JSON.stringify(main().at(-1)?.body)).not.toContain('read_file\\",\\"input');
    const branches = log().filter(({ type }) => type === 'branch');
    expect(new Set(branches.map(({ branch }) => branch))).toEqual(new Set(['h1', 'h2']));
    expect(branches.filter(({ entry }) => (entry as { type: string }).type === 'end')).toHaveLength(2);
    const shown = JSON.parse((await run(['sessions', 'show', session(), '--json'], { env })).out);
    expect(shown.helpers).toMatchObject([
      { id: 'h1', task: 'find alpha', steps: 2, end: 'end_turn' },
      { id: 'h2', task: 'find beta', steps: 2, end: 'end_turn' },
    ]);
    expect(shown).toMatchObject({ messages: 5, toolCalls: 2 });
  });

  test('leaves the context of the session as if it had known the answers itself, byte for byte', async () => {
    const { main, say } = await world(withHelpers(two, finders));
    await say('add them');
    const { messages, tools, system } = main().at(-1)?.body ?? {};
    const first = main()[0]?.body ?? {};
    expect(JSON.stringify([tools, system])).toBe(JSON.stringify([first.tools, first.system]));
    expect(messages).toHaveLength(3);
    const plain = JSON.stringify(messages).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
    expect(plain).toContain('{"type":"tool_result","tool_use_id":"call_a","content":"alpha is 7"}');
    expect(plain).toContain('{"type":"tool_result","tool_use_id":"call_b","content":"beta is 9"}');
    expect(plain).not.toContain('a.txt');
  });

  test('only reads unless it is given more, has no helper itself, and cannot ask the user', async () => {
    const script = withHelpers(
      [callsTool('task', { task: 'look' }), callsTool('task', { task: 'change', tools: ['edit_file'] }), replies('done')],
      {
        look: [callsTool('write_file', { path: 'new.txt', content: 'x' }), replies('cannot')],
        change: [replies('nothing to do')],
      },
    );
    const { say, of } = await world(script);
    await say('go', '--permission-mode', 'bypass');
    const names = (task: string) => of(task)[0]?.request.tools.map(({ name }) => name);
    expect(names('look')).toEqual(['read_file', 'list_files', 'search', 'read_output', 'fetch_url', 'recall']);
    expect(names('change')).toEqual(['read_file', 'edit_file', 'list_files', 'search', 'read_output', 'fetch_url', 'recall']);
    expect(JSON.stringify(of('look')[1]?.body)).toContain('There is no tool named \\"write_file\\"');
  });

  test.each([
    [{ task: ' ' }, 'say in words what the helper is to do'],
    [
      { task: 'x', tools: ['task'] },
      'a helper cannot be given \\"task\\"; beyond reading it can be given write_file, edit_file, run_command',
    ],
    [{ task: 'x', tools: ['nonsense'] }, 'a helper cannot be given \\"nonsense\\"'],
    [{ task: 'x', helper: 'h7' }, 'there is no helper \\"h7\\" to go on with; this session has had none'],
    [{ task: 'x', max_steps: 0 }, 'max_steps'],
    [{}, 'task'],
  ])('is refused in words: %j', async (input, told) => {
    const { say, main, of } = await world(withHelpers([callsTool('task', input), replies('done')], {}));
    await say('go');
    expect(JSON.stringify(main().at(-1)?.body)).toContain(told);
    expect(of('x')).toHaveLength(0);
  });

  test('is given a path and not a text: it reads a result that the session has stored', async () => {
    let stored = '';
    const script: Script = (request, n) => {
      const task = helperTask(request);
      if (task !== undefined)
        return request.messages.length === 1 ? callsTool('read_file', { path: task.split(' ').at(-1) }) : replies('it is line 399');
      if (n === 0) return callsTool('read_file', { path: 'long.txt' });
      stored = /Tool result is at: (\S+?)(?=\\n)/.exec(JSON.stringify(request.messages))?.[1] ?? stored;
      return request.messages.length === 3 ? callsTool('task', { task: `the last line of ${stored}` }) : replies('399');
    };
    const { say, api } = await world(script, { offload: { maxToolResultChars: 2_000 } });
    expect(await say('which?')).toMatchObject({ out: '399\n' });
    expect(stored).toContain('/offloaded/');
    const given = api.requests.find(({ request }) => helperTask(request) !== undefined && request.messages.length === 3);
    expect(JSON.stringify(given?.body)).toContain('line 0 of a long file');
  });

  test('is stopped at its limit of steps, and goes on when it is asked to', async () => {
    const look = (path: string) => callsTool('read_file', { path });
    const script = withHelpers(
      [callsTool('task', { task: 'look', max_steps: 2 }), callsTool('task', { task: 'go on', helper: 'h1' }), replies('done')],
      { look: [look('a.txt'), look('b.txt'), replies('7 and 9')] },
    );
    const { say, main, of, log } = await world(script);
    expect(await say('go')).toMatchObject({ code: 0 });
    const told = JSON.stringify(main()[1]?.body);
    expect(told).toContain('Helper h1 gave no whole answer: stopped at its limit of steps');
    expect(told).toContain('It goes on when you call task with helper h1.');
    expect(JSON.stringify(main()[2]?.body)).toContain('7 and 9');
    expect(JSON.stringify(of('look')[2]?.body)).toContain('go on');
    const last = log().findLast(({ type }) => type === 'branch');
    expect(last).toMatchObject({ branch: 'h1', steps: 3, entry: { type: 'end', how: 'end_turn' } });
  });

  test('is stopped at its limit of cost, and what it cost is in the turn, the totals and the figures', async () => {
    const usage = { inputTokens: 40_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1_000 };
    const look = (path: string): Step => callsTool('read_file', { path }, undefined, { usage });
    const script = withHelpers([callsTool('task', { task: 'look' }), replies('done')], {
      look: [look('a.txt'), look('b.txt'), replies('never')],
    });
    const { say, main, run, env, session, cwd } = await world(script, {
      agent: { helperMaxCostUsd: 1 },
      model: { price: { input: 15, output: 0, cacheRead: 0, cacheWrite: 0 } },
    });
    const ran = await say('go', '--output-format', 'json');
    expect(JSON.stringify(main()[1]?.body)).toContain('stopped at its limit of cost (the helper has spent $1.20 of the $1.00 it may');
    const result = JSON.parse(ran.out);
    expect(result.costUsd).toBeGreaterThanOrEqual(1.2);
    const figures = JSON.parse((await run(['metrics', '--json'], { env })).out);
    expect(JSON.stringify(figures)).toMatch(/"costUsd":1\.2/);
    await run(['report', '--session', session(), '--html', 'page.html'], { env });
    const page = readFileSync(join(cwd, 'page.html'), 'utf8');
    expect(page).toContain('Helpers, oldest first');
    expect(page).toContain('cost limit reached');
  });

  test('counts for --max-cost', async () => {
    const usage = { inputTokens: 40_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1_000 };
    const script = withHelpers([callsTool('task', { task: 'look' }), replies('never')], {
      look: [callsTool('read_file', { path: 'a.txt' }, undefined, { usage }), replies('never', { usage })],
    });
    const { say, main, of } = await world(script, {
      model: { price: { input: 15, output: 0, cacheRead: 0, cacheWrite: 0 } },
    });
    expect((await say('go', '--max-cost', '0.5')).err).toContain('--max-cost is spent');
    expect(of('look')).toHaveLength(1);
    expect(main()).toHaveLength(1);
  });

  test('that is asked for the same in vain again and again is a loop', async () => {
    const script: Script = (request) => {
      const task = helperTask(request);
      return task === undefined ? callsTool('task', { task: 'look', max_steps: 1 }) : callsTool('read_file', { path: 'a.txt' });
    };
    const { say, main } = await world(script);
    expect((await say('go')).err).toContain('the same step 8 times in a row');
    expect(main()).toHaveLength(8);
  });

  test('that does the same again and again is stopped as one', async () => {
    const script: Script = (request) => {
      if (helperTask(request) !== undefined) return callsTool('read_file', { path: 'a.txt' });
      return request.messages.length === 1 ? callsTool('task', { task: 'look' }) : replies('done');
    };
    const { say, main } = await world(script);
    expect(await say('go')).toMatchObject({ code: 0 });
    expect(JSON.stringify(main()[1]?.body)).toContain('stopped: it did the same again and again');
  });

  test('asks under its name at the terminal, one after the other, and a yes for the session holds for all', async () => {
    const change = (path: string) => callsTool('write_file', { path, content: 'x\n' });
    const script = withHelpers(
      [
        callsTools([
          { name: 'task', input: { task: 'one', tools: ['write_file'] } },
          { name: 'task', input: { task: 'two', tools: ['write_file'] } },
        ]),
        replies('all done'),
      ],
      { one: [change('one.txt'), replies('one')], two: [change('two.txt'), change('three.txt'), replies('two')] },
    );
    const { runAtTerminal, env } = await world(script);
    const terminal = await runAtTerminal([], { env });
    await terminal.waitFor('> ');
    terminal.send('go\r');
    await terminal.waitFor(/Helper h[12] · Write [\s\S]*Make this change\?/);
    await terminal.waitFor('other keys are kept');
    terminal.send('n');
    await terminal.waitFor(/Helper h[12] · Write [\s\S]*Make this change\?[\s\S]*other keys are kept/);
    terminal.send('a');
    await terminal.waitFor('all done');
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('ends with the turn that Esc ends', async () => {
    const script = withHelpers([callsTool('task', { task: 'look' }), replies('never')], { look: [hangs()] });
    const { runAtTerminal, env, log, api } = await world(script);
    const terminal = await runAtTerminal([], { env });
    await terminal.waitFor('> ');
    terminal.send('go\r');
    await api.stalled();
    terminal.send('\u001b');
    await terminal.waitFor('interrupted');
    terminal.send('/quit\r');
    await terminal.exit;
    expect(log().findLast(({ type }) => type === 'branch')).toMatchObject({ branch: 'h1', entry: { type: 'end', how: 'interrupted' } });
  });
});
