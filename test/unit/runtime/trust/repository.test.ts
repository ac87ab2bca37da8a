import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRepositoryRoot } from '../../../../src/runtime/trust/repository.ts';

test('a folder that cannot be looked into has no repository of its own, and one above counts', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-root-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, '.git'));
  // For a look below it, what is no folder is as closed as a folder without rights, also for root.
  writeFileSync(join(top, 'closed'), '');
  expect(findRepositoryRoot(join(top, 'closed'))).toBe(top);
});
