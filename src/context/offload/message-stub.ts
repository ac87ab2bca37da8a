import type { BodyRef, TextBlock } from '../../domain/session/message.ts';
import type { Limits } from '../measure/limits.ts';
import { excerptOf, UNITS_PER_TOKEN } from './excerpt.ts';
import { countNewlines } from './stub.ts';

/** A message of the user's above this share of the window is mostly something that was pasted. */
const MAX_MESSAGE_SHARE = 1 / 10;

export const isTooLongToSay = (tokens: number, { windowTokens }: Limits): boolean => tokens > windowTokens * MAX_MESSAGE_SHARE;

/** Most people write above or below what they paste. */
const HEAD_SHARE = 0.6;

/**
 * What stands for a long message: its beginning and end, where the user's own words are, and where all of it is. Same input, same bytes.
 */
export function messageStub(
  text: string,
  { path, ref }: { readonly path: string; readonly ref: BodyRef },
  limits: Limits,
): readonly TextBlock[] {
  const units = limits.stubTokens * UNITS_PER_TOKEN;
  const { head, tail, cutChars } = excerptOf(text, { headChars: units * HEAD_SHARE, tailChars: units * (1 - HEAD_SHARE), units });
  const facts = `${ref.bytes} bytes, ${ref.lines} lines, sha256 ${ref.sha256.slice(0, 16)}`;
  const next = `offset: ${countNewlines(head) + 1}`;
  const middle = `[${cutChars} characters of this message are not shown here. All of it is at: ${path}\n${facts}\nRead on with read_file (this path, ${next}), or search in it.]`;
  return [head.trimEnd(), middle, tail.trimStart()]
    .filter((part) => part !== '')
    .map((part) => ({ type: 'text', text: part.toWellFormed() }));
}
