import { type Bilingual, localize } from '../../domain/language.ts';
import type { PermissionAnswer, PermissionOffer, PermissionRequest } from '../../domain/permission.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { diffLines } from '../text/diff-text.ts';
import { callTitle } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import { noText } from './input-text.ts';
import { NO, type Questions, type TypableChoice, YES } from './questions.ts';

/** What is asked, whole and exact: title, and the diff or command with everything invisible made visible. Ends with a newline. */
export function permissionText(
  request: PermissionRequest,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const location = request.outside ? localize({ en: ' (outside the working folder)', zh: '（在当前文件夹之外）' }) : '';
  const asks = request.helper === undefined ? '' : `${localize({ en: 'Helper', zh: '子代理' })} ${safeLine(request.helper)} · `;
  // What stands below, whole, is not said twice.
  const isBelow = request.preview !== '' && (request.access === 'run' || request.title === `${request.tool} ${request.preview}`);
  const name = isBelow ? request.tool : callTitle(request.title);
  const width = Math.max(10, columns - 2);
  const access = localize(accessNames)[request.access];
  const title = wrap(`${asks}${access}${localize({ en: ' ', zh: '' })}${exactText(name).replaceAll('\n', '\\n')}${location}`, columns);
  const look = request.caution === undefined ? undefined : { en: safeLine(request.caution.en), zh: safeLine(request.caution.zh) };
  const caution = look === undefined ? [] : wrap(localize({ en: `Look closely: ${look.en}.`, zh: `请仔细看：${look.zh}。` }), width);
  const head = title.map((line) => paintTitle(line, { access, location, paint }));
  const tail = caution.map((line) => paint.notice(`  ${line}`));
  if (request.preview === '') return `${[...head, ...tail].join('\n')}\n`;
  const shown =
    request.access === 'write'
      ? diffLines(request.preview, { paint, columns: width })
      : exactText(request.preview.replace(/\n$/, ''))
          .split('\n')
          .flatMap((line) => wrap(line, width));
  const lines = shown.map((line) => `  ${line}`);
  return `${[...head, ...lines, ...tail].join('\n')}\n`;
}

type TitleParts = { readonly access: string; readonly location: string; readonly paint: Paint };

/** A row of the title; where the row has room for them, what is done and where stand out. */
function paintTitle(line: string, { access, location, paint }: TitleParts): string {
  const end = location !== '' && line.endsWith(location) ? line.length - location.length : line.length;
  const start = line.startsWith(access) ? access.length : 0;
  return `${paint.strong(line.slice(0, start))}${line.slice(start, end)}${paint.notice(line.slice(end))}`;
}

const accessNames: Bilingual<Readonly<Record<PermissionRequest['access'], string>>> = {
  en: { read: 'Read:', write: 'Change a file:', run: 'Run:' },
  zh: { read: '读取：', write: '修改文件：', run: '运行：' },
};

/** Asks whether it may run; a no may come with words for the model. */
export async function askToAllow(
  request: PermissionRequest,
  { decide, type }: Pick<Questions, 'decide' | 'type'>,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const answer = await decide(permissionQuestion(request), permissionChoices(request), signal);
  if (answer !== SAY_WHY) return answer;
  const why = (await type(localize({ en: 'No. What should it do instead?', zh: '否。应该改做什么？' }), signal))?.trim() ?? '';
  return why === '' ? 'no' : { kind: 'refusal', why };
}

const SAY_WHY = 'say_why';

/**
 * No comes first and is chosen at the start: to allow something takes a key of its own, or a step down and Enter; never Enter alone. What
 * a lasting yes would cover stands in its choice.
 */
const permissionChoices = ({
  session,
  offers,
  byRuleAlone,
}: PermissionRequest): readonly TypableChoice<PermissionAnswer | typeof SAY_WHY>[] => {
  const lasting: readonly { readonly name: string; readonly value: PermissionAnswer }[] = [
    ...(session === undefined
      ? []
      : [
          {
            name: localize({ en: `For the rest of this session: ${session}`, zh: `本会话余下时间内：${sessionNamesZh[session]}` }),
            value: 'session',
          } as const,
        ]),
    ...offers.map((offer) => ({ name: offerName(offer), value: offer })),
  ];
  const opens = lasting.map((choice, at) => ({ ...choice, words: [String(at + 1)] }));
  const again = {
    name: localize({ en: 'Yes, and not be asked again…', zh: '是，以后不再询问…' }),
    value: 'once',
    words: ALWAYS,
    opens,
  } as const;
  const once = { name: localize({ en: 'Yes, this once', zh: '是，仅此一次' }), value: 'once', words: YES } as const;
  const rules = lasting.map((choice, at) => ({ ...choice, words: at === 0 ? ALWAYS : [String(at + 1)] }));
  const yes = byRuleAlone === true ? rules : lasting.length === 0 ? [once] : [once, again];
  return [
    { name: noText(), value: 'no', words: NO },
    ...yes,
    { name: localize({ en: 'No, and say why', zh: '否，并说明原因' }), value: SAY_WHY, words: ['w'] },
  ];
};

const sessionNamesZh: Readonly<Record<NonNullable<PermissionRequest['session']>, string>> = {
  'exactly this': '正好这个',
  'this host': '此主机',
  'all edits in the working folder': '当前文件夹中的所有修改',
};

const ALWAYS: readonly string[] = ['a', 'always'];

function offerName(offer: PermissionOffer): string {
  const { always, ...text } = localize(offerTexts);
  if (offer.kind === 'read_only_commands') return always('') + text.onlyRead;
  const { tool, command, prefix, file, folder, host } = offer.rule;
  if (host !== undefined) return always('') + text.host(safeLine(host));
  const where = always(folder === undefined ? '' : text.here);
  if (tool.startsWith(MCP_PREFIX) && file === undefined) return where + (tool.endsWith('*') ? text.server : text.tool);
  if (command !== undefined) return where + text.command;
  return prefix === undefined ? always('') + text.file : where + text.prefix(safeLine(prefix));
}

type OfferTexts = {
  readonly always: (where: string) => string;
  readonly here: string;
  readonly onlyRead: string;
  readonly host: (host: string) => string;
  readonly server: string;
  readonly tool: string;
  readonly command: string;
  readonly file: string;
  readonly prefix: (prefix: string) => string;
};

const offerTexts: Bilingual<OfferTexts> = {
  en: {
    always: (where) => `Always${where}: `,
    here: ' in this folder',
    onlyRead: 'every command that is proven to only read',
    host: (host) => `pages of ${host}`,
    server: 'every tool of this server',
    tool: 'this tool, whatever it is given',
    command: 'exactly this command',
    file: 'exactly this file',
    prefix: (prefix) => `commands that begin with "${prefix}"`,
  },
  zh: {
    always: (where) => `${where}始终允许：`,
    here: '在此文件夹中',
    onlyRead: '所有经证明只读的命令',
    host: (host) => `${host} 的页面`,
    server: '此服务器的所有工具',
    tool: '此工具，无论参数是什么',
    command: '仅此命令',
    file: '仅此文件',
    prefix: (prefix) => `以“${prefix}”开头的命令`,
  },
};

const permissionQuestion = ({ tool, helper }: PermissionRequest): string =>
  helper === undefined
    ? localize({ en: `Allow ${safeLine(tool)}?`, zh: `允许 ${safeLine(tool)} 吗？` })
    : localize({
        en: `Allow ${safeLine(tool)} of helper ${safeLine(helper)}?`,
        zh: `允许子代理 ${safeLine(helper)} 的 ${safeLine(tool)} 吗？`,
      });
