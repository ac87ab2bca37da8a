import type { PermissionAnswer, PermissionOffer, PermissionRequest } from '../../domain/permission.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { diffLines } from '../text/diff-text.ts';
import type { Paint } from '../text/paint.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import { NO, type Questions, type TypableChoice, YES } from './questions.ts';

/** What is asked, whole and exact: title, and the diff or command with everything invisible made visible. Ends with a newline. */
export function permissionText(
  request: PermissionRequest,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const location = request.outside ? paint.notice(' (outside the working folder)') : '';
  const asks = request.helper === undefined ? '' : `Helper ${safeLine(request.helper)} · `;
  // A command stands below, whole; its title would say it twice.
  const name = request.access === 'run' && request.preview !== '' ? request.tool : request.title;
  const title = `${asks}${paint.strong(accessNames[request.access])} ${exactText(name).replaceAll('\n', '\\n')}${location}`;
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

/** Asks whether it may run; a no may come with words for the model. */
export async function askToAllow(
  request: PermissionRequest,
  { decide, type }: Pick<Questions, 'decide' | 'type'>,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const answer = await decide(permissionQuestion(request), permissionChoices(request), signal);
  if (answer !== SAY_WHY) return answer;
  const why = (await type('No. What should it do instead?', signal))?.trim() ?? '';
  return why === '' ? 'no' : { kind: 'refusal', why };
}

const SAY_WHY = 'say why';

/**
 * No comes first and is chosen at the start: to allow something takes a key of its own, or a step down and Enter; never Enter alone. What
 * a lasting yes would cover stands in its choice.
 */
const permissionChoices = ({ session, offers }: PermissionRequest): readonly TypableChoice<PermissionAnswer | typeof SAY_WHY>[] => {
  const lasting: readonly { readonly name: string; readonly value: PermissionAnswer }[] = [
    ...(session === undefined ? [] : [{ name: `For the rest of this session: ${session}`, value: 'session' } as const]),
    ...offers.map((offer) => ({ name: offerName(offer), value: offer })),
  ];
  const opens = lasting.map((choice, at) => ({ ...choice, words: [String(at + 1)] }));
  return [
    { name: 'No', value: 'no', words: NO },
    { name: 'Yes, this once', value: 'once', words: YES },
    ...(lasting.length === 0 ? [] : [{ name: 'Yes, and not be asked again…', value: 'once', words: ALWAYS, opens } as const]),
    { name: 'No, and say why', value: SAY_WHY, words: ['w'] },
  ];
};

const ALWAYS: readonly string[] = ['a', 'always'];

function offerName(offer: PermissionOffer): string {
  if (offer.kind === 'read_only_commands') return 'Always: every command that is proven to only read';
  const { tool, command, prefix, file, folder, host } = offer.rule;
  if (host !== undefined) return `Always: pages of ${safeLine(host)}`;
  const where = folder === undefined ? '' : ' in this folder';
  if (tool.startsWith(MCP_PREFIX) && file === undefined)
    return tool.endsWith('*') ? `Always${where}: every tool of this server` : `Always${where}: this tool, whatever it is given`;
  if (command !== undefined) return `Always${where}: exactly this command`;
  return prefix === undefined ? 'Always: exactly this file' : `Always${where}: commands that begin with "${safeLine(prefix)}"`;
}

const permissionQuestion = ({ tool, helper }: PermissionRequest): string =>
  helper === undefined ? `Allow ${safeLine(tool)}?` : `Allow ${safeLine(tool)} of helper ${safeLine(helper)}?`;
