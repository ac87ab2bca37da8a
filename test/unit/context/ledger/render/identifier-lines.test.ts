import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../../src/context/ledger/ledger.ts';
import { namesToTell, renderLedger } from '../../../../../src/context/ledger/render/render-ledger.ts';
import { emptyLedger, type Ledger } from '../../../../../src/domain/session/ledger.ts';
import type { Message } from '../../../../../src/domain/session/message.ts';
import { quarter } from '../../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../../support/build.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const edit = (id: string, path: string, text: string): readonly Message[] => [
  calls({ id, name: 'edit_file', input: { path, old_string: 'nothing', new_string: text } }),
  answers({ id, content: 'Changed.' }),
];
const sectionOf = (ledger: Ledger, { tokens = 4_000, cwd }: { readonly tokens?: number; readonly cwd?: string } = {}): string =>
  /### Exact identifiers\n\n([\s\S]*?)(?:\n\n#|$)/.exec(renderLedger(ledger, { tokens, count: quarter, cwd }))?.[1] ?? '';

const messages = [
  user('The lamp on `northPier` blinks since v2.4.1, see #812 and /etc/port/lamps.conf'),
  ...edit('e1', '/home/ann/port/src/lamp.ts', 'const lampInterval = blinkRate(lampVoltage);'),
  ...edit('e2', '/home/ann/port/src/quay.ts', 'export const quayLength = lengthOf(quayName, quayDepth);'),
  ...edit('e3', '/home/ann/port/src/quay.ts', 'lampInterval'),
  says('Set `lampInterval` and `quayLength`; `harbourMaster` and `tideTable` stay, as does 4f0a91cc.'),
];

describe('identifiers', () => {
  test('stand behind the edited file they are in, then paths, figures and others', () => {
    const ledger = continueLedger(emptyLedger, messages, nowhere);
    const lines = sectionOf(ledger, { cwd: '/home/ann/port' }).split('\n');
    expect(lines.map((line) => line.split(': ')[0])).toEqual(['lamp.ts', 'quay.ts', 'Paths', 'Figures', 'Others']);
    expect(lines[0]).toMatch(/^lamp\.ts: .*lampInterval/);
    expect(lines[0]).toContain('blinkRate');
    expect(lines[1]).toMatch(/^quay\.ts: .*quayLength/);
    expect(lines[1]).not.toContain('lampInterval');
    expect(lines[2]).toBe('Paths: /etc/port/lamps.conf');
    for (const figure of ['#812', '4f0a91cc', 'v2.4.1']) expect(lines[3]).toContain(figure);
    for (const name of ['northPier', 'harbourMaster', 'tideTable']) expect(lines[4]).toContain(name);
  });

  test('keep their file over compactions, until it is deleted', () => {
    const first = continueLedger(emptyLedger, messages, nowhere);
    const next = continueLedger(first, [user('And now?'), says('The name `quayLength` is long.')], nowhere);
    expect(next.symbols).toContainEqual({ file: '/home/ann/port/src/quay.ts', names: expect.arrayContaining(['quayLength']) });
    const gone = continueLedger(
      next,
      [calls({ id: 'd', name: 'run_command', input: { command: 'rm /home/ann/port/src/quay.ts' } }), answers({ id: 'd', content: '' })],
      nowhere,
    );
    expect(gone.filesDeleted).toEqual(['/home/ann/port/src/quay.ts']);
    expect(gone.symbols?.map(({ file }) => file)).toEqual(['/home/ann/port/src/lamp.ts']);
  });

  test('that are few stand in one line; those that do not fit are counted, and the room holds', () => {
    expect(sectionOf({ ...emptyLedger, identifiers: ['lib/lamp.ts', 'maxAge'] })).toBe('lib/lamp.ts maxAge');
    const names = Array.from({ length: 300 }, (_, n) => `lampOfQuay${n}`);
    const symbols = [{ file: 'src/lamp.ts', names: names.slice(0, 150) }];
    const text = renderLedger({ ...emptyLedger, identifiers: names, symbols }, { tokens: 300, count: quarter });
    expect(quarter(text)).toBeLessThanOrEqual(300);
    expect(text).toMatch(/lamp\.ts: lampOfQuay0 .*\(\d+ more, left out for room\)/s);
  });
});

describe('paths', () => {
  test('in the working folder are told from there, the files of one folder together, and others whole', () => {
    const ledger = {
      ...emptyLedger,
      filesModified: ['/home/ann/port/src/lamp.ts', '/home/ann/notes.md', '/home/ann/port/docs/lamp.md', '/home/ann/port/src/quay.ts'],
      filesRead: ['/home/ann/port/README.md', '/home/ann/portal/README.md'],
      filesDeleted: ['/home/ann/port/old.ts'],
    };
    expect(renderLedger(ledger, { tokens: 4_000, count: quarter, cwd: '/home/ann/port' })).toBe(
      [
        '## Ledger\n\n### Files modified\n\nIn /home/ann/port',
        '- old.ts (deleted)\n- src/lamp.ts\n- src/quay.ts\n- /home/ann/notes.md\n- docs/lamp.md',
        '### Files read',
        '- README.md\n- /home/ann/portal/README.md',
      ].join('\n\n'),
    );
    expect(renderLedger(ledger, { tokens: 4_000, count: quarter, cwd: '/' })).toContain('- /home/ann/port/src/lamp.ts');
  });

  test('on Windows too', () => {
    const ledger = { ...emptyLedger, filesModified: ['C:\\port\\src\\lamp.ts', 'C:\\portal\\a.ts'] };
    expect(renderLedger(ledger, { tokens: 4_000, count: quarter, cwd: 'C:\\port' })).toContain(
      'In C:\\port\n\n- src\\lamp.ts\n- C:\\portal\\a.ts',
    );
  });
});

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
    const text = renderLedger({ ...emptyLedger, filesRead: ['/w/src/a.ts'], bodies }, { tokens: 4_000, count: quarter });
    expect(text).not.toContain('/b/1.txt');
    expect(text).toContain('2.txt: run_command npm test');
    expect(renderLedger({ ...emptyLedger, bodies }, { tokens: 4_000, count: quarter })).toContain('1.txt: Read /w/src/a.ts');
  });
});
