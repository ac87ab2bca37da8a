import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from './sanbot.ts';

/** The home of a session with a compaction, a memory and a rule: something for each command to show. `decision` is the first thing said. */
export async function usedHome(decision: string, more: { readonly filler: string; readonly memory: string }): Promise<Sandbox> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' });
  mkdirSync(world.home, { mode: 0o700 });
  const compaction = { maxMessages: 2, minMessagesBeforeCompact: 2, keepRecentMessages: 1, keepRecentTokens: 50 };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction }));
  await world.run(['-p', decision]);
  for (const text of [`hello ${more.filler.repeat(500)}`, 'status', 'status']) await world.run(['-p', text, '--continue']);
  await world.run(['memory', 'add', more.memory]);
  await world.run(['permissions', 'allow', 'run_command', 'npm test *']);
  return world;
}
