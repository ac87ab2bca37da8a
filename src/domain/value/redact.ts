import { type Fields, mapStrings } from './json.ts';
import { type Decoded, decode } from './secrets/decoded.ts';
import { encodedSecrets } from './secrets/encoded.ts';
import { narrowMarks, wideMarks } from './secrets/escapes.ts';
import { mayHoldPrivateKey, privateKeys } from './secrets/private-keys.ts';
import { joined, type Searched, type Secret } from './secrets/secret.ts';
import { isMark, type Signs, spokenSecrets, withValueSigns } from './secrets/secrets.ts';

/** Replaces everything that looks like a secret by a marker of its kind, with no hash by which a password could be tried. Linear. */
export const redact = (text: string): string => redactPart(text, 0, text.length);

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

const NARROW_SIGNS = withValueSigns(narrowMarks);
const WIDE_SIGNS = withValueSigns(wideMarks);

/**
 * All secrets of a text, in order; none overlaps another. They are looked for in what is written and in what is read of it: without the
 * sequences that colour it and without escapes, which stand before a token, within it and around it.
 */
function secretsIn(text: string): readonly Secret[] {
  const searched = searchedOf(text, nothingFollows);
  const isNarrow = !/[^\0-\xff]/.test(text);
  const marks: number[] = [];
  const written = secretsAsWritten(searched, { signs: isNarrow ? NARROW_SIGNS : WIDE_SIGNS, marks });
  const read = { text, codes: searched.codes, isNarrow, marks };
  const parts = decode(read, searched.mayHoldKey).map(partOf);
  if (parts.length === 0) return written;
  const isWhole = searched.mayHoldKey || !parts.some(({ searched: { mayHoldKey } }) => mayHoldKey);
  const whole = isWhole ? parts : decode(read, true).map(partOf);
  return joined([...written, ...whole.flatMap((part) => part.written(secretsAsWritten(part.searched, NO_MARKS)))]);
}

type Text = Searched & { readonly mayHoldKey: boolean };

function searchedOf(text: string, follows: Searched['follows']): Text {
  const codes = Buffer.from(text, 'latin1');
  return { text, codes, follows, mayHoldKey: mayHoldPrivateKey(codes) };
}

const partOf = ({ text, follows, written }: Decoded) => ({ searched: searchedOf(text, follows), written });

const nothingFollows = (): boolean => false;

const NO_MARKS: Signs = { signs: withValueSigns(new Uint8Array(256)), marks: [] };

/** Where a private key stands, nothing else is looked for. */
function secretsAsWritten(searched: Text, told: Signs): readonly Secret[] {
  const { text, codes, follows, mayHoldKey } = searched;
  const keys = mayHoldKey ? privateKeys(text) : [];
  if (keys.length === 0) return secretsBetweenKeys(searched, told);
  const gaps = [...keys, undefined].map((key, at) => ({ from: keys[at - 1]?.end ?? 0, to: key?.start ?? text.length }));
  for (const [at, code] of codes.entries()) if (isMark(told, code)) told.marks.push(at);
  return gaps.flatMap(({ from, to }, at) => [
    ...secretsBetweenKeys(
      { text: text.slice(from, to), codes: codes.subarray(from, to), follows: (place) => follows(place + from) },
      NO_MARKS,
    ).map((secret) => shifted(secret, from)),
    ...keys.slice(at, at + 1),
  ]);
}

function secretsBetweenKeys(searched: Searched, told: Signs): readonly Secret[] {
  const spoken = spokenSecrets(searched, told);
  const encoded = encodedSecrets(searched, (codes) =>
    spokenSecrets({ text: codes.toString('latin1'), follows: nothingFollows, codes }, NO_MARKS),
  );
  return encoded.length === 0 ? spoken : joined([...spoken, ...encoded]);
}

const shifted = ({ start, end, kind }: Secret, by: number): Secret => ({ start: start + by, end: end + by, kind });
