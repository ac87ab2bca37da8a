import type { PermissionAnswer, PermissionOffer, PermissionRequest } from '../../domain/permission.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { diffLines } from '../text/diff-text.ts';
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
  const asks = request.helper === undefined ? '' : `Helper ${safeLine(request.helper)} · `;
  const title = `${asks}${paint.strong(accessNames[request.access])} ${exactText(request.title).replaceAll('\n', '\\n')}${location}`;
  const caution = request.caution === undefined ? [] : [paint.notice(`  Look closely: ${safeLine(request.caution)}.`)];
  if (request.preview === '') return `${[title, ...caution].join('\n')}\n`;
  const width = Math.max(10, columns - 2);
  const shown =
    request.access === 'write'
      ? diffLines(request.preview, { paint, columns: width })
      : exactText(request.preview.replace(/\n$/, ''))
          .split('\n')
          .flatMap((line) => wrap(line, width));
  const lines = shown.map((line) => `  ${line}`);
  return `${[title, ...lines, ...caution].join('\n')}\n`;
}

const accessNames: Readonly<Record<PermissionRequest['access'], string>> = { read: 'Read:', write: 'Change a file:', run: 'Run:' };

/**
 * No comes first and is chosen at the start: to allow something takes a step down or a typed yes, and Enter; never Enter alone. What a lasting
 * yes would cover stands in its choice.
 */
export const permissionChoices = ({ session, offers }: PermissionRequest): readonly TypableChoice<PermissionAnswer>[] => [
  { name: 'No', value: 'no', words: NO },
  { name: 'Yes, this once', value: 'once', words: YES },
  ...(session === undefined ? [] : [{ name: `Yes, and for the rest of this session: ${session}`, value: 'session' } as const]),
  ...offers.map((offer) => ({ name: offerName(offer), value: offer })),
];

function offerName(offer: PermissionOffer): string {
  if (offer.kind === 'read_only_commands') return 'Yes, and from now on every command that is proven to only read';
  const { tool, command, prefix, file, folder, host } = offer.rule;
  if (host !== undefined) return `Yes, and always: pages of ${safeLine(host)}`;
  const where = folder === undefined ? '' : ' in this folder';
  if (tool.startsWith(MCP_PREFIX) && file === undefined)
    return tool.endsWith('*')
      ? `Yes, and always${where}: every tool of this server`
      : `Yes, and always${where}: this tool, whatever it is given`;
  if (command !== undefined) return `Yes, and always${where}: exactly this command`;
  return prefix === undefined
    ? 'Yes, and always: exactly this file'
    : `Yes, and always${where}: commands that begin with "${safeLine(prefix)}"`;
}

export const permissionQuestion = ({ tool, helper }: PermissionRequest): string =>
  helper === undefined ? `Allow ${safeLine(tool)}?` : `Allow ${safeLine(tool)} of helper ${safeLine(helper)}?`;
