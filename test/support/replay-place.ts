import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReplayHome } from '../../src/commands/replay/replay-home.ts';
import type { OpenReplayStore } from '../../src/replay/replay-store.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { afterThisFile } from './clean-up.ts';

/** A home for one replay, gone after the tests. */
export function replayPlace(): OpenReplayStore {
  const home = mkdtempSync(join(tmpdir(), 'sanbot-place-'));
  afterThisFile(() => rmSync(home, { recursive: true, force: true }));
  const tell = (): void => undefined;
  return openReplayHome(processEnvironment(), { home, sessionId: 'replay', maxSessionBytes: 1 << 30, isTemporary: true, warn: tell });
}
