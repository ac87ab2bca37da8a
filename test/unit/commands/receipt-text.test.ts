import { afterEach, expect, test } from 'vitest';
import { snapshotText } from '../../../src/commands/history/receipt-text.ts';
import { setLanguage } from '../../../src/domain/language.ts';
import { ledgerSchema } from '../../../src/domain/session/ledger.ts';
import { type Receipt, readReceipt, type SnapshotMeta } from '../../../src/domain/session/snapshot.ts';

afterEach(() => setLanguage('en'));

const receipt: Receipt = {
  v: 1,
  trigger: 'auto',
  method: 'model',
  kept: { messages: 3, tokens: 8_000 },
  summarised: { messages: 40, tokens: 70_000 },
  summary: { tokens: 6_000, standsFor: 40 },
  bodies: [],
  moreBodies: 0,
  filesRetired: 0,
  archive: null,
  ledger: {},
  memories: { decisions: 0, facts: 0, preferences: 0, runtime: 0 },
  usage: { inputTokens: 0, cacheReadTokens: 78_000, cacheWriteTokens: 2_000, outputTokens: 3_000 },
  costUsd: 0.1,
};
const meta: SnapshotMeta = {
  v: 1,
  id: 's1-20260102T030405000Z',
  sessionId: 's1',
  group: 'main',
  at: '2026-01-02T03:04:05.000Z',
  reason: 'compaction',
  model: 'test',
  messages: 43,
  bodies: 0,
  tokens: 80_000,
  bytes: 300_000,
  sha256: '0'.repeat(64),
  outcome: { at: '2026-01-02T03:04:06.000Z', messages: 4, tokensAfter: 18_000, line: 'summarised by the model' },
};
const now = new Date('2026-01-02T03:05:05.000Z');

test('a receipt says why results did not go to files instead, with what both would have cost', () => {
  const skippedOffload = {
    compact: { tokensAfter: 18_000, readableTokens: 8_000, costPerStepUsd: 0.0189 },
    offload: { tokensAfter: 52_000, readableTokens: 47_000, costPerStepUsd: 0.0301 },
  };
  const known = readReceipt({ ...receipt, skippedOffload });
  expect(known?.skippedOffload).toEqual(skippedOffload);
  const line = 'moving results to files, which would have left 52,000 tokens: $1.89 instead of $3.01 for 100 steps, as estimated';
  expect(snapshotText(meta, known, now)).toContain(`\n  instead of  ${line}\n`);
  expect(snapshotText(meta, receipt, now)).not.toContain('instead of');
});

test('each kind of fact that a compaction carries is named in words, in English and in Chinese', () => {
  const kinds = Object.keys(ledgerSchema.shape);
  const all = { ...receipt, ledger: Object.fromEntries(kinds.map((kind) => [kind, 2])) };
  const english = snapshotText(meta, all, now);
  setLanguage('zh');
  const chinese = snapshotText(meta, all, now);
  for (const text of [english, chinese]) {
    const facts = text.split('\n').find((line) => /^ {2}(?:by rule|按规则)/.test(line)) ?? '';
    expect(facts.split(/, |，/)).toHaveLength(kinds.length);
    expect(facts).not.toMatch(/[a-z][A-Z]|\d (?:overruled|progress|symbols|proposal|todo|chosen|open)(?:,|，|$)/);
  }
  expect(chinese).not.toMatch(/按规则.*[a-z]{3}/);
});
