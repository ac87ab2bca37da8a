import { type Fields, mapStrings } from './json.ts';
import { assignments } from './secrets/assignments.ts';
import { decode } from './secrets/decoded.ts';
import { encodedSecrets } from './secrets/encoded.ts';
import { mayHoldPrivateKey, privateKeys } from './secrets/private-keys.ts';
import { joined, type Searched, type Secret } from './secrets/secret.ts';
import { shownSecrets } from './secrets/secrets.ts';

/**
 * Replaces everything that looks like a secret by a marker that names its kind. Nothing of the value is left, and no hash of
 * it either, by which a password could be found by trying. Every pattern runs over a stretch of characters at most once, so the time is
 * linear in the text.
 */
export const redact = (text: string): string => redactPart(text, 0, text.length);

/** The same of all texts in the fields, their names apart. */
export const redactFields = (fields: Fields): Fields => mapStrings(fields, redact);

/** How far from a part of a text a secret may begin or end that reaches into it. */
export const OVERLAP_CHARS = 64 * 1024;

/** Says of a part of a text what `redact` says of it within the whole: a secret that the part cuts in two is not in it by half. */
export function redactPart(text: string, from: number, to: number): string {
  const first = Math.max(0, from - OVERLAP_CHARS);
  const around = text.slice(first, to + OVERLAP_CHARS);
  const [start, end] = [from - first, to - first];
  let out = '';
  let copiedTo = start;
  for (const secret of secretsIn(around)) {
    if (secret.end <= copiedTo || secret.start >= end) continue;
    out += `${around.slice(copiedTo, Math.max(copiedTo, secret.start))}[redacted ${secret.kind}]`;
    copiedTo = Math.min(end, secret.end);
  }
  return out + around.slice(copiedTo, end);
}

/** No pattern but a private key is longer. */
export const LONGEST_PATTERN_CHARS = 8 * 1024;

/** Where a text can be cut, at `end` or before, without leaving half of a secret. */
export function cutOutsideSecrets(text: string, end: number): number {
  if (end >= text.length) return end;
  const first = Math.max(0, end - OVERLAP_CHARS);
  const around = text.slice(first, end + LONGEST_PATTERN_CHARS);
  // The sign behind a value or a password is what shows that it is one.
  const divided = secretsIn(around).find((secret) => secret.start < end - first && secret.end >= end - first);
  return divided === undefined ? end : first + divided.start;
}

/**
 * All secrets of a text, in order; none overlaps another. They are looked for in what is written and in what is read of it: without the
 * sequences that colour it and without escapes, which stand before a token, within it and around it.
 */
function secretsIn(text: string): readonly Secret[] {
  const written = secretsAsWritten(text, nothingFollows);
  const mayHoldKey = mayHoldPrivateKey(text);
  const parts = decode(text, mayHoldKey);
  if (parts.length === 0) return written;
  const whole = mayHoldKey || !parts.some((part) => mayHoldPrivateKey(part.text)) ? parts : decode(text, true);
  return joined([...written, ...whole.flatMap((read) => read.written(secretsAsWritten(read.text, read.follows)))]);
}

const nothingFollows = (): boolean => false;

/** Where a private key stands, nothing else is looked for. */
function secretsAsWritten(text: string, follows: (at: number) => boolean): readonly Secret[] {
  const keys = mayHoldPrivateKey(text) ? privateKeys(text) : [];
  if (keys.length === 0) return secretsBetweenKeys(text, follows);
  const gaps = [...keys, undefined].map((key, at) => ({ from: keys[at - 1]?.end ?? 0, to: key?.start ?? text.length }));
  return gaps.flatMap(({ from, to }, at) => [
    ...secretsBetweenKeys(text.slice(from, to), (place) => follows(place + from)).map((secret) => shifted(secret, from)),
    ...keys.slice(at, at + 1),
  ]);
}

function secretsBetweenKeys(text: string, follows: (at: number) => boolean): readonly Secret[] {
  const searched = { text, follows, codes: Buffer.from(text, 'latin1') };
  const encoded = encodedSecrets(searched, (codes) => spokenSecrets({ text: codes.toString('latin1'), follows: nothingFollows, codes }));
  const spoken = spokenSecrets(searched);
  return encoded.length === 0 ? spoken : joined([...spoken, ...encoded]);
}

function spokenSecrets(searched: Searched): readonly Secret[] {
  const plain = joined(shownSecrets(searched));
  return joined([...plain, ...assignments(searched, plain)]);
}

const shifted = ({ start, end, kind }: Secret, by: number): Secret => ({ start: start + by, end: end + by, kind });
