import { describe, expect, test } from 'vitest';
import { diffPages, masterPage, updateMasterPage } from '../../../../src/context/memory/consolidate.ts';
import { parseMasterPage } from '../../../../src/domain/memory/master-page.ts';
import type { MemoryEntry } from '../../../../src/domain/memory/memory.ts';
import { memoryId, memoryLine, parseMemoryPage } from '../../../../src/domain/memory/memory-line.ts';

const at = '2026-05-01T00:00:00.000Z';
const entry = (text: string, day: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  ...{ kind: 'facts', text, sessionId: 's', messageId: text.slice(0, 9), at: `${day}T08:00:00.000Z`, by: 'user' },
  ...more,
});
const linesOf = (...entries: readonly MemoryEntry[]) =>
  entries.flatMap((each) => parseMemoryPage(memoryLine(each, memoryId(each)), each.kind));
const shown = (page: string) => page.split('\n').map((line) => line.replace(/ <!-- (?:from|place) .*/, ''));

const entries = linesOf(
  entry('The gateway listens on port 8443', '2026-03-01', { cwd: '/srv/alpha' }),
  entry('Our tech lead is Karin', '2026-01-05'),
  entry('The logo is blue', '2026-02-01', { cwd: '/srv/alpha' }),
  entry('Beta runs on Node 20', '2026-04-01', { cwd: '/srv/beta' }),
  entry('The gateway is written in Go', '2026-01-02', { cwd: '/srv/alpha' }),
  entry('We decided to keep the gateway', '2026-01-02', { kind: 'decisions', cwd: '/srv/alpha' }),
);

describe('a page that rules consolidate', () => {
  const page = masterPage({ entries, before: '', at, lines: undefined });

  test('is grouped by folder, then by what the entries are about, each with its day, the newest first', () => {
    expect(shown(page).slice(0, -2)).toEqual([
      ...['# Master memory', '', '## Decisions', '', '### In /srv/alpha', '', '- [2026-01-02] We decided to keep the gateway', ''],
      ...['## Facts', '', '- [2026-01-05] Our tech lead is Karin', '', '### In /srv/beta', '', '- [2026-04-01] Beta runs on Node 20', ''],
      ...['### In /srv/alpha', '', '- [2026-03-01] The gateway listens on port 8443', '- [2026-01-02] The gateway is written in Go'],
      ...['- [2026-02-01] The logo is blue', ''],
    ]);
  });

  test('is read back without its days and headings, and stays as it is when nothing is new', () => {
    const { items, byHand } = parseMasterPage(page);
    expect([items.map(({ text }) => text).sort(), byHand]).toEqual([entries.map(({ text }) => text).sort(), []]);
    expect(updateMasterPage({ entries, before: page, at: '2026-06-01T00:00:00.000Z', lines: undefined })).toBe(page);
  });

  test('takes the place of a page without days only when there is something new', () => {
    const plain = page.replace(/^- \[[\d-]+\] /gm, '- ').replace(/^### .*\n\n/gm, '');
    expect(updateMasterPage({ entries, before: plain, at, lines: undefined })).toBe(plain);
    const more = [...entries, ...linesOf(entry('Alpha is in Rust', '2026-04-02', { cwd: '/srv/alpha' }))];
    expect(updateMasterPage({ entries: more, before: plain, at, lines: undefined })).toContain('- [2026-04-02] Alpha is in Rust');
    expect(diffPages(plain, masterPage({ entries: more, before: plain, at, lines: undefined }))).toEqual({
      gone: [],
      come: [expect.stringContaining('- Alpha is in Rust <!-- from')],
    });
  });

  test('begins with who the user is and what the work is for', () => {
    const who = [
      entry('I work as a nurse in Tromsø', '2026-01-01'),
      entry('我叫小鹿', '2026-01-02'),
      entry('This tool is for the parents of my ward', '2026-01-03', { cwd: '/srv/alpha' }),
    ];
    const begins = shown(masterPage({ entries: [...entries, ...linesOf(...who)], before: '', at, lines: undefined }));
    expect(begins.slice(2, 9)).toEqual([
      ...['## The user and the work', '', '- [2026-01-02] 我叫小鹿', '- [2026-01-01] I work as a nurse in Tromsø', ''],
      ...['### In /srv/alpha', ''],
    ]);
    expect(begins[9]).toContain('This tool is for the parents');
  });

  test('keeps what a person wrote, reworded and removed', () => {
    const edited = page.replace('The logo is blue', 'The logo is dark blue').replace(/- \[2026-01-05\].*\n/, '- Ask Karin first\n');
    const next = masterPage({ entries, before: edited, at, lines: undefined });
    expect(next).toContain('- [2026-02-01] The logo is dark blue <!-- from');
    expect(next).toContain('- Ask Karin first');
    expect(next).not.toContain('tech lead');
  });
});
