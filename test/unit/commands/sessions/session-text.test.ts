import { expect, test } from 'vitest';
import { deletionPlanText } from '../../../../src/commands/sessions/session-text.ts';
import { setLanguage } from '../../../../src/domain/language.ts';

test('before a session is deleted it is said that what it changed in files cannot be undone afterwards', () => {
  const kept = { snapshots: 0, snapshotBytes: 0, archives: [], memories: 0, summaries: [], daily: [] };
  const plan = (): string => deletionPlanText({ sessionId: 's1', folder: '/home/u/.sanbot/sessions/s1', bytes: 2_000, ...kept });
  expect(plan()).toContain('and what it takes to undo what the session changed in files. This cannot be undone.\n');
  setLanguage('zh');
  expect(plan()).toContain('以及撤销该会话文件更改所需的内容。此操作无法撤销。\n');
});
