import { isPlaceholder, NONE, type Searched, type Secret } from './secret.ts';
import type { TokenKind } from './token-kinds.ts';
import { isMadeOfWords } from './words.ts';

/** No part before a prefix is longer. */
const MOST_BEFORE = 60;

export function tokenAt(searched: Searched, at: number, kind: TokenKind): readonly Secret[] {
  const start = startOf(searched, at, kind);
  if (start === undefined) return NONE;
  kind.value.lastIndex = at;
  if (!kind.value.test(searched.text)) return NONE;
  const end = kind.value.lastIndex;
  const value = searched.text.slice(at + kind.prefix.length, end);
  return isPlaceholder(value) || (kind.isGenerated && isName(value)) ? NONE : [{ kind: kind.kind, start, end }];
}

/** Types of SSH keys are called `sk-ssh-ed25519-cert-v01`, functions of OpenSSL `sk_X509_POLICY_NODE_pop_free`. */
const isName = (value: string): boolean =>
  isMadeOfWords(value) || /^(?:ssh|ecdsa)-/.test(value) || /^[A-Z][A-Z\d]*(?:_(?:[A-Z][A-Z\d]*|[a-z]+\d?))+$/.test(value);

/** Where the token begins of which the prefix stands at `at`; undefined where the prefix is the end of a word or the middle of one. */
function startOf(searched: Searched, at: number, { before, isDistinct }: TokenKind): number | undefined {
  if (before === undefined) return isDistinct || canStart(searched, at) ? at : undefined;
  const found = before.exec(searched.text.slice(Math.max(0, at - MOST_BEFORE), at));
  return found !== null && canStart(searched, at - found[0].length) ? at - found[0].length : undefined;
}

const canStart = ({ text, follows }: Searched, at: number): boolean =>
  at === 0 || !isWordCode(text.charCodeAt(at - 1)) || follows(at) || endsEscape(text, at);

const isWordCode = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** What is left of an escape or of a colour whose first character is lost ends in a letter too. */
const endsEscape = (text: string, at: number): boolean => ESCAPE_END.test(text.slice(Math.max(0, at - 16), at));

const ESCAPE_END = /(?:\\[a-z]|\\x[\da-f]{2}|\\u[\da-f]{4}|\\[0-3][0-7]{2}|[%=][\da-f]{2}|\[[\d;]{0,12}[mK])$/i;
