import { expect, test } from 'vitest';
import { mineSentences } from '../../../src/context/fidelity/mine.ts';
import { stopPhaseOf } from '../../../src/context/history/pairing.ts';
import { errorLine } from '../../../src/context/ledger/error-line.ts';
import { filesWrittenBy } from '../../../src/context/ledger/files/shell-files.ts';
import { identifiersIn } from '../../../src/context/ledger/identifiers.ts';
import { isReadOnlyCommand, parseSuccess } from '../../../src/context/ledger/outcomes.ts';
import { kindOfStatement } from '../../../src/context/memory/extract-memories.ts';
import { queryTerms } from '../../../src/context/search/query-terms.ts';
import { scanTerms } from '../../../src/context/search/search-terms.ts';
import { isDirective } from '../../../src/context/sentence/asks.ts';
import {
  looksLikeOutput,
  oneLine,
  ownLines,
  quietMentions,
  quoteLine,
  quoteText,
  sentencesOf,
  stripListMark,
} from '../../../src/context/text/sentences.ts';
import { parseConfigText } from '../../../src/domain/config/config-text.ts';
import { statementOf } from '../../../src/domain/memory/ends.ts';
import { parseMasterPage } from '../../../src/domain/memory/master-page.ts';
import { parseMemoryPage, sanitizeMemoryText } from '../../../src/domain/memory/memory-line.ts';
import { hashOf, parseHashedSense, plainText, senseOf } from '../../../src/domain/memory/memory-sense.ts';
import { inspectText, nearest, unquote } from '../../../src/domain/text.ts';
import { durationMs } from '../../../src/domain/value/duration.ts';
import { redact } from '../../../src/domain/value/redact.ts';
import { isId, parseSnapshotId, printablePath, printableTime } from '../../../src/store/files/paths.ts';
import { titleSlug } from '../../../src/store/memory/archive.ts';
import { parseKnown } from '../../../src/store/memory/known-memories.ts';
import { createSecretPattern, replaceMatches } from '../../../src/store/purge/secret-pattern.ts';
import { safeLine, safeText } from '../../../src/terminal/text/safe-text.ts';
import { clip, wrap } from '../../../src/terminal/text/text-width.ts';
import { isTooDeep, wordsOf } from '../../../src/tools/web/page-words.ts';
import { growsTooFast } from '../../support/linear.ts';

/**
 * What reads text from outside: of a model, a tool, a person, a file. The width of a text is missing: the segmenter of the system that it
 * asks gets slower with the heap around it, which says nothing of the pattern.
 */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  inspectText,
  unquote,
  nearest: (text) => nearest(text, ['message', text]),
  plainText,
  senseOf,
  hashOf,
  parseHashedSense: (text) => parseHashedSense(`+${text}`),
  statementOf,
  sanitizeMemoryText,
  'a memory page of one line': (text) => parseMemoryPage(`- ${text.replaceAll('\n', ' ')}`, 'facts'),
  'a memory page': (text) => parseMemoryPage(text, 'facts'),
  'a master page of one line': (text) => parseMasterPage(`- ${text.replaceAll('\n', ' ')}`),
  'a master page': parseMasterPage,
  'a settings file': parseConfigText,
  'a value of a setting': (text) => parseConfigText(JSON.stringify({ key: text.slice(0, text.length / 8) })),
  durationMs,
  sentencesOf,
  ownLines,
  oneLine: (text) => oneLine(text, 100),
  looksLikeOutput,
  stripListMark,
  quoteText,
  quoteLine: (text) => quoteLine(text, 100),
  quietMentions,
  isDirective,
  redact,
  stopPhaseOf,
  errorLine,
  identifiersIn,
  isReadOnlyCommand,
  parseSuccess,
  filesWrittenBy,
  kindOfStatement,
  scanTerms: (text) => scanTerms(text, () => undefined),
  'the words of a query': queryTerms,
  isId,
  parseSnapshotId,
  printableTime,
  printablePath,
  titleSlug,
  parseKnown,
  'sentences of a recording': mineSentences,
  'a purge': (text) => replaceMatches(text, createSecretPattern('s3cret.value').inText),
  safeText,
  safeLine,
  clip: (text) => clip(text, 80),
  wrap: (text) => wrap(text, 80),
  'the words of a page': (text) => wordsOf(text.replaceAll('[', '<').replaceAll('(', '<script>')),
  'the depth of a page': (text) => isTooDeep(text.replaceAll('[', '<a ')),
};

/** Runs on which a pattern starts again at each place, or has many ways to part them. */
const units = [
  '.',
  ' ',
  '\t',
  '(',
  '[',
  '-',
  '/',
  '\\',
  '!',
  '"',
  '`',
  '@',
  '=',
  'a',
  '中',
  '。',
  'a.',
  '1.',
  'a ',
  ', ',
  '. ',
  '<!-- ',
  'error: ',
  '\x1b[',
];

test.each(Object.entries(readers))('%s reads a megabyte of its worst in time that grows with the text', async (_, read) => {
  expect(await growsTooFast(read, units)).toEqual([]);
});

/** Beginnings of tokens, programs and names, and what hides them, each of which is looked at more closely. */
const beginnings = ['ghp_', 'sk-1', 'eyJ0-', 'fm2_1', '0123456789abcdef-us', '1:AA', 'curl ', 'mysql "', 'echo a|chpasswd ', ' --token '];
const around = [
  'password:',
  '://a:',
  'cookie: a=b;',
  'machine a login b ',
  '-----BEGIN PRIVATE',
  '\\\\n',
  '\\u001b[',
  '%25',
  '&amp;',
  'g\0',
  '\x1b]',
];

test('what begins like a secret takes no longer', async () => {
  expect(await growsTooFast(redact, [...beginnings, ...around])).toEqual([]);
});
