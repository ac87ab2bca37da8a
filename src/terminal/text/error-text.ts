import { AbortedError, errorKinds, SanbotError } from '../../domain/errors.ts';
import { safeText } from './safe-text.ts';

/** What a person is told of a failure: what and where in the first line, the way out, indented, below it. Ends with a newline. */
export function errorText(error: unknown): string {
  if (error instanceof AbortedError) return 'sanbot: interrupted\n';
  if (error instanceof SanbotError) return `sanbot: ${indentLines(error.message)}\n  ${indentLines(error.hint)}\n`;
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `sanbot: unexpected: ${indentLines(name)}\n  ${errorKinds.internal.hint}\n`;
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof AbortedError) return errorKinds.interrupted.exitCode;
  return error instanceof SanbotError ? errorKinds[error.code].exitCode : errorKinds.internal.exitCode;
}

/** Further lines of a message stand below the first word of it. */
const indentLines = (text: string): string => safeText(text).trim().replaceAll('\n', '\n  ');
