import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { AbortedError, errorKinds, SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { safeText } from './safe-text.ts';
import { wrapIndented } from './text-width.ts';

/**
 * Of a fault in SanBot also the stack, for whoever reports it. No word is broken at a margin. Ends with a newline. `lead` says who speaks
 * in a shell, where other programs speak too.
 */
export function errorText(error: unknown, columns = Number.POSITIVE_INFINITY, lead = 'sanbot: '): string {
  return wrapIndented(lead + plainErrorText(error), columns).join('\n');
}

function plainErrorText(error: unknown): string {
  if (error instanceof AbortedError) return `${localize({ en: 'interrupted', zh: '已中断' })}\n`;
  if (error instanceof SanbotError) return shownText(error);
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const lines = [indentLines(name), ...sourceStack(error).map((frame) => `  ${safeText(frame)}`), localize(errorKinds.internal.hint)];
  return `${localize({ en: 'unexpected: ', zh: '意外错误：' })}${lines.join('\n  ')}\n`;
}

const shownText = ({ shown }: SanbotError): string => `${indentLines(localize(shown.message))}\n  ${indentLines(localize(shown.hint))}\n`;

export function exitCodeOf(error: unknown): number {
  if (error instanceof AbortedError) return errorKinds.interrupted.exitCode;
  return error instanceof SanbotError ? errorKinds[error.code].exitCode : errorKinds.internal.exitCode;
}

const indentLines = (text: string): string => safeText(text).trim().replaceAll('\n', '\n  ');

const MOST_FRAMES = 8;

/**
 * The first frames of an error's stack, one in a line, in terms of the sources where a map lies beside the compiled file. The maps are
 * read here, and only for a fault: `process.setSourceMapsEnabled` reads those of every module, which costs each start up to a fifth more (Node 20).
 */
export function sourceStack(error: unknown): readonly string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const frames = lines.filter((line) => /^\s+at /.test(line)).slice(0, MOST_FRAMES);
  return frames.map((frame) => frame.trim().replace(COMPILED, sourcePosition));
}

const COMPILED = /(file:\/\/\/[^\s()]+\.js):(\d+):(\d+)/;

function sourcePosition(compiled: string, url: string, line: string, column: string): string {
  try {
    const map = new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
    const origin = map.findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return compiled;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  } catch {
    return compiled;
  }
}
