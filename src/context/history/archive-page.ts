import { calledTool } from '../../domain/session/called-tool.ts';
import {
  type ContentBlock,
  isCompaction,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  speakerLabels,
  storedResult,
  stubOf,
  type ToolResultBlock,
} from '../../domain/session/message.ts';
import { redact } from '../../domain/value/redact.ts';
import { messageText } from '../rules/message-text.ts';
import { placeholderFor } from './transcript.ts';

export type ArchivePage = {
  readonly title: string;
  readonly at: string;
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly bodyOf: ReadBody;
};

const TITLE_CHARS = 50;

/** The first line of the user's with a letter or digit, cut between visible characters and words; else `conversation-HHMM`. */
export function archiveTitle(messages: readonly Message[]): string {
  for (const message of messages) {
    const line = message.origin === 'user' ? titleLine(messageText(message)) : undefined;
    if (line === undefined) continue;
    const shown = redact(line);
    return wholeWords(firstCharacters(shown, TITLE_CHARS), shown);
  }
  const time = /T(\d\d):(\d\d)/.exec(messages[0]?.at ?? '');
  return time === null ? 'conversation' : `conversation-${time[1]}${time[2]}`;
}

function titleLine(text: string): string | undefined {
  for (const raw of text.slice(0, 20_000).split('\n')) {
    const line = raw
      .slice(0, 1_000)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
      .replace(/^[\s#>*`_~-]+|[\s*`_~]+$/g, '')
      .replace(/\s+/g, ' ');
    if (/[\p{L}\p{N}]/u.test(line)) return line;
  }
  return undefined;
}

function wholeWords(start: string, line: string): string {
  if (!IN_WORD.test(start.slice(-1)) || !IN_WORD.test(line.trim().charAt(start.length))) return start;
  const whole = start.replace(/\s+\S*$/, '');
  return whole.length < start.length / 2 ? start : whole;
}

/** Of scripts that set words apart. */
const IN_WORD = /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function firstCharacters(line: string, maxPoints: number): string {
  let text = '';
  let points = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line.toWellFormed())) {
    points += [...segment].length;
    if (points > maxPoints) break;
    text += segment;
  }
  return text.trim();
}

/** The whole conversation as Markdown for people, nothing shortened. Where a body is gone, the page says so and shows its stub. */
export function archivePage({ title, at, sessionId, messages, bodyOf }: ArchivePage): string {
  const head = [`# ${title}`, `- Date: ${at}\n- Session: ${sessionId}\n- Messages: ${messages.length}`];
  const pages = messages.map((message, index) => {
    const blocks = message.content.map((block) => blockText(block, message, bodyOf)).filter((text) => text !== '');
    return [`## ${index + 1}. ${speakerLabels[message.origin]}, ${message.at}`, ...(blocks.length === 0 ? ['(no text)'] : blocks)].join(
      '\n\n',
    );
  });
  return `${[...head, ...pages].join('\n\n')}\n`;
}

function blockText(block: ContentBlock, message: Message, bodyOf: ReadBody): string {
  if (isText(block)) return block.text;
  if (isCompaction(block)) return block.content;
  if (isThinking(block))
    return typeof block.thinking === 'string' && block.thinking !== '' ? `Thinking:\n\n${codeBlock(block.thinking)}` : '';
  if (isToolUse(block)) {
    const { name, input, id } = calledTool(block);
    return `Call of \`${name}\` (${id}):\n\n${codeBlock(JSON.stringify(input, null, 2) ?? '', 'json')}`;
  }
  if (isToolResult(block)) return renderResult(block, message, bodyOf);
  return placeholderFor(block);
}

function renderResult(block: ToolResultBlock, message: Message, bodyOf: ReadBody): string {
  const body = storedResult(message, block, bodyOf);
  const content = block.content ?? '';
  const parts = typeof content === 'string' ? [content] : content.map((part) => (isText(part) ? part.text : placeholderFor(part)));
  const label = block.is_error === true ? 'Error' : 'Result';
  const missingNote =
    body === undefined && stubOf(message, block) !== undefined
      ? '\n\n[The whole result could not be read; this is what stood in its place.]'
      : '';
  return `${label} of ${block.tool_use_id}:${missingNote}\n\n${codeBlock(body ?? parts.join('\n'))}`;
}

function codeBlock(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
