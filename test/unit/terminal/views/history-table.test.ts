import { describe, expect, test } from 'vitest';
import { setLanguage } from '../../../../src/domain/language.ts';
import type { SnapshotMeta } from '../../../../src/domain/session/snapshot.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';
import { historyItems, historyJson, historyTable, outcomeText, snapshotsTable } from '../../../../src/terminal/views/history-table.ts';
import { serversText } from '../../../../src/terminal/views/mcp-text.ts';
import { aSnapshot } from '../../../support/repl-world.ts';

const now = new Date('2026-02-01T12:00:00.000Z');
const compaction: SnapshotMeta = {
  ...aSnapshot,
  outcome: { at: '2026-02-01T11:00:12.000Z', messages: 21, tokensAfter: 24_112, line: 'compacted 290 messages about 压缩' },
};
const rollback: SnapshotMeta = {
  ...aSnapshot,
  id: 's1-20260201T113000000Z',
  at: '2026-02-01T11:30:00.000Z',
  reason: 'rollback',
  messages: 25,
  tokens: 25_000,
  bytes: 90_000,
  outcome: { at: '2026-02-01T11:30:00.000Z', messages: 310, tokensAfter: 182_340, line: 'rolled back', restored: aSnapshot.id },
};
const clear: SnapshotMeta = {
  ...aSnapshot,
  id: 'c',
  at: '2026-02-01T11:45:00.000Z',
  reason: 'clear',
  outcome: { at: '2026-02-01T11:45:00.000Z', messages: 0, tokensAfter: 900, line: 'cleared 310 messages' },
};

describe('the history', () => {
  test('lists each snapshot and what followed it, in order of time [F14]', () => {
    expect(historyItems([rollback, compaction, clear])).toEqual([
      {
        id: compaction.id,
        kind: 'snapshot',
        at: compaction.at,
        reason: 'compaction',
        messages: 310,
        tokensBefore: 182_340,
        tokensAfter: 182_340,
        bytes: 1_200_000,
      },
      {
        id: compaction.id,
        kind: 'compaction',
        at: '2026-02-01T11:00:12.000Z',
        reason: 'compaction',
        messages: 21,
        tokensBefore: 182_340,
        tokensAfter: 24_112,
        bytes: 1_200_000,
      },
      {
        id: rollback.id,
        kind: 'snapshot',
        at: rollback.at,
        reason: 'rollback',
        messages: 25,
        tokensBefore: 25_000,
        tokensAfter: 25_000,
        bytes: 90_000,
      },
      {
        id: rollback.id,
        kind: 'rollback',
        at: rollback.at,
        reason: 'rollback',
        messages: 310,
        tokensBefore: 25_000,
        tokensAfter: 182_340,
        bytes: 90_000,
      },
      {
        id: 'c',
        kind: 'snapshot',
        at: clear.at,
        reason: 'clear',
        messages: 310,
        tokensBefore: 182_340,
        tokensAfter: 182_340,
        bytes: 1_200_000,
      },
    ]);
  });

  test('never puts a change before its snapshot, also when the clock went back', () => {
    const back = { ...compaction, outcome: { at: '2026-02-01T10:00:00.000Z', messages: 1, tokensAfter: 1, line: '' } };
    expect(historyItems([back]).map(({ kind }) => kind)).toEqual(['snapshot', 'compaction']);
  });

  test('as JSON is that list, empty when there is nothing', () => {
    expect(JSON.parse(historyJson([compaction]))).toEqual(historyItems([compaction]));
    expect(JSON.parse(historyJson([]))).toEqual([]);
  });

  test('as a table also tells how long a snapshot is kept and what was done', () => {
    const shown = historyTable([compaction, rollback, clear], { now, retentionDays: 7, columns: 200 });
    expect(shown.split('\n')).toEqual([
      'id                      what        when        messages             tokens    size  kept for  why',
      's1-20260201T110000000Z  snapshot    1 h ago          310            182,340  1.2 MB  6 d       before a compaction',
      's1-20260201T110000000Z  compaction  59 min ago     -> 21  182,340 -> 24,112                    compacted 290 messages about 压缩',
      's1-20260201T113000000Z  snapshot    30 min ago        25             25,000   90 KB  7 d       before a rollback',
      's1-20260201T113000000Z  rollback    30 min ago    -> 310  25,000 -> 182,340                    rolled back',
      'c                       snapshot    15 min ago       310            182,340  1.2 MB  7 d       cleared 310 messages',
      '',
      '3 snapshots. Restore one: sanbot rollback --snapshot c',
      '',
    ]);
    expect(historyTable([compaction], { now, retentionDays: 0, columns: 200 })).toContain('due now');
    expect(historyTable([], { now, retentionDays: 7, columns: 80 })).toMatch(/^No snapshots yet/);
  });

  test('fits 40 columns [B-25], and shows control characters [S-24]', () => {
    const evil = {
      ...compaction,
      outcome: { at: compaction.at, messages: 1, tokensAfter: 1, line: 'title \u001b]0;x\u0007 很长很长很长很长很长很长的标题' },
    };
    const shown = historyTable([evil], { now, retentionDays: 7, columns: 40 });
    expect(shown).not.toMatch(/[\u001b\u0007]/);
    for (const line of shown.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(40);
  });

  test('is told to be empty without a broken word at 40 columns, and so is the list of MCP servers [B-25]', () => {
    const emptyAt = (columns: number) => {
      const view = { now, retentionDays: 7, columns };
      return [historyTable([], view), snapshotsTable([], view), serversText([], columns)];
    };
    const narrow = emptyAt(40);
    expect(narrow.map((text) => text.trimEnd().replaceAll('\n', ' '))).toEqual(emptyAt(400).map((text) => text.trimEnd()));
    for (const line of narrow.join('').split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(40);
  });

  test('names what agrees to changed tools where it is read', () => {
    const row = {
      name: 'desk',
      target: 'node desk.mjs',
      source: 'user',
      tools: 3,
      changed: 2,
      status: 'connected',
      signedIn: false,
    } as const;
    const rows = [{ ...row, problem: undefined, leftOut: [] }];
    expect(serversText(rows, 90)).toContain('2 of the tools of desk changed and are not used: sanbot mcp approve desk\n');
    expect(serversText(rows, 90, '/mcp approve')).toContain('not used: /mcp approve desk\n');
  });

  test('has the line to copy on a row of its own where both have no room', () => {
    const view = { now, retentionDays: 7, columns: 40 };
    expect(historyTable([compaction], view)).toContain(
      `1 snapshot. Restore one:\nsanbot rollback --snapshot ${compaction.id.split('T')[1]}\n`,
    );
    expect(historyTable([compaction], { ...view, columns: 80 })).toContain(`sanbot rollback --snapshot ${compaction.id}\n`);
  });
});

test('what a rewind went back to stands between Chinese quotes in Chinese', () => {
  setLanguage('zh');
  expect(outcomeText('went back to before "修复 \\"总和\\""')).toBe('回退到“修复 \\"总和\\"”之前');
  setLanguage('en');
  expect(outcomeText('went back to before "fix it"')).toBe('went back to before "fix it"');
});
