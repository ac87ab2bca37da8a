import { expect, test } from 'vitest';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { lastRequestIn } from '../../../../src/context/summary/carried/carried-summary.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const count = (text: string): number => Math.ceil(text.length / 4);
const bodyOf = () => undefined;
const statusOf = (messages: readonly Message[], kept: readonly Message[] = []): string => {
  const ledger = gatherLedger(messages, { bodyOf, bodyPath: () => '' });
  return sectionsIn(ruleSummary(messages, { earlier: undefined, ledger, bodyOf, kept, tokens: 2_000, count }))['Current Status'] ?? '';
};
const asked = [
  user('light the lamps of the long quay before the evening'),
  says(`I changed the lamps of the long quay. They are lit.${' And so on.'.repeat(200)}`),
];

test('a latest request says its day when others have passed since, and is found again by the next summary', () => {
  const later = { ...says('Still at it.', { stopReason: 'tool_use' }), at: '2026-01-05T08:00:00.000Z' };
  const status = statusOf(asked, [later]);
  expect(status).toContain('- Latest request (2026-01-02): "light the lamps of the long quay before the evening"');
  expect(lastRequestIn(`## Current Status\n\n${status}`)?.request).toBe('light the lamps of the long quay before the evening');
});

test('a request of the same day says none', () => {
  expect(statusOf(asked)).toContain('- Latest request: "light');
});
