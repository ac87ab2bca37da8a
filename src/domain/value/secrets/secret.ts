import { isOneOf } from '../word-list.ts';

/** A stretch of a text that is a secret, and what it is called. */
export type Secret = { readonly start: number; readonly end: number; readonly kind: string };

export type Searched = {
  readonly text: string;
  /** Its characters, each cut to a byte. */
  readonly codes: Buffer;
  /** True where something was left out of the text that stood right before. */
  readonly follows: (at: number) => boolean;
};

/** Says what secrets begin with a word that stands at `at`, or follow it. */
export type Finder = (searched: Searched, at: number) => readonly Secret[];

/** In order; of those that overlap, one that reaches over both, called as the first. */
export function joined(secrets: readonly Secret[]): readonly Secret[] {
  const out: Secret[] = [];
  for (const secret of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last === undefined || secret.start >= last.end) out.push(secret);
    else if (secret.end > last.end) out[out.length - 1] = { ...last, end: secret.end };
  }
  return out;
}

export const NONE: readonly Secret[] = [];

/** Where the first group of a sticky pattern, which ends with it, stands. */
export function groupAt(pattern: RegExp, text: string, at: number): Pick<Secret, 'start' | 'end'> | undefined {
  pattern.lastIndex = at;
  const value = pattern.exec(text)?.[1];
  return value === undefined ? undefined : { start: pattern.lastIndex - value.length, end: pattern.lastIndex };
}

/** True for what stands where a secret will: `xxxx`, `<your key>`, `$KEY`, `process.env.KEY`. */
export const isPlaceholder = (value: string): boolean => /\[redacted|[$…]/.test(value) || standsForOne(value) || hasFewSigns(value);

const standsForOne = isOneOf(/^(?:[x*.•_-]+|<.*>|\[.*|\{\{.*|%\w+%|your[-_ ].*)$/i, /^(?:process\.env|env\.|os\.environ)/i);

/** A key that was generated has many signs; a row of the same few stands for one. */
function hasFewSigns(value: string): boolean {
  if (value.length < 16) return false;
  let signs = '';
  for (let at = 0; at < value.length && at < 64 && signs.length <= 3; at++)
    if (!signs.includes(value.charAt(at))) signs += value.charAt(at);
  return signs.length <= 3;
}
