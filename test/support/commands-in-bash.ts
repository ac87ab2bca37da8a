import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Sandbox } from './sanbot.ts';

/** What the model gets of a command that it runs in the real program. */
export async function outputOf(world: Sandbox, command: string, ...more: readonly string[]): Promise<string> {
  const { out } = await world.runBinary(['-p', `run ${command}`, '--allow', 'run_command', ...more], {
    env: { SANBOT_PROVIDER: 'offline' },
  });
  return out;
}

export const denies = (world: Sandbox, prefix: string): void => {
  mkdirSync(world.home, { recursive: true });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ permissions: { deny: [{ tool: 'run_command', prefix }] } }));
};
