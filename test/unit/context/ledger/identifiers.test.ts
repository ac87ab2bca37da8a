import { expect, test } from 'vitest';
import { rankIdentifiers } from '../../../../src/context/ledger/identifiers.ts';
import { answers, calls } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

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

test('pieces of code are no names, and an option of a command only where it is spoken of', () => {
  expect(names('change', 'print("\\u001b[38;5;242m" + moorShip[0:100] + "/.test" + "100%"); open("/undefined")')).toEqual(['moorShip']);
  expect(names('user', 'wait 42m for 0:100')).toEqual(expect.arrayContaining(['42m', '0:100']));
  const ran = { source: 'command', text: 'moorctl --stat --lamp-file quay.json' } as const;
  expect(rankIdentifiers([ran], 100)).toEqual(['quay.json']);
  expect(rankIdentifiers([ran, { source: 'assistant', text: 'The option --lamp-file names the file.' }], 100)).toContain('--lamp-file');
});

test('each line of a file is not another name', () => {
  expect(names('error', 'at moor (/home/ada/quay/src/moor.ts:14:9)\nat main (/home/ada/quay/src/moor.ts:90:2)')).toEqual([
    '/home/ada/quay/src/moor.ts',
  ]);
});

test('a name keeps the dot of a hidden folder, and loses the marks at the end of what was set as code', () => {
  expect(names('user', 'set "lamp_on:" and "colour:"')).toEqual(['lamp_on']);
  expect(names('user', 'see .git/quay-sessions/a.json and `moorShip\\`, `lampColour:`')).toEqual([
    '.git/quay-sessions/a.json',
    'moorShip',
    'lampColour',
  ]);
});

test('two words with a slash are a name only where a person typed them or they come again; plain words set as code come last', () => {
  expect(names('assistant', 'moorShip is created/modified by ships/boats')).toEqual(['moorShip']);
  expect(names('assistant', 'push feature/lamps; feature/lamps is the branch')).toEqual(['feature/lamps']);
  expect(names('user', 'push feature/lamps')).toEqual(['feature/lamps']);
  expect(names('assistant', 'the `idle` state of `moorShip`').at(-1)).toBe('idle');
});

test('what an edit brings in is not named for it', () => {
  const edit = [
    calls({
      id: 'e',
      name: 'edit_file',
      input: { path: 'src/quay.go', new_string: 'import (\n\t"example.org/port/lamps"\n)\nfunc litQuay() {}', old_string: '' },
    }),
    answers({ id: 'e', content: 'Changed.' }),
  ];
  const ledger = gatherLedger(edit, { bodyOf: () => undefined, bodyPath: () => '' });
  expect(ledger.identifiers).toContain('litQuay');
  expect(ledger.identifiers.join()).not.toContain('example.org');
});
