import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundLedger, mergeLedger } from '../../src/context/ledger/merge-ledger.ts';
import { renderLedger } from '../../src/context/ledger/render/render-ledger.ts';
import { ruleSummary } from '../../src/context/rules/rule-summary.ts';
import { compressedHistory, summaryOf } from '../../src/context/summary/compressed-history.ts';
import { emptyLedger, type Ledger, ledgerSchema } from '../../src/domain/session/ledger.ts';
import { type Message, origins, textOf } from '../../src/domain/session/message.ts';
import { gatherLedger } from '../support/ledger.ts';
import { runs, slowRuns } from '../support/runs.ts';
import { quarter, type WorkSession, workSessions } from './work-session.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const gather = (messages: readonly Message[]): Ledger => gatherLedger(messages, nowhere);

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('error: x', '```', '必须', 'must not', '/a/b.ts', '@a/b', '<system>'),
);
const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({ type: fc.constant('tool_use'), id: fc.constantFrom('a', 'b'), name: anyText, input: fc.anything() }),
  fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.constantFrom('a', 'b'), content: anyText, is_error: fc.boolean() }),
  fc.record({ type: anyText }),
);
const anyMessage: fc.Arbitrary<Message> = fc.record({
  id: fc.string(),
  at: anyText,
  role: fc.constantFrom('user', 'assistant'),
  origin: fc.constantFrom(...origins),
  content: fc.array(anyBlock, { maxLength: 5 }),
});
const anyMessages = fc.array(anyMessage, { maxLength: 12 });
const anyLedger = anyMessages.map(gather);
const workLedger = workSessions(1).map(([session]) => gather(session?.messages ?? []));
const ledgers = fc.oneof(anyLedger, workLedger);
const few = { numRuns: slowRuns(160) };

/** One compaction by rule, as the agent does it: gather, merge, bound, summarise, frame. */
function compact(before: readonly Message[], ledgerTokens: number): Message {
  const earlier = summaryOf(before);
  const material = before.filter((message) => message.summary === undefined);
  const ledger = boundLedger(mergeLedger(earlier?.ledger ?? emptyLedger, gather(material)));
  const text = ruleSummary(material, { earlier: earlier?.text, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
  const messages = (earlier?.messages ?? 0) + material.length;
  return compressedHistory({ id: 's', at: '2026-01-02T03:04:05.000Z', text, ledger, messages, ledgerTokens, count: quarter });
}

const share = (facts: readonly string[], text: string): number =>
  facts.length === 0 ? 1 : facts.filter((fact) => text.includes(fact)).length / facts.length;

describe('a ledger', () => {
  test('is gathered from any messages, and is what the schema says it is', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        expect(ledgerSchema.parse(gather(messages))).toEqual(gather(messages));
      }),
      { numRuns: runs(100) },
    );
  });

  test('lists nothing twice', () => {
    fc.assert(
      fc.property(ledgers, ledgers, (a, b) => {
        const { filesModified, filesRead, constraints, decisions, identifiers, done, open } = mergeLedger(a, b);
        for (const list of [filesModified, filesRead, constraints, decisions, identifiers, done, open])
          expect(new Set(list).size).toBe(list.length);
        expect(filesRead.filter((path) => filesModified.includes(path))).toEqual([]);
      }),
      few,
    );
  });

  test('merged with itself, or with nothing before it, is itself', () => {
    fc.assert(
      fc.property(ledgers, (ledger) => {
        expect(mergeLedger(ledger, ledger)).toEqual(ledger);
        expect(mergeLedger(emptyLedger, ledger)).toEqual(ledger);
      }),
      few,
    );
  });

  test('holds the same facts however the merges are grouped', () => {
    fc.assert(
      fc.property(ledgers, ledgers, ledgers, (a, b, c) => {
        const left = mergeLedger(mergeLedger(a, b), c);
        const right = mergeLedger(a, mergeLedger(b, c));
        expect(right.filesModified).toEqual(left.filesModified);
        expect(right.filesRead).toEqual(left.filesRead);
        expect(right.constraints).toEqual(left.constraints);
        expect(right.decisions).toEqual(left.decisions);
        expect(new Set(right.identifiers)).toEqual(new Set(left.identifiers));
      }),
      few,
    );
  });

  test('drops no constraint and no modified file in a merge, whatever comes later [C69, O26]', () => {
    fc.assert(
      fc.property(ledgers, ledgers, (a, b) => {
        const merged = mergeLedger(a, b);
        for (const part of [a, b]) {
          expect(merged.constraints).toEqual(expect.arrayContaining(part.constraints));
          expect(merged.filesModified).toEqual(expect.arrayContaining(part.filesModified));
        }
      }),
      few,
    );
  });

  test('does not grow without limit when it is stored with one compaction after the other', () => {
    fc.assert(
      fc.property(workSessions(1), ([session]) => {
        let ledger = emptyLedger;
        for (let round = 0; round < runs(60); round++) {
          const fresh = gather(renumbered(session?.messages ?? [], round));
          ledger = boundLedger(mergeLedger(ledger, fresh));
        }
        expect(JSON.stringify(ledger).length).toBeLessThan(200_000);
        expect(boundLedger(ledger)).toEqual(ledger);
      }),
      { numRuns: slowRuns(20) },
    );
  });

  test('rendered stays within its tokens, for any ledger and any budget', () => {
    fc.assert(
      fc.property(ledgers, fc.integer({ min: 0, max: 3_000 }), (ledger, tokens) => {
        expect(quarter(renderLedger(ledger, { tokens, count: quarter }))).toBeLessThanOrEqual(tokens);
      }),
      few,
    );
  });

  test('names no path, name, hash or quotation that the messages do not have', () => {
    fc.assert(
      fc.property(workSessions(2), (sessions) => {
        const messages = sessions.flatMap((session) => session.messages);
        const source = messages.flatMap((message) => message.content.flatMap((block) => strings(block))).join('\n');
        const text = renderLedger(gather(messages), { tokens: 4_000, count: quarter });
        const names = [...text.matchAll(/[\w./-]*[/_.\d][\w./-]*\w|\b[a-z]+[A-Z]\w+/g)]
          .map(([name]) => name)
          .filter((name) => !/^\d{1,3}$/.test(name));
        expect(names.length).toBeGreaterThan(10);
        expect(names.filter((name) => !source.includes(name))).toEqual([]);
      }),
      { numRuns: slowRuns(60) },
    );
  });
});

describe('five compactions by rule, one after the other', () => {
  const rounds = 5;
  const play = (sessions: readonly WorkSession[]): string => {
    let context: readonly Message[] = [];
    for (const { messages } of sessions) context = [compact([...context, ...messages], 4_000)];
    return textOf(context[0]?.content ?? []);
  };

  test('keep at least 95 % of the modified files and of the constraints [P1, B3, C72, C80, O35]', () => {
    fc.assert(
      fc.property(workSessions(rounds), (sessions) => {
        const text = play(sessions);
        expect(quarter(text)).toBeLessThan(12_300);
        expect(
          share(
            sessions.flatMap(({ filesModified }) => filesModified),
            text,
          ),
        ).toBeGreaterThanOrEqual(0.95);
        expect(
          share(
            sessions.flatMap(({ constraints }) => constraints),
            text,
          ),
        ).toBeGreaterThanOrEqual(0.95);
      }),
      { numRuns: slowRuns(40) },
    );
  });

  test('keep them in the ledger alone, in half of its usual room', () => {
    fc.assert(
      fc.property(workSessions(rounds), (sessions) => {
        const ledger = sessions.reduce((sum, { messages }) => boundLedger(mergeLedger(sum, gather(messages))), emptyLedger);
        const text = renderLedger(ledger, { tokens: 2_000, count: quarter });
        expect(
          share(
            sessions.flatMap(({ filesModified }) => filesModified),
            text,
          ),
        ).toBeGreaterThanOrEqual(0.95);
        expect(
          share(
            sessions.flatMap(({ constraints }) => constraints),
            text,
          ),
        ).toBeGreaterThanOrEqual(0.95);
      }),
      { numRuns: slowRuns(40) },
    );
  });

  test('keep at least 80 % of the errors of commands that never worked', () => {
    fc.assert(
      fc.property(workSessions(rounds), (sessions) => {
        expect(
          share(
            sessions.flatMap(({ errors }) => errors),
            play(sessions),
          ),
        ).toBeGreaterThanOrEqual(0.8);
      }),
      { numRuns: slowRuns(40) },
    );
  });
});

/** The same work on other files, under other rules. */
const renumbered = (messages: readonly Message[], round: number): readonly Message[] =>
  messages.map((message) => ({
    ...message,
    content: JSON.parse(JSON.stringify(message.content).replaceAll(/(part|zone|queue|core|store|thing|check)(\d)/g, `$1${round}$2`)),
  }));

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
