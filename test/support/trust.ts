import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createSandbox, type Sandbox } from './sanbot.ts';

export const offline = { SANBOT_PROVIDER: 'offline' };

export const hooks = { SessionStart: ['touch hooked'] };

/** A folder of a stranger, which asks for all it can. */
export function hostile(settings: Readonly<Record<string, unknown>> = { compaction: { maxMessages: 9 }, hooks }): Sandbox {
  const world = createSandbox(offline);
  writeFileSync(join(world.cwd, '.sanbot.json'), JSON.stringify(settings));
  return world;
}

export const repository = (cwd: string, url: string) => {
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(cwd, '.git', 'config'), `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`);
};
