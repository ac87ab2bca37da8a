import { isString, parseJson } from '../../domain/value/json.ts';
import { isOneOf } from '../../domain/value/word-list.ts';

/** How many messages a history holds. */
export const MAX_INPUT_HISTORY = 1_000;
/** More than anybody pastes; the file holds a few of them. */
const MAX_MESSAGE_CHARS = 6_000_000;

/** The messages of a history file, oldest first: one JSON string in a line. Lines that are none are left out: only typing is at stake. */
export function parseInputHistory(text: string): readonly string[] {
  const messages = text.split('\n').map(parseJson);
  return messages
    .filter(isString)
    .filter((message) => message !== '')
    .slice(-MAX_INPUT_HISTORY);
}

/**
 * The line to append for a message, with its newline, or undefined when it is not to be kept: it starts with a blank (as in a shell),
 * is longer than any paste, or looks as if it held a key or password.
 */
export function inputHistoryLine(message: string): string | undefined {
  if (message.trim() === '' || message.startsWith(' ') || message.length > MAX_MESSAGE_CHARS) return undefined;
  return holdsSecret(message) ? undefined : `${JSON.stringify(message.toWellFormed())}\n`;
}

const holdsSecret = isOneOf(
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16}|\bgh[pousr]_[A-Za-z0-9]{16}|\bgithub_pat_|\bxox[abprs]-/i,
  /\bAKIA[0-9A-Z]{12}|\bAIza[A-Za-z0-9_-]{20}|\beyJ[A-Za-z0-9_-]{10,400}\.|-----BEGIN /i,
  /(?:password|passwd|secret|token|api[-_]?key)["']?\s{0,8}[:=]\s{0,8}\S/i,
  /:\/\/[^\s/:@]{1,64}:[^\s/@]{1,64}@/,
);
