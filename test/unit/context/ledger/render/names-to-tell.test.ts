import { describe, expect, test } from 'vitest';
import { namesToTell } from '../../../../../src/context/ledger/render/names-to-tell.ts';
import { renderLedger } from '../../../../../src/context/ledger/render/render-ledger.ts';
import { emptyLedger } from '../../../../../src/domain/session/ledger.ts';

const count = (text: string): number => Math.ceil(text.length / 4);

describe('the exact names', () => {
  test('are not told twice, nor with what stands beside them', () => {
    expect(namesToTell(['quay.ts', 'lamps', 'lampsOfQuay', 'lampsOf'], 'in src/quay.ts')).toEqual(['lamps', 'lampsOfQuay']);
  });
});

describe('where to look things up', () => {
  const bodies = [
    { path: '/b/1.txt', what: 'Read /w/src/a.ts, 300 lines' },
    { path: '/b/2.txt', what: 'run_command npm test 2>&1 | tail -40, 40 lines' },
  ];

  test('does not lead to the old text of a file that is listed by its path', () => {
    const text = renderLedger({ ...emptyLedger, filesRead: ['/w/src/a.ts'], bodies }, { tokens: 4_000, count });
    expect(text).not.toContain('/b/1.txt');
    expect(text).toContain('2.txt: run_command npm test');
    expect(renderLedger({ ...emptyLedger, bodies }, { tokens: 4_000, count })).toContain('1.txt: Read /w/src/a.ts');
  });
});
