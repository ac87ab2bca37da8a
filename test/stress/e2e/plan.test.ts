import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Step } from '../../support/scenario.ts';
import { talk, talkToBinary } from '../../support/talk.ts';

const PLAN = '# Rename the cart\n\n1. Rename `cart.ts`\n2. Mend its **imports**\n';
const handsIn = (plan = PLAN): Step => callsTool('write_file', { path: 'sanbot:plan', content: plan });
const WHY = 'look first at what the tests say, since another program reads the names in them, 先看看测试里的名称';
const PLAN_MODE = ['--permission-mode', 'plan'];
const sent = ({ requests }: { readonly requests: readonly { readonly body: unknown }[] }, n: number): string =>
  JSON.stringify(requests[n]?.body);

describe.each([
  { columns: 40, rows: 24 },
  { columns: 80, rows: 24 },
  { columns: 200, rows: 40 },
])('the real binary in a window of $columns columns', (size) => {
  test('shows a plan, has it changed in the editor, and goes on with what came of it', async () => {
    const world = createSandbox({ ...(size.columns === 80 && { LANG: 'zh_CN.UTF-8' }) });
    const editor = join(world.cwd, 'my editor.sh');
    writeFileSync(editor, '#!/bin/sh\nprintf "3. 再测试 it\\n" >> "$1"\n', { mode: 0o700 });
    const named = { ...world, env: { ...world.env, EDITOR: `'${editor}'` } };
    const write = callsTool('write_file', { path: 'cart.txt', content: 'x' });
    const { terminal, fake } = await talkToBinary({ world: named, size, args: PLAN_MODE, steps: [write, handsIn(), handsIn(), write] });
    await terminal.waitForScreen((rows) => rows.some((row) => /(?:· |^)plan$/.test(row.trim())));
    terminal.send('rename it\r');
    await terminal.waitForScreen(/Rename the cart[\s\S]*2\. Mend its imports[\s\S]*5 (?:Change|先)/);
    expect(existsSync(join(world.cwd, 'cart.txt'))).toBe(false);
    terminal.send('w');
    await terminal.waitForScreen(/should be different|应该怎样改/);
    terminal.send(`${WHY}\r`);
    const flat = (text: string): string => text.replaceAll(/\s+/g, '');
    const shown = (): string => flat(terminal.rows().join(' '));
    await terminal.waitForScreen(() => new RegExp(`(?:notaccepted:|未接受：)${flat(WHY)}.*5(?:Change|先)`).test(shown()));
    expect(shown()).not.toContain('Theuserdidnotaccept');
    terminal.send('e');
    await terminal.waitForScreen(/3\. 再测试 it[\s\S]*5 (?:Change|先)/);
    expect(terminal.rows().every((row) => row.length <= size.columns)).toBe(true);
    terminal.send('2');
    await terminal.waitForScreen((rows) => rows.some((row) => /(?:accepted, mode|已接受，模式) accept-edits$/.test(row.trimEnd())));
    await terminal.waitFor('reply 4');
    expect(readFileSync(join(world.cwd, 'cart.txt'), 'utf8')).toBe('x');
    expect(sent(fake, 1)).toContain('the permission mode is plan');
    expect(sent(fake, 2)).toContain(`did not accept the plan, and says: ${WHY}`);
    expect(sent(fake, 3)).toMatch(/as they changed it[\s\S]*再测试 it[\s\S]*Plan mode is over/);
    const base = fake.requests.map(({ body }) => JSON.stringify([body.system, body.tools]).replaceAll(/,"cache_control":\{[^}]*\}/g, ''));
    expect(new Set(base).size).toBe(1);
  });
});

const ENV = { SANBOT_PROVIDER: '', SANBOT_CONTEXT_WINDOW: '32000', SANBOT_COMPACT_PRESERVE_COUNT: '2' };

test('an accepted plan stays through compactions, a resume, a rollback and an export, and ends with the last task', async () => {
  const world = createSandbox(ENV);
  const prose = 'of this and that and of much more '.repeat(40);
  const steps: readonly Step[] = [
    handsIn(),
    replies(`begun ${prose}`),
    ...Array.from({ length: 3 }, (_, n) => replies(`more ${n} ${prose}`)),
  ];
  const { terminal, fake } = await talk({ world, args: PLAN_MODE, steps });
  terminal.send('rename it\r');
  await terminal.waitFor('Go on with this plan?');
  terminal.send('y');
  await terminal.waitFor('begun');
  await terminal.waitFor(/> $/);
  expect(sent(fake, 1)).toContain('your plan, accepted by the user');
  for (const n of [0, 1, 2]) {
    terminal.send(`go on ${prose}\r`);
    await terminal.waitFor(`more ${n}`);
    await terminal.waitFor(/> $/);
  }
  terminal.send('/compact\r');
  await terminal.waitFor(/Compacted [\d,]+ -> /);
  terminal.send('/context\r');
  await terminal.waitFor(/1 pin[\s\S]*One of them is the accepted plan, \d+ tokens, 0 of 2 tasks\s+done/);
  terminal.send('/pins\r');
  await terminal.waitFor(/1 {2}plan: "# Rename the cart/);
  terminal.send('/undo\r');
  await terminal.waitFor(/Rolled back|went back|Undone|restored/i);
  terminal.send('/plan\r');
  await terminal.waitFor('Rename the cart');
  terminal.send('/compact\r');
  await terminal.waitFor(/Compacted [\d,]+ -> /);
  terminal.send('/quit\r');
  await terminal.exit;

  const [session = ''] = world.names('sessions');
  const file = join(world.cwd, 'out.jsonl');
  expect((await world.run(['export', '--session', session, '-o', file])).code).toBe(0);
  const other = createSandbox(ENV);
  expect((await other.run(['import', file])).code).toBe(0);
  const done = (status: string) =>
    callsTool('todo', {
      items: [
        { text: 'Rename cart.ts', status: 'done' },
        { text: 'Mend', status },
      ],
    });
  const again = await talk({
    world: other,
    args: ['--resume', session],
    steps: [done('in_progress'), replies('half'), done('done'), replies('whole')],
  });
  again.terminal.send('go on\r');
  await again.terminal.waitFor('half');
  await again.terminal.waitFor(/> $/);
  expect(sent(again.fake, 0)).toContain('Mend its **imports**');
  expect(sent(again.fake, 0)).not.toContain('Plan mode is on.');
  again.terminal.send('/plan\r');
  await again.terminal.waitFor('Rename the cart');
  again.terminal.send('finish\r');
  await again.terminal.waitFor('whole');
  await again.terminal.waitFor(/> $/);
  again.terminal.send('/plan\r');
  await again.terminal.waitFor('There is no accepted plan.');
});
