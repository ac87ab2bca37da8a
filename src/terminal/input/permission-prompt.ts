import type { PermissionAnswer, PermissionRequest } from '../../domain/permission.ts';
import type { Paint } from '../text/paint.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import { NO, type TypableChoice, YES } from './questions.ts';

/** What is asked, whole and exact: title, and the diff or command with everything invisible made visible. Ends with a newline. */
export function permissionText(
  request: PermissionRequest,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const location = request.outside ? paint.notice(' (outside the working folder)') : '';
  const title = `${paint.strong(accessNames[request.access])} ${exactText(request.title).replaceAll('\n', '\\n')}${location}`;
  if (request.preview === '') return `${title}\n`;
  const isDiff = request.access === 'write';
  const lines = exactText(request.preview.replace(/\n$/, ''))
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(10, columns - 2)).map((part) => `  ${isDiff ? diffPaint(line, paint)(part) : part}`));
  return `${[title, ...lines].join('\n')}\n`;
}

const accessNames: Readonly<Record<PermissionRequest['access'], string>> = { read: 'Read:', write: 'Change a file:', run: 'Run:' };

function diffPaint(line: string, paint: Paint): (text: string) => string {
  if (line.startsWith('+')) return paint.added;
  return line.startsWith('-') ? paint.removed : paint.plain;
}

/** No comes first and is chosen at the start: to allow something takes a step down or a typed yes, and Enter; never Enter alone. */
export const permissionChoices: readonly TypableChoice<PermissionAnswer>[] = [
  { name: 'No', value: 'no', words: NO },
  { name: 'Yes, this once', value: 'once', words: YES },
  { name: 'Yes, and for the rest of this session', value: 'session' },
];

export const permissionQuestion = (request: PermissionRequest): string => `Allow ${safeLine(request.tool)}?`;
