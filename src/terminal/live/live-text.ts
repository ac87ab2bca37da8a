import { formatCount } from '../text/format.ts';

/** Texts of the live area. */

export const THINKING = 'Thinking';

export const viewerText = {
  keys: 'arrow keys scroll, left and right: others, Esc closes',
  shortKeys: 'Esc closes',
  place: (from: number, to: number, of: number): string => `${formatCount(from)}-${formatCount(to)} of ${formatCount(of)}`,
  number: (n: number, of: number): string => `${n}/${of}`,
  empty: '(no output)',
  gone: 'This result has left the context. /recall finds what was in it.',
  omitted: (chars: number): string => `… ${formatCount(chars)} characters are left out here …`,
  nothing: 'There is no output to show yet.',
} as const;
