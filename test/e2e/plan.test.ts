import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isToolResult, resultText } from '../../src/domain/session/message.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { helperWorld } from '../support/helpers.ts';
import { callsTool, replies, type Script, type Step } from '../support/scenario.ts';
import { talk } from '../support/talk.ts';

const PLAN = '# Rename the cart\n\n1. Rename `cart.ts`\n2. Mend its **imports**\n';
const handsIn = (plan = PLAN): Step => callsTool('write_file', { path: 'sanbot:plan', content: plan });
const PLAN_MODE = ['--permission-mode', 'plan'];

const resultIn = (fake: Pick<FakeApi, 'requests'>, n: number): string =>
  (fake.requests[n]?.request.messages ?? []).flatMap(({ content }) => content.filter(isToolResult).map(resultText)).at(-1) ?? '';

describe('without a person', () => {
  const steps: readonly Step[] = [
    callsTool('write_file', { path: 'new.txt', content: 'x' }),
    callsTool('run_command', { command: 'touch made.txt' }),
    callsTool('task', { task: 'change it', tools: ['write_file'] }),
    callsTool('read_file', { path: 'a.txt' }),
    handsIn(),
  ];
  const script = (): Script => {
    const main = [...steps];
    return (request) =>
      request.system.join('').includes('You are a helper:')
        ? request.messages.length === 1
          ? callsTool('edit_file', { path: 'a.txt', old_text: 'alpha', new_text: 'omega' })
          : replies('could not')
        : (main.shift() ?? replies('went on'));
  };

  test.each([['text'], ['json']])('the plan is the result as %s, and nothing is changed, by no helper either', async (format) => {
    const { say, cwd, api, main } = await helperWorld(script());
    const ran = await say('plan it', ...PLAN_MODE, '--allow', 'write_file,edit_file,run_command', '--output-format', format);
    expect(ran.code).toBe(0);
    if (format === 'text') expect(ran.out).toBe(PLAN);
    else expect(JSON.parse(ran.out)).toMatchObject({ result: PLAN.trim(), stopReason: 'end_turn', denied: [{}, {}] });
    expect(main()).toHaveLength(5);
    for (const n of [1, 2]) expect(resultIn({ requests: main() }, n)).toContain('the permission mode is plan');
    expect(resultIn({ requests: main() }, 4)).toContain('alpha is 7');
    expect(JSON.stringify(api.requests.map(({ body }) => body))).toContain('Plan mode is on.');
    expect(['new.txt', 'made.txt', 'sanbot:plan'].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
  });

  test('a plan belongs to plan mode, and one that would not fit is told with figures', async () => {
    const { say, main } = await helperWorld(
      (request, n) => (n === 0 ? handsIn() : n === 2 ? handsIn('word '.repeat(9_000)) : replies(request.purpose)),
      {},
      32_000,
    );
    await say('go', '--permission-mode', 'bypass');
    expect(resultIn({ requests: main() }, 1)).toContain('plan mode is not on');
    await say('go', '--continue', ...PLAN_MODE);
    expect(resultIn({ requests: main() }, 3)).toMatch(/the plan is too long to be kept: .* takes [\d,]+ tokens, and [\d,]+ are possible/);
  });
});

test('a plan is read, refused with a reason, accepted with the mode to go on in, and is the task list', async () => {
  const write = callsTool('write_file', { path: 'cart.txt', content: 'x' });
  const { terminal, fake, world } = await talk({ steps: [handsIn('1. **Guess**'), handsIn(), write] });
  terminal.send('\x1b[Z\x1b[Z');
  await terminal.waitForScreen((rows) => rows.some((row) => / · plan$|^plan$/.test(row.trim())));
  terminal.send('rename it\r');
  await terminal.waitForScreen(/1\. Guess[\s\S]*Go on with this plan\?[\s\S]*5 Change it/);
  terminal.send('w');
  await terminal.waitFor('What should be different?');
  terminal.send('look first\r');
  await terminal.waitForScreen(/Rename the cart[\s\S]*2\. Mend its imports[\s\S]*Go on with this plan\?/);
  expect(resultIn(fake, 1)).toContain('did not accept the plan, and says: look first');
  expect(terminal.text()).toContain('not accepted: look first');
  terminal.send('2');
  await terminal.waitFor('reply 3');
  await terminal.waitForScreen((rows) => rows.some((row) => row.includes('accept-edits')));
  expect(existsSync(join(world.cwd, 'cart.txt'))).toBe(true);
  const [first, ...others] = fake.requests.map(({ body }) =>
    JSON.stringify([body.system, body.tools]).replaceAll(/,"cache_control":\{[^}]*\}/g, ''),
  );
  for (const other of others) expect(other).toBe(first);
  terminal.send('/todo\r');
  await terminal.waitFor(/Rename cart\.ts[\s\S]*Mend its imports[\s\S]*0 of 2 items done/);
  terminal.send('/plan\r');
  await terminal.waitFor(/Rename the cart/);
  terminal.send('/plan done\r');
  await terminal.waitFor('The plan has ended.');
  terminal.send('/plan\r');
  await terminal.waitFor('There is no accepted plan.');
});

test('Esc at the question of a plan is a no that ends the turn', async () => {
  const { terminal, fake } = await talk({ args: PLAN_MODE, steps: [handsIn()] });
  terminal.send('go\r');
  await terminal.waitFor('Go on with this plan?');
  terminal.send('\x1b');
  await terminal.waitFor(/> $/);
  expect(fake.requests).toHaveLength(1);
  await terminal.waitForScreen(/· plan$/m);
});
