/**
 * What looks like a secret in a text: tokens known by their form, what URLs, HTTP and .netrc say, options of programs, values behind names
 * such as `password`, private keys. A text is searched as it is written and as it is read, since an escape or a colour may stand within a
 * token.
 *
 * Stretches of the text come out; `redact.ts` puts marks in their place. Linear: each character is looked at once for all words of all
 * tables, and every pattern is bounded.
 *
 * It goes by forms, so it can miss a secret of no known form, and take something harmless for one.
 */

import { lazily } from '../word-list.ts';
import { assignments, maySetSecret, VALUE_SIGNS } from './assignments.ts';
import { commandFinders } from './commands.ts';
import { credentialFinders } from './credentials.ts';
import { eachStart, startTable } from './find-starts.ts';
import { type Finder, joined, type Searched, type Secret } from './secret.ts';
import { tokenKinds } from './token-kinds.ts';
import { tokenAt } from './tokens.ts';

type Row = { readonly find: Finder; readonly isToken: boolean };

const table = lazily(() =>
  startTable<Row>([
    ...tokenKinds().map((kind) => ({ start: kind.prefix, row: { find: tokenFinder(kind), isToken: true } })),
    ...[...credentialFinders, ...commandFinders()].flatMap(([words, find]) =>
      words.map((start) => ({ start, row: { find, isToken: false } })),
    ),
  ]),
);

const tokenFinder =
  (kind: Parameters<typeof tokenAt>[2]): Finder =>
  (searched, at) =>
    tokenAt(searched, at, kind);

const MARK = 1;
const VALUE_SIGN = 2;

export type Signs = { readonly signs: Uint8Array; readonly marks: number[] };

export const isMark = ({ signs }: Signs, code: number): boolean => ((signs[code] ?? 0) & MARK) !== 0;

/** The same marks, and the signs behind which a value may begin. */
export function withValueSigns(marks: Uint8Array): Uint8Array {
  const signs = marks.map((mark) => (mark === 0 ? 0 : MARK));
  for (const sign of VALUE_SIGNS) signs[sign.charCodeAt(0)] = (signs[sign.charCodeAt(0)] ?? 0) | VALUE_SIGN;
  return signs;
}

/**
 * Secrets that a word, the beginning of a token or the name of a value shows, in order. Where the marks among `signs` stand is put into
 * `marks` on the way, so that nobody has to look at the text again.
 */
export function spokenSecrets(searched: Searched, { signs, marks }: Signs): readonly Secret[] {
  const secrets: Secret[] = [];
  const values: number[] = [];
  eachStart(searched, table(), {
    signs,
    sign: (said, at) => {
      if ((said & MARK) !== 0) marks.push(at);
      if ((said & VALUE_SIGN) !== 0 && maySetSecret(searched.codes, at)) values.push(at);
    },
    found: ({ find, isToken }, at) => {
      const found = find(searched, at);
      for (const secret of found) secrets.push(secret);
      return isToken ? found[0]?.end : undefined;
    },
  });
  const plain = joined(secrets);
  return joined([...plain, ...assignments(searched, values, plain)]);
}
