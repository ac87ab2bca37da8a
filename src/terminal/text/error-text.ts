import { AbortedError, errorKinds, SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { safeText } from './safe-text.ts';
import { sourceStack } from './source-stack.ts';

/**
 * What a person is told of a failure: what and where in the first line, the way out, indented, below it. Of a fault in SanBot also the
 * stack, for whoever reports it. Ends with a newline.
 */
export function errorText(error: unknown): string {
  if (error instanceof AbortedError) return `sanbot: ${localize({ en: 'interrupted', zh: '已中断' })}\n`;
  if (error instanceof SanbotError) return shownText(error);
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const lines = [indentLines(name), ...sourceStack(error).map((frame) => `  ${safeText(frame)}`), localize(errorKinds.internal.hint)];
  return `sanbot: ${localize({ en: 'unexpected: ', zh: '意外错误：' })}${lines.join('\n  ')}\n`;
}

const shownText = ({ shown }: SanbotError): string =>
  `sanbot: ${indentLines(localize(shown.message))}\n  ${indentLines(localize(shown.hint))}\n`;

export function exitCodeOf(error: unknown): number {
  if (error instanceof AbortedError) return errorKinds.interrupted.exitCode;
  return error instanceof SanbotError ? errorKinds[error.code].exitCode : errorKinds.internal.exitCode;
}

/** Further lines of a message stand below the first word of it. */
const indentLines = (text: string): string => safeText(text).trim().replaceAll('\n', '\n  ');
