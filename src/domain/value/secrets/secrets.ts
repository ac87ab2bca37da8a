/**
 * What looks like a secret in a text. `token-kinds.ts` is the table of the tokens that are known by their form, `credentials.ts` has what URLs,
 * HTTP and .netrc say, `commands.ts` the options of programs, `assignments.ts` the values behind names such as `password`, `private-keys.ts` keys of many lines. A text is searched
 * as it is written and as it is read (`decoded.ts`), since an escape or a colour may stand before a token, within it and around it.
 *
 * In comes any text, out go stretches of it with what they are called; `redact.ts` puts marks in their place. The time is linear in the text:
 * each character is looked at once for all words of all tables together (`find-starts.ts`), and every pattern is bounded. It goes by forms, so
 * it can miss a secret of no known form, and take something harmless for one.
 */

import { lazily } from '../word-list.ts';
import { commandFinders } from './commands.ts';
import { credentialFinders } from './credentials.ts';
import { eachStart, startTable } from './find-starts.ts';
import type { Finder, Searched, Secret } from './secret.ts';
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

/** Secrets that a word or the beginning of a token shows, in no order. */
export function shownSecrets(searched: Searched): readonly Secret[] {
  const secrets: Secret[] = [];
  eachStart(searched, table(), ({ find, isToken }, at) => {
    const found = find(searched, at);
    for (const secret of found) secrets.push(secret);
    return isToken ? found[0]?.end : undefined;
  });
  return secrets;
}
