export const QUOTED_PATTERN = '(?:"[^"\\n]+"|\'[^\'\\n]+\'|`[^`\\n]+`|“[^”\\n]+”|「[^」\\n]+」)';

export function unquote(text: string): string {
  const trimmed = text.trim();
  return fullyQuoted.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

const fullyQuoted = new RegExp(`^${QUOTED_PATTERN}$`);

/** Makes a text of unknown origin printable in a message: quoted, with control and format characters visible, at most 80 characters. */
export function inspectText(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return JSON.stringify(short).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeChar);
}

const escapeChar = (char: string) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** The candidate that was most likely meant: one slip for every three letters, or one that starts with the whole word. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const target = normalize(word).slice(0, MAX_CHARS);
  if (target === '') return undefined;
  let best: { readonly candidate: string; readonly slips: number } | undefined;
  for (const candidate of candidates) {
    const slips = editDistance(target, normalize(candidate).slice(0, MAX_CHARS));
    if (slips <= Math.max(1, Math.floor(target.length / 3)) && (best === undefined || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate ?? (target.length >= 3 ? candidates.find((candidate) => normalize(candidate).startsWith(target)) : undefined);
}

/** Longer words are compared by their beginning, because the work is quadratic. */
const MAX_CHARS = 64;
const normalize = (word: string): string => word.toLowerCase().replaceAll(/[-_]/g, '');
function editDistance(a: string, b: string): number {
  let previous: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (previous[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    previous = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
