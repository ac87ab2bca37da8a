import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterThisFile } from './clean-up.ts';
import { createSandbox, type Sandbox } from './sanbot.ts';
import { visibleFolder } from './visible-folder.ts';

/** Offline, with a working folder that is not in the system's own temporary folder, of which a sandbox shows nothing. */
export function world(mode: string): Sandbox {
  const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.sandbox-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'project'));
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_SANDBOX: mode });
  return { ...sandbox, cwd: join(base, 'project'), run: (args, more = {}) => sandbox.run(args, { cwd: join(base, 'project'), ...more }) };
}

export const runs = (command: string, mode = 'bypass') => ['-p', `run ${command}`, '--permission-mode', mode];
