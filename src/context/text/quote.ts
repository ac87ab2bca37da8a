import { redact } from '../../domain/value/redact.ts';
import { oneLine } from './sentences.ts';

/** Escapes tags that mark tools, roles and our own frames, redacts secrets, and replaces lone surrogates. */
export function quoteText(text: string): string {
  return redact(text.toWellFormed()).replace(FRAME, '&lt;');
}

/** Does the same on one line of at most `maxChars`, with mentions of files in backticks so that nothing expands them again. */
export function quoteLine(text: string, maxChars: number): string {
  // Redacted before it is cut: half a key is not recognised as one.
  return quietMentions(quoteText(oneLine(redact(text.slice(0, maxChars * 8)), maxChars)));
}

const FRAMES = `system system-reminder tool_result tool_results tool_use tool_call tool_calls function_calls function_results function_call invoke
parameter summary conversation earlier_summary instructions user assistant human ledger message`;
const FRAME = new RegExp(`<(?=\\/?[a-z]{0,10}:?(?:${FRAMES.split(/\s/).join('|')})[\\s>/])`, 'gi');

const MENTION = /(^|[\s(（，。：])@([\w./~-]{1,300})/g;

export const quietMentions = (text: string): string =>
  text.replace(MENTION, (match, before: string, path: string) => (/[./]/.test(path) ? `${before}\`@${path}\`` : match));
/** Makes text safe as data inside a frame of ours: no tag in it opens or closes anything, and no secret is left in it. */
export const neutralize = (text: string): string => quoteText(text).replace(/<(?=[/!a-z])/gi, '&lt;');
