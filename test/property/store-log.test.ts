import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SanbotError } from '../../src/domain/errors.ts';
import type { NewRecord } from '../../src/domain/session/record.ts';
import { pathsOf } from '../../src/store/files/paths.ts';
import { lineSpans, linesBackward } from '../../src/store/files/record-line.ts';
import { createStore } from '../../src/store/store.ts';
import { calls, contextOf, says, user } from '../support/build.ts';
import { runs } from '../support/runs.ts';
import { unsealed } from '../support/unsealed.ts';

/** Where a sync costs nothing, when there is such a place. */
const RAM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(RAM, 'sanbot-log-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

let serial = 0;
const store = () =>
  createStore(
    {
      home,
      now: () => new Date('2026-03-04T05:06:07.000Z'),
      newId: () => (++serial).toString(36).padStart(6, '0'),
      pid: process.pid,
      platform: process.platform,
      probePid: (pid) => {
        process.kill(pid, 0);
      },
    },
    { maxSessionBytes: 1_000_000, warn: () => undefined },
  );

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('\n', '\u2028', '\0', '{"type":"checkpoint"', '中文', '"}\n{"n":1'),
);
const record: fc.Arbitrary<NewRecord> = fc.oneof(
  { weight: 5, arbitrary: text.map((said): NewRecord => ({ type: 'message', message: user(said) })) },
  text.map((said): NewRecord => ({ type: 'message', message: says(said, { model: 'x' }) })),
  text.map((said): NewRecord => ({ type: 'message', message: calls({ id: 't', input: { [said]: [said, null, 1.5] } }) })),
  text.map((model): NewRecord => ({ type: 'model', model })),
  text.map((said): NewRecord => ({ type: 'checkpoint', reason: 'repeat', context: contextOf([user(said)]) })),
);

/** A log with these records, as bytes, with each line as the parser of the platform reads it: the oracle. */
function logOf(records: readonly NewRecord[]) {
  const sessionId = `s${++serial}`;
  const { sessions } = store();
  const { log } = sessions.create({ type: 'header', v: 1, sessionId, group: 'main', cwd: '/', model: 'm', context: contextOf([]) });
  for (const each of records) log.append(each);
  log.close();
  const path = pathsOf(home).log(sessionId);
  const bytes = readFileSync(path);
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  const open = (changed: Uint8Array) => {
    writeFileSync(path, changed);
    const opened = sessions.open(sessionId);
    opened.log.close();
    return { records: opened.records.map((each) => JSON.stringify(each)), warnings: opened.warnings };
  };
  return { bytes, lines, values: lines.map((line) => JSON.stringify(JSON.parse(unsealed(line)))), open };
}

/** The values of the newest checkpoint and what follows, of these lines. */
const sinceCheckpoint = (lines: readonly string[]): readonly string[] => {
  const newest = lines.findLastIndex((line) => JSON.parse(line).type === 'checkpoint');
  return lines.slice(newest < 0 ? 1 : newest).map((line) => JSON.stringify(JSON.parse(unsealed(line))));
};

const records = fc.array(record, { minLength: 1, maxLength: 6 });

describe('a log', () => {
  test('reads back as the newest checkpoint and what follows', () => {
    fc.assert(
      fc.property(records, (made) => {
        const { bytes, lines, open } = logOf(made);
        expect(lines).toHaveLength(made.length + 1);
        expect(open(bytes)).toEqual({ records: sinceCheckpoint(lines), warnings: [] });
      }),
      { numRuns: runs(60) },
    );
  });

  test('cut off at any byte reads as a prefix of its records, and at most one is lost, told [D-06, D-07, D-27]', () => {
    fc.assert(
      fc.property(records, fc.double({ min: 0, max: 1, noNaN: true }), (made, part) => {
        const { bytes, lines, open } = logOf(made);
        const headerEnd = bytes.indexOf(0x0a) + 1;
        const length = Math.round(headerEnd + part * (bytes.length - headerEnd));
        const cut = bytes.subarray(0, length);
        // A line counts when all of its bytes but perhaps the line end are there.
        const whole = lines.filter((_, i) => Buffer.byteLength(`${lines.slice(0, i + 1).join('\n')}`) <= length);
        const opened = open(cut);
        expect(opened.records).toEqual(sinceCheckpoint(whole));
        expect(opened.warnings).toHaveLength(cut.at(-1) === 0x0a ? 0 : 1);
      }),
      { numRuns: runs(150) },
    );
  });

  test('with one byte changed inside a record loses that record at most, and says so [D-09]', () => {
    fc.assert(
      fc.property(records, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (made, which, where, change) => {
        const { bytes, lines, values, open } = logOf(made.filter(({ type }) => type !== 'checkpoint'));
        if (lines.length < 2) return;
        const line = 1 + (which % (lines.length - 1));
        const start = Buffer.byteLength(`${lines.slice(0, line).join('\n')}\n`);
        const at = start + (where % Buffer.byteLength(lines[line] ?? ''));
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const opened = open(bytes);
        expect(opened.records).toEqual(values.filter((_, i) => i !== 0 && i !== line));
        expect(opened.warnings).toHaveLength(1);
      }),
      { numRuns: runs(200) },
    );
  });

  test('is refused, not repaired, when the cut is inside its header [P27]', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (part) => {
        const { bytes, open } = logOf([{ type: 'model', model: 'x' }]);
        const cut = bytes.subarray(0, Math.floor(part * (bytes.indexOf(0x0a) - 1)));
        expect(() => open(cut)).toThrow(SanbotError);
      }),
      { numRuns: runs(25) },
    );
  });
});

describe('lines of a file', () => {
  const content = fc.array(
    fc.oneof(
      fc.constant('\n'),
      fc.string({ maxLength: 20 }),
      fc.integer({ min: 1, max: 700_000 }).map((n) => 'x'.repeat(n)),
    ),
    { maxLength: 12 },
  );

  test('are the same read from either end, whatever the pieces', () => {
    fc.assert(
      fc.property(content, (parts) => {
        const whole = Buffer.from(`${parts.join('')}\n`);
        const read = (position: number, length: number) => whole.subarray(position, position + length);
        const expected = whole.toString().split('\n').slice(0, -1);
        expect([...linesBackward(read, whole.length)].map(({ bytes }) => bytes?.toString()).reverse()).toEqual(expected);
        const spans = [...lineSpans(read, 0, Number.POSITIVE_INFINITY)];
        expect(spans.map(({ head }) => head.toString())).toEqual(expected);
        expect(spans.map(({ position, length }) => whole.toString('utf8', position, position + length))).toEqual(expected);
      }),
      { numRuns: runs(60) },
    );
  });
});
