import { describe, expect, test } from 'vitest';
import { renderLedger } from '../../../../../src/context/ledger/render/render-ledger.ts';
import { emptyLedger, type Ledger } from '../../../../../src/domain/session/ledger.ts';
import { quarter } from '../../../../property/work-session.ts';

const full: Ledger = {
  filesRead: ['src/read.ts'],
  filesModified: ['src/a.ts', '文档/说明.md'],
  failedCommands: [{ command: 'npm test', error: 'Error: no port' }],
  constraints: ['Never push to main.', '必须用中文注释。'],
  decisions: ['We decided to use SQLite.'],
  identifiers: ['RETRY_MAX', 'npm run x', 'src/a.ts'],
  done: ['`make` succeeded'],
  open: ['Should I delete it?'],
  bodies: [{ path: '/o/x.txt', what: 'run_command npm test, 40 lines' }],
};
const many = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));

test('a ledger has fixed headings and every fact as it is; an identifier that stands elsewhere is not repeated', () => {
  expect(renderLedger(full, { tokens: 4_000, count: quarter })).toBe(
    [
      '## Ledger',
      '### Files modified',
      '- src/a.ts\n- 文档/说明.md',
      '### Files read',
      '- src/read.ts',
      '### Failed commands',
      '- `npm test`: Error: no port',
      '### Standing constraints',
      '- Never push to main.\n- 必须用中文注释。',
      '### Decisions',
      '- We decided to use SQLite.',
      '### Exact identifiers',
      'RETRY_MAX `npm run x`',
      '### Done',
      '- `make` succeeded',
      '### Open',
      '- Should I delete it?',
      '### Where to look things up',
      '- /o/x.txt: run_command npm test, 40 lines',
    ].join('\n\n'),
  );
});

test('an empty ledger is no text', () => expect(renderLedger(emptyLedger, { tokens: 4_000, count: quarter })).toBe(''));

test('what the summary beside it says word for word is not said again, but for constraints and modified files', () => {
  const text = renderLedger(full, {
    tokens: 4_000,
    count: quarter,
    adjacentText: 'We decided to use SQLite. Error: no port. Never push to main. src/a.ts RETRY_MAX',
  });
  expect(text).not.toContain('SQLite');
  expect(text).not.toContain('Error: no port');
  expect(text).not.toContain('RETRY_MAX');
  expect(text).toContain('- Never push to main.');
  expect(text).toContain('- src/a.ts');
});

describe('when the room is short', () => {
  const crowded: Ledger = {
    ...full,
    constraints: many(40, (n) => `You must keep part ${n} of the interface stable for callers.`),
    decisions: many(60, (n) => `We decided to use approach ${n} because it is smaller.`),
    filesModified: many(40, (n) => `src/module${n}/file${n}.ts`),
    identifiers: many(200, (n) => `identifier_${n}`),
    filesRead: many(200, (n) => `lib/read/only${n}.ts`),
    done: many(60, (n) => `\`npm run job${n}\` succeeded`),
  };
  const text = renderLedger(crowded, { tokens: 1_800, count: quarter });
  const kept = (facts: readonly string[]) => facts.filter((fact) => text.includes(fact)).length / facts.length;

  test('constraints and modified files stay whole, what was only read goes first, and each section tells what is missing', () => {
    expect(kept(crowded.constraints)).toBe(1);
    expect(kept(crowded.filesModified)).toBe(1);
    expect(kept(crowded.filesRead)).toBeLessThan(0.2);
    expect(text).toMatch(/### Files read\n\n(?:- lib\S+\n)+- \(\d+ more; recall finds them\)/);
  });

  test('the section of identifiers is cut, never gone [O34]', () => {
    expect(text).toMatch(/### Exact identifiers\n\nidentifier_0 identifier_1 /);
  });

  test('orders and bans outlast wishes, and words of a rule in a question go before both', () => {
    const constraints = [
      ...many(30, (n) => `why does page ${n} never load in the evening?`),
      ...many(30, (n) => `Page ${n} should be a bit lighter in colour.`),
      ...many(30, (n) => `You must never break page ${n}.`),
    ];
    const short = renderLedger({ ...emptyLedger, constraints }, { tokens: 500, count: quarter });
    const left = (part: string) => constraints.filter((fact) => fact.includes(part) && short.includes(fact)).length;
    expect(left('must never break')).toBe(30);
    expect(left('should be')).toBeGreaterThan(0);
    expect(left('should be')).toBeLessThan(30);
    expect(left('why does')).toBe(0);
  });

  test('more modified files than fit are folded by folder, the newest in full; none is lost [C72]', () => {
    const filesModified = many(
      160,
      (n) => `/home/somebody/projects/application/packages/core/src/feature${n % 4}/component-number-${n}.tsx`,
    );
    const folded = renderLedger({ ...emptyLedger, filesModified }, { tokens: 2_500, count: quarter });
    expect(quarter(filesModified.join('\n'))).toBeGreaterThan(2_500);
    expect(filesModified.filter((path) => folded.includes(path.slice(path.lastIndexOf('/') + 1)))).toHaveLength(160);
    expect(folded).toContain(`- ${filesModified.at(-1)}`);
  });

  test('files that were read and look-up paths keep a few entries, the newest, before names fill the room', () => {
    const bodies = many(9, (n) => ({
      path: `/home/somebody/.sanbot/sessions/s1/offloaded/${n}ecf75f2f1d0${n}.txt`,
      what: `read_file /home/somebody/projects/application/packages/core/src/parser-${n}.ts, ${n}00 lines`,
    }));
    const small = renderLedger({ ...crowded, constraints: [], bodies }, { tokens: 1_000, count: quarter });
    expect(quarter(small)).toBeLessThanOrEqual(1_000);
    expect(small).toContain('- lib/read/only199.ts\n');
    expect(small).toMatch(/### Files read\n\n(?:- lib\S+\n){3,}- \(\d+ more; recall finds them\)/);
    expect(small).toMatch(
      /### Where to look things up\n\nIn \S+offloaded\/\n\n(?:- \d\S+\n?.*\n)*- 8ecf75f2f1d08\.txt: read_file \S*…\S*parser-8\.ts, 800 lines\n- \(\d more; recall finds them\)/,
    );
    expect(small.match(/offloaded/g), 'the folder is named once').toHaveLength(1);
    expect(small.match(/parser-\d/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test('a name that is part of a weightier one is not said again, and long commands are cut at their end', () => {
    const command = `git commit -m "${'word '.repeat(60)}"`;
    const text = renderLedger(
      { ...emptyLedger, identifiers: ['lib/fetch-retry.ts', 'fetch-retry', 'maxAge'], done: [`\`${command}\` succeeded 2 times`] },
      { tokens: 1_000, count: quarter },
    );
    expect(text).toContain('### Exact identifiers\n\nlib/fetch-retry.ts maxAge\n');
    expect(text).toMatch(/- `git commit -m "word [a-z ]{60,80}…` succeeded 2 times$/);
  });
});

test('a decision that is a request quoted whole beside the ledger, with what came of it, is not told twice', () => {
  const decisions = ['We use SQLite', 'Keep the port'];
  const told = (adjacentText: string) =>
    renderLedger({ ...emptyLedger, decisions }, { tokens: 4_000, count: quarter, adjacentText, headings: ['Key Decisions'] });
  expect(told('- Done: "We use SQLite"\n  -> Moved to SQLite.')).not.toContain('- We use SQLite');
  expect(told('- Done: "We use SQLite"\n  -> Moved to SQLite.')).toContain('- Keep the port');
  expect(told('- Done: "We use SQLite"\n- Done: "Next"')).toContain('- We use SQLite');
});
