import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helperWorld, withHelpers } from '../../support/helpers.ts';
import { prose } from '../../support/loopback.ts';
import { callsTool, replies, type Step } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

/** How a command comes to run: what the session says until then, and the turn in which it does. */
type Road = {
  readonly main: (command: string) => readonly Step[];
  readonly helper?: (command: string) => readonly Step[];
  /** Turns before it, which a compaction takes out of the context. */
  readonly compacts?: true;
};

const runs = (command: string, more: object = {}): Step => callsTool('run_command', { command, ...more });
/** Until a command in the background has done what it does; one that may not run has nothing to wait for. */
const whole = callsTool('read_output', { job: 'job-1', wait_ms: 60_000 });
const asks = callsTool('task', { task: 'do it', tools: ['run_command'] });
const done = replies('done');

const roads: Readonly<Record<string, Road>> = {
  'in the session': { main: (command) => [runs(command), done] },
  'in the background': { main: (command) => [runs(command, { background: true }), whole, done] },
  'in the background, kept': { main: (command) => [runs(command, { background: true, keep: true }), whole, done] },
  'by a helper': { main: () => [asks, done], helper: (command) => [runs(command), done] },
  'by a helper, in the background': {
    main: () => [asks, done],
    helper: (command) => [runs(command, { background: true }), whole, done],
  },
  'after a compaction': { compacts: true, main: (command) => [runs(command), done] },
  'after a compaction, in the background': { compacts: true, main: (command) => [runs(command, { background: true }), whole, done] },
  'after a compaction, by a helper': { compacts: true, main: () => [asks, done], helper: (command) => [runs(command), done] },
};

const keys = {
  GITHUB_TOKEN: 'hidden-github',
  OPENAI_API_KEY: 'hidden-openai',
  DESK: 'postgres://desk:hidden-store@db.example/desk',
  OF_MINE: 'hidden-by-rule',
};

const settings = {
  compaction: { keepRecentMessages: 2, targetTokens: 1_000 },
  commands: { environment: { withhold: ['OF_MINE'] } },
  permissions: {
    deny: [{ tool: 'run_command', command: 'touch denied.txt' }],
    allow: [{ tool: 'run_command', command: 'touch allowed.txt' }],
  },
};

async function go({ main, helper, compacts }: Road, command: string, ...args: readonly string[]) {
  const before = compacts === true ? [0, 1, 2].map((n) => replies(prose(`Answer ${n}`, 30))) : [];
  const play = withHelpers([...before, ...main(command)], { 'do it': helper?.(command) ?? [] });
  const world = await helperWorld((request, n) => (request.purpose === 'summary' ? replies(goodSummary) : play(request, n)), settings);
  const env = { ...world.env, ...keys, ANTHROPIC_API_KEY: 'hidden-model' };
  const run = async (...line: readonly string[]) => expect(await world.runBinary(line, { env })).toMatchObject({ code: 0 });
  for (const [n] of before.entries()) await run('-p', `Tell me about part ${n}.`, ...(n === 0 ? [] : ['--continue']));
  if (compacts === true) await run('compact', '--session', world.session());
  expect(world.names('memory/session-summaries').length > 0).toBe(compacts === true);
  await run('-p', 'do it now', ...args, ...(compacts === true ? ['--continue'] : []));
  return { world, sent: JSON.stringify(world.api.requests.map(({ body }) => body)) };
}

test.each(Object.entries(roads))('a command %s sees no keys, and is refused or allowed as any other', async (_, road) => {
  const seen = await go(road, 'env > seen.txt; mv seen.txt whole.txt', '--permission-mode', 'bypass');
  const environment = readFileSync(join(seen.world.cwd, 'whole.txt'), 'utf8');
  expect(environment).toContain('PATH=/');
  expect(environment).not.toContain('hidden-');
  expect(seen.sent).not.toContain('hidden-');

  const denied = await go(road, 'touch denied.txt', '--permission-mode', 'bypass');
  expect([existsSync(join(denied.world.cwd, 'denied.txt')), denied.sent]).toEqual([
    false,
    expect.stringContaining('a deny rule of the user covers it'),
  ]);

  const unasked = await go(road, 'touch unasked.txt', '--permission-mode', 'ask');
  expect(existsSync(join(unasked.world.cwd, 'unasked.txt'))).toBe(false);

  const allowed = await go(road, 'touch allowed.txt', '--permission-mode', 'ask');
  expect(existsSync(join(allowed.world.cwd, 'allowed.txt'))).toBe(true);
});
