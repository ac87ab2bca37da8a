import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenReplayStore, openReplayHome } from '../../bench/replay/replay-home.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { afterThisFile } from './clean-up.ts';

/** A home for one replay, gone after the tests. */
export function replayPlace(): OpenReplayStore {
  const home = mkdtempSync(join(tmpdir(), 'sanbot-place-'));
  afterThisFile(() => rmSync(home, { recursive: true, force: true }));
  return openReplayHome(processEnvironment(), { home, sessionId: 'replay', maxSessionBytes: 1 << 30, isTemporary: true });
}
