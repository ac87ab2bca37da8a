import { calledTool } from '../../domain/session/called-tool.ts';
import { isText, isToolResult, isToolUse, type Message, type Origin, resultText } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { folderOf, isId, namesIn, type StorePaths } from '../files/paths.ts';
import { readRecord } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { bodyFiles, bodyMedia, decodeBody, encodeBody, readBodyFile } from '../session/bodies/body-text.ts';
import { recordsHere } from '../session/peek-session.ts';
import { messagesOf } from './search-texts.ts';

export type SearchHit = {
  readonly sessionId: string;
  /** Who said it; `body` is a tool result that was moved to a file. */
  readonly where: Origin | 'body';
  /** ISO 8601, UTC; empty for a body. */
  readonly at: string;
  readonly messageId: string;
  readonly path: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
};

/** Ignores case. Sessions newest first, matches in the order of the log. Reads everything and skips what cannot be read. */
export function* searchSessions(paths: StorePaths, text: string): Generator<SearchHit> {
  const pattern = new RegExp(escapeRegExp(text.normalize('NFC')).replace(/\s+/g, '\\s+'), 'iu');
  const ids = namesIn(paths.sessions).filter(isId).sort().reverse();
  for (const sessionId of ids) {
    try {
      yield* searchMessages(paths, sessionId, pattern);
      yield* searchBodies(paths, sessionId, pattern);
    } catch {
      // Its log cannot be read; sanbot doctor reports that.
    }
  }
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, (char) => (char === '-' ? '\\x2d' : `\\${char}`));

function* searchMessages(paths: StorePaths, sessionId: string, pattern: RegExp): Generator<SearchHit> {
  const seen = new Set<string>();
  for (const record of recordsHere(paths, sessionId)) {
    for (const { message } of record.type === 'checkpoint' ? [] : messagesOf(record)) {
      if (seen.has(message.id)) continue;
      seen.add(message.id);
      const match = matchContext(textsOf(message).join('\n'), pattern);
      if (match === undefined) continue;
      yield { sessionId, where: message.origin, at: message.at, messageId: message.id, path: paths.log(sessionId), ...match };
    }
  }
}

const textsOf = (message: Message): readonly string[] =>
  message.content.flatMap((block) => {
    if (isText(block)) return [block.text];
    if (isToolUse(block)) {
      const { name, input } = calledTool(block);
      return [`${name} ${stringsIn(input).join(' ')}`];
    }
    return isToolResult(block) ? [resultText(block)] : [];
  });

function stringsIn(value: unknown): readonly string[] {
  if (isString(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function* searchBodies(paths: StorePaths, sessionId: string, pattern: RegExp): Generator<SearchHit> {
  const hit = (path: string, body: Buffer): readonly SearchHit[] => {
    const match = bodyMedia(body) === undefined ? matchContext(decodeBody(body), pattern) : undefined;
    return match === undefined ? [] : [{ sessionId, where: 'body', at: '', messageId: '', path, ...match }];
  };
  for (const { path } of bodyFiles(paths, sessionId)) {
    const bytes = readBodyFile(path);
    if (bytes !== undefined) yield* hit(path, bytes);
  }
  const retired = paths.retiredBodies(sessionId);
  if (!namesIn(folderOf(retired)).includes('bodies.jsonl')) return;
  for (const { bytes } of completeLines(retired)) {
    const line = readRecord(bytes);
    if (isObject(line) && isString(line.sha256) && isString(line.text))
      yield* hit(paths.body(sessionId, { sha256: line.sha256 }), encodeBody(line.text));
  }
}

const CONTEXT_CHARS = 40;

function matchContext(text: string, pattern: RegExp): Pick<SearchHit, 'before' | 'match' | 'after'> | undefined {
  const match = pattern.exec(text);
  if (match === null || match[0] === '') return undefined;
  const end = match.index + match[0].length;
  const line = (part: string) => part.toWellFormed().replace(/\s+/g, ' ');
  return {
    before: line(text.slice(Math.max(0, match.index - CONTEXT_CHARS), match.index)),
    match: line(match[0]),
    after: line(text.slice(end, end + CONTEXT_CHARS)),
  };
}
