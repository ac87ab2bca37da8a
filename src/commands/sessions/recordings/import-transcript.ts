/**
 * Recordings of other programs, and of SanBot itself, as transcripts: what was said, called and returned, in order. Each format has a
 * reader; which one a recording has is told by its content, never by its name.
 *
 * A file comes in, line by line where the format allows it, so that its size does not matter. Conversations come out in which each reply
 * has the results of its calls with it, so that no pair can come apart.
 *
 * What is damaged or no message is counted and left out, never guessed. Thinking without a signature is dropped, since it could not be
 * sent again. Nothing in a recording is used as a path, and nothing of it is run.
 */

import { collectSteps, type StepCollector } from '../../../context/history/collect-steps.ts';
import { SanbotError } from '../../../domain/errors.ts';
import type { Bilingual } from '../../../domain/language.ts';
import type { Format, Transcript } from '../../../domain/session/transcript.ts';
import { type Fields, isObject, parseJson } from '../../../domain/value/json.ts';
import { readAider } from './aider.ts';
import { importChineseChat, importQuestions } from './chinese-chat.ts';
import { readClaudeCode } from './claude-code.ts';
import { readCodex } from './codex.ts';
import { isGeminiLine, readGeminiCli, readGeminiLines } from './gemini-cli.ts';
import { isGeminiContent, isQwenLine, readGeminiContent, readQwenCode } from './gemini-content.ts';
import { isEntireLine, type MessageList, readEntire, readMessages, readPi } from './messages.ts';
import { isOpencode, readOpencode } from './opencode.ts';
import { arrayAt, linesOf, type Recording, recordingOf, stringAt } from './recorded-content.ts';
import { readExportedFile, readSanbot } from './sanbot.ts';
import { readSweAgent } from './swe-agent.ts';

/** By the content, not by the name. Throws `usage` when the format is unknown or the file contains no message. */
export function importTranscript(name: string, source: string | Recording): readonly Transcript[] {
  const recording = typeof source === 'string' ? recordingOf(source) : source;
  const page = readablePage(recording);
  if (page !== undefined) throw noSession(name, page);
  const transcripts = importAny(recording);
  if (transcripts === undefined) throw unknownFormat(name, firstLine(recording) === '' ? IS_EMPTY : NO_FORMAT);
  if (transcripts.every(({ steps }) => steps.length === 0)) throw unknownFormat(name, NO_MESSAGE);
  return transcripts;
}

const IS_EMPTY = { en: 'is empty', zh: '是空的' };
const NO_FORMAT = { en: 'is in no known format', zh: '的格式未知' };
const NO_MESSAGE = { en: 'has no message in it', zh: '中没有消息' };

const unknownFormat = (name: string, why: Bilingual): SanbotError =>
  new SanbotError(
    'usage',
    { en: `${name} ${why.en}`, zh: `${name} ${why.zh}` },
    {
      en: 'The known formats are sessions of SanBot (log.jsonl, or sanbot export), Claude Code, Codex, pi, Gemini CLI, Qwen Code, OpenCode (opencode export), SWE-agent, aider and Entire, and messages as JSON in the shape of Anthropic or OpenAI.',
      zh: '已知的格式有 SanBot（log.jsonl 或 sanbot export）、Claude Code、Codex、pi、Gemini CLI、Qwen Code、OpenCode（opencode export）、SWE-agent、aider 和 Entire 的会话，以及 Anthropic 或 OpenAI 形式的 JSON 消息。',
    },
  );

type Page = { readonly form: 'Markdown' | 'HTML'; readonly sessionId: string | undefined };

const noSession = (name: string, { form, sessionId = 'ID' }: Page): SanbotError =>
  new SanbotError(
    'usage',
    {
      en: `${name} is a page to read (${form}), with too little in it to go on from`,
      zh: `${name} 是供阅读的页面（${form}），其中的内容不足以继续会话`,
    },
    {
      en: `A whole session is needed: sanbot export --session ${sessionId} -o session.jsonl`,
      zh: `需要完整的会话：sanbot export --session ${sessionId} -o session.jsonl`,
    },
  );

const MAX_HEAD_LINES = 10;

/** Recognises pages that SanBot exports or archives by their heads; of others only HTML, since Markdown may be a recording of aider. */
function readablePage(recording: Recording): Page | undefined {
  const head: string[] = [];
  for (const { text } of linesOf(recording)) if (head.push(text.slice(0, MAX_HEAD_CHARS)) >= MAX_HEAD_LINES) break;
  if (/^<(?:!doctype|html)\b/i.test(head[0] ?? '')) return { form: 'HTML', sessionId: firstMatch(head, /<p>Session ([\w-]+), exported /) };
  const [title = '', date = '', session = '', messages = ''] = head;
  const isArchivePage = title.startsWith('# ') && date.startsWith('- Date: ') && /^- Messages: \d+$/.test(messages);
  return isArchivePage ? { form: 'Markdown', sessionId: firstMatch([session], /^- Session: ([\w-]+)$/) } : undefined;
}

const MAX_HEAD_CHARS = 2_000;

const firstMatch = (lines: readonly string[], pattern: RegExp): string | undefined =>
  lines.map((line) => pattern.exec(line)?.[1]).find((match) => match !== undefined);

function importAny(recording: Recording): readonly Transcript[] | undefined {
  const start = firstLine(recording).slice(0, 1);
  if (start !== '{' && start !== '[') return isAider(recording) ? one('aider', readAider, recording) : undefined;
  const first = firstObjects(recording);
  if (first.length > 1 || (first.length === 1 && isLineEntry(first[0] ?? {}))) return importLines(recording, first);
  const value = parseJson(recording.readAll().trimStart());
  return value === undefined ? importLines(recording, first) : importWhole(value);
}

function one<Source>(format: Format, read: (source: Source, collector: StepCollector) => void, source: Source): readonly Transcript[] {
  const collector = collectSteps();
  read(source, collector);
  return [collector.finish(format)];
}

/** Returns the first line that is not blank; a byte order mark counts as blank. */
function firstLine(recording: Recording): string {
  for (const { text } of linesOf(recording)) return text;
  return '';
}

const MAX_AIDER_LINES = 20_000;

function isAider(recording: Recording): boolean {
  for (const { number, text } of linesOf(recording)) {
    if (/^# aider chat started at|^#### /.test(text)) return true;
    if (number >= MAX_AIDER_LINES) break;
  }
  return false;
}

const MAX_FORMAT_LINES = 50;

/** Returns the objects that are whole lines, among the first lines; none for JSON that spans several lines. */
function firstObjects(recording: Recording): readonly Fields[] {
  const objects: Fields[] = [];
  let lineCount = 0;
  for (const { text: line } of linesOf(recording)) {
    const entry = line.startsWith('{') && line.endsWith('}') ? parseJson(line) : undefined;
    if (isObject(entry)) objects.push(entry);
    if (++lineCount >= MAX_FORMAT_LINES) break;
  }
  return objects;
}

const isLineEntry = (entry: Fields): boolean => 'type' in entry || ('role' in entry && 'content' in entry) || '$set' in entry;

const codexTypes = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

const isCodexLine = (entry: Fields): boolean =>
  ('payload' in entry && codexTypes.has(stringAt(entry, 'type'))) ||
  entry.type === 'function_call' ||
  (entry.type === 'message' && typeof entry.role === 'string');

function importLines(recording: Recording, first: readonly Fields[]): readonly Transcript[] | undefined {
  const any = (test: (entry: Fields) => boolean): boolean => first.some(test);
  if (any((entry) => entry.type === 'header' && typeof entry.sessionId === 'string' && isObject(entry.context)))
    return one('sanbot', readSanbot, recording);
  if (first[0]?.type === 'sanbot-export') return one('sanbot', readExportedFile, recording);
  if (any(isEntireLine)) return one('entire', readEntire, recording);
  if (any(isCodexLine)) return one('codex', readCodex, recording);
  if (any((entry) => entry.type === 'session' || (entry.type === 'message' && isObject(entry.message))))
    return one('pi', readPi, recording);
  if (any(isQwenLine)) return one('qwen-code', readQwenCode, recording);
  if (first.some(isGeminiLine) && !any((entry) => 'uuid' in entry)) return one('gemini-cli', readGeminiLines, recording);
  if (any((entry) => 'uuid' in entry || 'leafUuid' in entry || entry.type === 'file-history-snapshot'))
    return one('claude-code', readClaudeCode, recording);
  if (any((entry) => typeof entry.role === 'string'))
    return importList({ messages: [...linesOf(recording)].map((line) => parseJson(line.text)) });
  if (any((entry) => Array.isArray(entry.messages)))
    return [...linesOf(recording)].flatMap((line) => importWhole(parseJson(line.text)) ?? []);
  return any((entry) => Object.values(entry).every(isQuestions)) ? importQuestions(recording) : undefined;
}

const isQuestions = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

function importWhole(file: unknown): readonly Transcript[] | undefined {
  if (Array.isArray(file)) {
    if (file.some(isGeminiContent)) return one('gemini-cli', readGeminiContent, file);
    return file.some(isMessage) ? importList({ messages: file }) : undefined;
  }
  if (!isObject(file)) return undefined;
  if (isOpencode(file)) return one('opencode', readOpencode, file);
  const contents = [arrayAt(file, 'clientHistory'), arrayAt(file, 'history')].find((list) => list.some(isGeminiContent));
  if (contents !== undefined) return one('gemini-cli', readGeminiContent, contents);
  if (arrayAt(file, 'history').some(isMessage)) return one('swe-agent', readSweAgent, file);
  const messages = arrayAt(file, 'messages');
  if (messages.some((message) => stringAt(message, 'type') === 'gemini' || ('projectHash' in file && stringAt(message, 'type') === 'user')))
    return one('gemini-cli', readGeminiCli, file);
  if (messages.some(isMessage)) return importList({ messages, system: file.system });
  return Object.values(file).some((person) => isObject(person) && isObject(person.history)) ? importChineseChat(file) : undefined;
}

const isMessage = (value: unknown): boolean => isObject(value) && typeof value.role === 'string';

/** Calls in blocks are Anthropic's form; calls beside the content, and tool messages, are OpenAI's. Plain text reads the same in both. */
function importList(list: MessageList): readonly Transcript[] {
  const hasBlocks = list.messages.some((message) =>
    arrayAt(message, 'content').some((block) => ['tool_use', 'tool_result', 'thinking'].includes(stringAt(block, 'type'))),
  );
  return one(hasBlocks || list.system !== undefined ? 'anthropic' : 'openai', readMessages, list);
}
