import { expect, test } from 'vitest';
import { diagnosisText } from '../../../../src/commands/care/doctor.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';

const finding = (path: string, remedy?: string) => ({
  ...({ kind: 'log_lines', path, sessionId: 's1', what: sameInBoth('damaged') } as const),
  remedy: remedy === undefined ? undefined : sameInBoth(remedy),
});
const base = { sessions: 1, snapshots: 0, inUse: [], repaired: [], findings: [] };
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

test('a repair that failed is called that, and is not asked for again', () => {
  const repaired = [{ path: '/a', did: sameInBoth('could not be repaired: the disk is full'), failed: true as const }];
  const text = diagnosisText({ ...base, repaired, findings: [finding('/a', 'writes it anew')] }, { home: '/h' });
  expect(text).toContain('failed    /a: could not be repaired: the disk is full\n');
  expect(lastLine(text)).toBe(
    '1 session and 0 snapshots in /h: 1 problem found. The repair failed: fix the cause given above, then repair again.',
  );
});

test('a repair is asked for as long as there is one that was not tried', () => {
  expect(lastLine(diagnosisText({ ...base, findings: [finding('/a'), finding('/b', 'adds it')] }, { home: '/h' }))).toContain(
    '2 problems found. To repair what can be repaired: sanbot doctor --repair',
  );
  expect(lastLine(diagnosisText({ ...base, findings: [finding('/a'), finding('/b')] }, { home: '/h' }))).toContain(
    '2 problems found. None of them can be repaired.',
  );
});
