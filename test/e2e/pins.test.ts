import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionContextSchema } from '../../src/domain/session/context.ts';
import { createSandbox, type RunningAtTerminal, type Sandbox } from '../support/sanbot.ts';

const ENV = { SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000', SANBOT_COMPACT_PRESERVE_COUNT: '2' };
const RULE = 'Rule: 表名不许改, never rename a table.';

async function talk(world: Sandbox, ...args: readonly string[]): Promise<RunningAtTerminal> {
  const terminal = await world.runAtTerminal(args, { env: ENV });
  await terminal.waitFor('> ');
  return terminal;
}

/** What the newest checkpoint of a session holds. */
function checkpointOf(world: Sandbox, session: string) {
  const lines = world.read(`sessions/${session}/log.jsonl`).trimEnd().split('\n');
  const records: readonly { readonly type: string; readonly context?: unknown }[] = lines.map((line) => JSON.parse(line));
  return sessionContextSchema.parse(records.findLast(({ context }) => context !== undefined)?.context);
}

test('a message pinned at the terminal is there word for word after a compaction, in a fork, in an import, and is taken off by number [C69, C120]', async () => {
  const world = createSandbox(ENV);
  const first = await talk(world);
  first.send(`${RULE}\r`);
  await first.waitFor(/\d steps?\b/);
  first.send('/pin 99\r');
  await first.waitFor('The context has no message 99 with text.');
  first.send('/pin 1\r');
  await first.waitFor(/Pinned message 1, you: "Rule: .*1 pin, [\d,]+ of [\d,]+ tokens\./);
  first.send('/quit\r');
  expect((await first.exit).exitCode).toBe(0);
  for (let i = 0; i < 6; i++) await world.run(['-p', `status ${'of this and that '.repeat(20)}${i}`, '--continue'], { env: ENV });

  const again = await talk(world, '--continue');
  again.send('/compact\r');
  await again.waitFor(/Compacted [\d,]+ -> /);
  again.send('/context\r');
  await again.waitFor(/carried pins +[\d,]+[\s\S]*1 pin, [\d,]+ of the [\d,]+ tokens that pins may take/);
  again.send('/quit\r');
  expect((await again.exit).exitCode).toBe(0);
  const [session = ''] = world.names('sessions');
  const carried = JSON.stringify(checkpointOf(world, session).messages[1]);
  expect(carried).toContain(RULE);

  await world.run(['-p', 'status', '--continue', '--fork'], { env: ENV });
  const fork = world.names('sessions').find((name) => name !== session) ?? '';
  expect(JSON.stringify(checkpointOf(world, fork).messages)).toContain(RULE);
  const file = join(world.cwd, 'out.jsonl');
  expect((await world.run(['export', '--session', session, '-o', file])).code).toBe(0);
  const other = createSandbox(ENV);
  expect((await other.run(['import', file])).code).toBe(0);
  expect(checkpointOf(other, session).pins).toEqual(checkpointOf(world, session).pins);
  expect((await other.run(['doctor'])).code).toBe(0);

  const last = await talk(other, '--resume', session);
  last.send('/pins\r');
  await last.waitFor(/1 {2}you: "Rule: 表名/);
  last.send('/unpin 1\r');
  await last.waitFor('Unpinned');
  last.send('/pins\r');
  await last.waitFor('Nothing is pinned.');
  last.send('/todo\r');
  await last.waitFor('No task list yet');
});
