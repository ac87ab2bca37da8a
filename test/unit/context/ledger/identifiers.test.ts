import { expect, test } from 'vitest';
import { rankIdentifiers } from '../../../../src/context/ledger/identifiers.ts';

const names = (source: 'user' | 'error' | 'change' | 'assistant', text: string): readonly string[] =>
  rankIdentifiers([{ source, text }], 100);

test('names that every program has are left out', () => {
  const code =
    'import "encoding/json"\nimport "os/exec"\nbytes := make([]byte, n); parts.join(","); String(x); moorShip(a); harbour/quay.go';
  expect(names('change', code)).toEqual(['harbour/quay.go', 'moorShip']);
});

test('what a test says and the lines of a file are kept only where a person or an error named them', () => {
  const text = 'see `the lamp should be lit by now` in quay_test.go:179-182';
  expect(names('change', text)).toEqual([]);
  expect(names('user', text)).toEqual(expect.arrayContaining(['the lamp should be lit by now', 'quay_test.go:179-182']));
});

test('each line of a file is not another name', () => {
  expect(names('error', 'at moor (/home/ada/quay/src/moor.ts:14:9)\nat main (/home/ada/quay/src/moor.ts:90:2)')).toEqual([
    '/home/ada/quay/src/moor.ts',
  ]);
});
