import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archivePage, archiveTitle } from '../../src/context/history/archive-page.ts';
import { renderTranscript } from '../../src/context/history/transcript.ts';
import { boundLedger, mergeLedger } from '../../src/context/ledger/merge-ledger.ts';
import { renderLedger } from '../../src/context/ledger/render/render-ledger.ts';
import { extractMemories } from '../../src/context/memory/extract-memories.ts';
import { ruleSummary } from '../../src/context/rules/rule-summary.ts';
import { compressedHistory, shortTermSummary } from '../../src/context/summary/compressed-history.ts';
import { checkSummary } from '../../src/context/summary/summary-check.ts';
import { fillPrompt, planSummary } from '../../src/context/summary/summary-request.ts';
import { emptyLedger } from '../../src/domain/session/ledger.ts';
import { type Message, textOf } from '../../src/domain/session/message.ts';
import { redact } from '../../src/domain/value/redact.ts';
import { answers, calls, says, user } from '../support/build.ts';
import { gatherLedger } from '../support/ledger.ts';
import { inTime, runOf } from '../support/linear.ts';
import { runs, sampleOf } from '../support/runs.ts';
import { quarter } from './work-session.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/b.txt' };
const prompts = { first: '', update: '', merge: '', prefix: '', memories: '' };

/** The text wherever text can stand: said by both sides, in a call, in a result that failed, and in one that did not. */
const everywhere = (text: string): readonly Message[] => [
  user(text),
  says(text),
  calls({ id: 'a', name: 'run_command', input: { command: text } }, { id: 'b', name: text.slice(0, 50), input: text }),
  answers({ id: 'a', content: text, isError: true }, { id: 'b', content: text }),
];

/** Every function that text from outside reaches. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  redact,
  checkSummary: (text) => checkSummary(text, { stopReason: 'end_turn', hasToolCall: false, sourceTokens: 1, tokens: 1 }),
  fillPrompt: (text) => fillPrompt(`{{a}}${text.replaceAll('{{', '')}`, { a: text }),
  shortTermSummary: (text) => shortTermSummary(text, { tokens: 500, count: quarter }),
  compressedHistory: (text) =>
    compressedHistory({ id: 'x', at: '', text, ledger: emptyLedger, messages: 1, ledgerTokens: 100, count: quarter }),
  gatherLedger: (text) => {
    const ledger = gatherLedger(everywhere(text), nowhere);
    return renderLedger(boundLedger(mergeLedger(ledger, ledger)), { tokens: 4_000, count: quarter });
  },
  ruleSummary: (text) =>
    ruleSummary(everywhere(text), { earlier: text, ledger: emptyLedger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter }),
  renderTranscript: (text) => renderTranscript(everywhere(text), nowhere),
  planSummary: (text) =>
    planSummary(everywhere(text), {
      earlier: undefined,
      instructions: text,
      windowTokens: 50_000,
      contextTokens: 1_000_000,
      targetTokens: 2_000,
      roomTokens: 2_400,
      count: quarter,
      ratio: 1,
      bodyOf: nowhere.bodyOf,
      prompts,
    }).parts,
  extractMemories: (text) => extractMemories(everywhere(text), { sessionId: 's' }),
  archivePage: (text) =>
    archivePage({ title: archiveTitle(everywhere(text)), at: '', sessionId: 's', messages: everywhere(text), bodyOf: nowhere.bodyOf }),
};

const repeats = [
  ...[
    'a',
    '中',
    '😀',
    '\ud800',
    ' ',
    '\n',
    '\t',
    '\\',
    '"',
    "'",
    '`',
    '<',
    '>',
    '(',
    '[',
    '{',
    '-',
    '=',
    '#',
    '_',
    '/',
    '.',
    '?',
    '。',
    '0',
    '0.',
    '1,000',
  ],
  ...[
    'a_',
    'a/',
    'aa.',
    'a1',
    'y=',
    'key: ',
    'password=',
    'sk-',
    'eyJ',
    'eyJa.',
    'xox',
    '://',
    'a@',
    'http://a',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
  ],
  ...[
    '</',
    '<a',
    '```\n',
    '``',
    '## ',
    '- ',
    '1. ',
    '=== ',
    '{{a}}',
    '@a/',
    '<<E ',
    '>> ',
    'E\n',
    'Error: ',
    'error ',
    'a:1:',
    'I ',
    "don't ",
    'it always ',
    'must ',
    '必须',
    'e.g. ',
    'okay, ',
    'if you could ',
    'ok, ',
    'now use ',
    'no one ',
    'never to ',
    'option a) ',
    'let me ',
    '以后',
    '不要用',
    '每次都',
    '还有没',
  ],
];

/** No measurement: what takes quadratic time on any of these takes minutes. */
const MOST_MS = 3_000;
const LONGEST = 64_000;

describe('text of 64,000 characters made to be slow to read', () => {
  for (const [name, read] of Object.entries(readers)) {
    test(`is read by ${name} in linear time [B-17]`, async () => {
      const slow: string[] = [];
      for (const repeat of sampleOf(repeats)) {
        const work = (length: number) => read(repeat.repeat(Math.ceil(length / repeat.length)));
        if (!(await inTime(work, { longest: LONGEST, mostMs: MOST_MS }))) slow.push(repeat);
      }
      expect(slow).toEqual([]);
      read(repeats.map((repeat) => runOf(repeat, LONGEST / repeats.length, '\n')).join(''));
    });
  }
});

test('a message of very many rules is read too', () => {
  const rules = Array.from({ length: runs(150_000) }, (_, n) => `Never touch part ${n}.`).join('\n');
  const ledger = boundLedger(gatherLedger([user(rules)], nowhere));
  expect(ledger.constraints.length).toBeGreaterThan(900);
  expect(quarter(renderLedger(ledger, { tokens: 4_000, count: quarter }))).toBeLessThanOrEqual(4_000);
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.constantFrom(...repeats, 'word ', 'src/a.ts ', '\n'), { maxLength: 60 }).map((parts) => parts.join('')),
);

describe('any text', () => {
  test('is read by all of them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const read of Object.values(readers)) read(text);
      }),
      { numRuns: runs(100) },
    );
  });

  test('makes a summary by rule and a ledger that are within their tokens and well-formed [C68, B-03]', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), fc.nat(2_000), (all, tokens) => {
        const messages = all.flatMap(everywhere);
        const ledger = gatherLedger(messages, nowhere);
        const text = ruleSummary(messages, { earlier: all[0], ledger, bodyOf: nowhere.bodyOf, tokens, count: quarter });
        expect(quarter(text)).toBeLessThanOrEqual(tokens);
        const whole = textOf(
          compressedHistory({ id: 'x', at: '', text, ledger, messages: 1, ledgerTokens: tokens, count: quarter }).content,
        );
        expect(whole.isWellFormed()).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  test('of a message is in its page of the archive, every character of it [N11]', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(
          archivePage({
            title: '',
            at: '',
            sessionId: '',
            messages: [user(text), answers({ id: 'a', content: text })],
            bodyOf: nowhere.bodyOf,
          }).split(text).length,
        ).toBeGreaterThan(2);
      }),
      { numRuns: runs(100) },
    );
  });

  test('gives a title of at most 50 characters on one line', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const title = archiveTitle([user(text)]);
        expect([...title].length).toBeLessThanOrEqual(50);
        expect(title).toMatch(/^[^\p{Cc}\u2028\u2029]+$/u);
      }),
      { numRuns: runs(100) },
    );
  });
});
