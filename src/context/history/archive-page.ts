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
  WHOLE_HEADING,
} from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { redact } from '../../domain/value/redact.ts';
import { messageText } from '../ledger/exchange/exchanges.ts';
import { sectionsIn } from '../summary/summary-check.ts';
import { oneLine } from '../text/sentences.ts';
import { placeholderFor } from './transcript.ts';

export type ArchivePage = {
  readonly title: string;
  readonly at: string;
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly bodyOf: ReadBody;
};

const TITLE_CHARS = 50;

/**
 * The headline of the summary, else the first line of the user's with a letter or digit, cut between visible characters and words; else
 * `conversation-HHMM`.
 */
export function archiveTitle(messages: readonly Message[], summary = ''): string {
  const lines = [
    () => headline(summary),
    ...messages.map((message) => () => (message.origin === 'user' ? titleLine(messageText(message)) : undefined)),
  ];
  for (const lineOf of lines) {
    const line = lineOf();
    if (line === undefined) continue;
    const shown = redact(line);
    return wholeWords(firstCharacters(shown, TITLE_CHARS), shown);
  }
  const time = /T(\d\d):(\d\d)/.exec(messages[0]?.at ?? '');
  return time === null ? 'conversation' : `conversation-${time[1]}${time[2]}`;
}

/** What stands above the sections. */
function headline(summary: string): string | undefined {
  const first = /^\s*(# .{1,200})/.exec(summary)?.[1] ?? '';
  return Object.keys(sectionsIn(first)).length === 0 ? titleLine(first) : undefined;
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

/**
 * The whole conversation as Markdown for people, nothing shortened: what was said with a line for each call and result, and these whole at
 * the end. Where a body is gone, the page says so and shows its stub.
 */
export function archivePage({ title, at, sessionId, messages, bodyOf }: ArchivePage): string {
  const times = [messages[0]?.at ?? at, messages.at(-1)?.at ?? at];
  const head = [
    `# ${title}`,
    `- Date: ${at}\n- Session: ${sessionId}\n- Messages: ${messages.length}\n- First: ${times[0]}\n- Last: ${times[1]}`,
  ];
  const pages = messages.map((message, index) => {
    const blocks = message.content.map((block) => blockText(block, message, bodyOf)).filter(({ line }) => line !== '');
    const wholes = blocks.flatMap(({ whole }) => whole ?? []);
    const lines = blocks.map(({ line }) => line);
    return {
      said: [`## ${index + 1}. ${speakerLabels[message.origin]}, ${message.at}`, ...(lines.length === 0 ? ['(no text)'] : lines)],
      whole: wholes.length === 0 ? [] : [`### Of ${index + 1}`, ...wholes],
    };
  });
  const wholes = pages.flatMap(({ whole }) => whole);
  const end = wholes.length === 0 ? [] : [WHOLE_HEADING, ...wholes];
  return `${[...head, ...pages.flatMap(({ said }) => said), ...end].join('\n\n')}\n`;
}

/** How a block stands in the text, and what of it stands at the end of the page. */
type PageBlock = { readonly line: string; readonly whole?: string };

function blockText(block: ContentBlock, message: Message, bodyOf: ReadBody): PageBlock {
  if (isText(block)) return { line: block.text };
  if (isCompaction(block)) return { line: block.content };
  if (isThinking(block))
    return { line: typeof block.thinking === 'string' && block.thinking !== '' ? `Thinking:\n\n${codeBlock(block.thinking)}` : '' };
  if (isToolUse(block)) {
    const { name, input, id } = calledTool(block);
    const values = Object.values(isObject(input) ? input : { input }).map((value) => (isString(value) ? value : JSON.stringify(value)));
    return {
      line: `[Call of \`${name}\` (${id}): ${firstOf(values.join(' '))}]`,
      whole: `Call of \`${name}\` (${id}):\n\n${codeBlock(JSON.stringify(input, null, 2) ?? '', 'json')}`,
    };
  }
  return isToolResult(block) ? renderResult(block, message, bodyOf) : { line: placeholderFor(block) };
}

const LINE_CHARS = 160;
const firstOf = (text: string): string => oneLine(text.trim(), LINE_CHARS);

function renderResult(block: ToolResultBlock, message: Message, bodyOf: ReadBody): PageBlock {
  const body = storedResult(message, block, bodyOf);
  const content = block.content ?? '';
  const parts = typeof content === 'string' ? [content] : content.map((part) => (isText(part) ? part.text : placeholderFor(part)));
  const label = `${block.is_error === true ? 'Error' : 'Result'} of ${block.tool_use_id}`;
  const missingNote =
    body === undefined && stubOf(message, block) !== undefined
      ? '\n\n[The whole result could not be read; this is what stood in its place.]'
      : '';
  const text = body ?? parts.join('\n');
  return { line: `[${label}: ${firstOf(text)}]`, whole: `${label}:${missingNote}\n\n${codeBlock(text)}` };
}

function codeBlock(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
