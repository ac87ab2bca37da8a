import { type Bilingual, localize } from '../../domain/language.ts';
import type { PermissionAnswer, PermissionOffer, PermissionRequest } from '../../domain/permission.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { diffLines } from '../text/diff-text.ts';
import { callTitle } from '../text/format.ts';
import type { Drawing, Paint } from '../text/paint.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import { noText } from './input-text.ts';
import { NO, type Questions, type TypableChoice, YES } from './questions.ts';

/** What is asked, whole and exact: title, and the diff or command with everything invisible made visible. Ends with a newline. */
export function permissionText(request: PermissionRequest, { paint, columns }: Drawing): string {
  const location = request.outside ? localize({ en: ' (outside the working folder)', zh: '（在当前文件夹之外）' }) : '';
  const asks = request.helper === undefined ? '' : `${localize({ en: 'Helper', zh: '子代理' })} ${safeLine(request.helper)} · `;
  // What stands below, whole, is not said twice.
  const isBelow = request.preview !== '' && (request.access === 'run' || request.title === `${request.tool} ${request.preview}`);
  const name = isBelow ? request.tool : callTitle(request.title);
  const width = Math.max(10, columns - 2);
  const access = localize(accessNames)[request.access];
  const title = wrap(`${asks}${access}${localize({ en: ' ', zh: '' })}${exactText(name).replaceAll('\n', '\\n')}${location}`, columns);
  const head = request.keeps === undefined ? title.map((line) => paintTitle(line, { access, location, paint })) : [];
  // What is left may be long: what it is and why that is asked stands right above the question.
  const kept = request.keeps === undefined ? [] : wrap(localize(safeBoth(request.keeps)), columns);
  const notices = [
    ...(request.irreversible === undefined ? [] : [irreversibleText(request.irreversible)]),
    ...(request.caution === undefined ? [] : [cautionText(request.caution)]),
  ];
  const tail = notices.flatMap((text) => wrap(text, width)).map((line) => paint.notice(`  ${line}`));
  if (request.preview === '') return `${[...head, ...tail, ...kept].join('\n')}\n`;
  const shown =
    request.access === 'write'
      ? diffLines(request.preview, { paint, columns: width })
      : exactText(request.preview.replace(/\n$/, ''))
          .split('\n')
          .flatMap((line) => wrap(line, width));
  const lines = shown.map((line) => `  ${line}`);
  return `${[...head, ...lines, ...tail, ...kept].join('\n')}\n`;
}

const safeBoth = ({ en, zh }: Bilingual): Bilingual => ({ en: safeLine(en), zh: safeLine(zh) });

const cautionText = ({ en, zh }: Bilingual): string =>
  localize({ en: `Look closely: ${safeLine(en)}.`, zh: `请仔细看：${safeLine(zh)}。` });

const irreversibleText = ({ en, zh }: Bilingual): string =>
  localize({ en: `Cannot be undone: ${safeLine(en)}`, zh: `无法撤销：${safeLine(zh)}` });

type TitleParts = { readonly access: string; readonly location: string; readonly paint: Paint };

/** A row of the title; where the row has room for them, what is done and where stand out. */
function paintTitle(line: string, { access, location, paint }: TitleParts): string {
  const end = location !== '' && line.endsWith(location) ? line.length - location.length : line.length;
  const start = line.startsWith(access) ? access.length : 0;
  return `${paint.strong(line.slice(0, start))}${line.slice(start, end)}${paint.notice(line.slice(end))}`;
}

const accessNames = {
  en: { read: 'Read:', write: 'Change a file:', run: 'Run:' },
  zh: { read: '读取：', write: '修改文件：', run: '运行：' },
};

/** Asks whether it may run; a no may come with words for the model. */
export async function askToAllow(
  request: PermissionRequest,
  { decide, type }: Pick<Questions, 'decide' | 'type'>,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const [tool, helper] = [safeLine(request.tool), safeLine(request.helper ?? '')];
  const question =
    request.keeps !== undefined
      ? localize({ en: 'Keep it? It runs by itself later.', zh: '要保留吗？之后会自动运行。' })
      : request.helper === undefined
        ? localize({ en: `Allow ${tool}?`, zh: `允许 ${tool} 吗？` })
        : localize({ en: `Allow ${tool} of helper ${helper}?`, zh: `允许子代理 ${helper} 的 ${tool} 吗？` });
  const answer = await decide(question, permissionChoices(request), signal);
  if (answer !== SAY_WHY) return answer;
  const why = (await type(localize({ en: 'No. What should it do instead?', zh: '否。应该改做什么？' }), signal))?.trim() ?? '';
  return why === '' ? 'no' : { kind: 'refusal', why };
}

const SAY_WHY = 'say_why';

/**
 * No comes first and is chosen at the start: to allow something takes a key of its own, or a step down and Enter; never Enter alone. What
 * a lasting yes would cover stands in its choice.
 */
function permissionChoices({
  session,
  offers,
  byRuleAlone,
  keeps,
}: PermissionRequest): readonly TypableChoice<PermissionAnswer | typeof SAY_WHY>[] {
  const lasting = [
    ...(session === undefined ? [] : [{ name: sessionName(session), value: 'session' } as const]),
    ...offers.map((offer) => ({ name: offerName(offer), value: offer })),
  ];
  const opens = lasting.map((choice, at) => ({ ...choice, words: [String(at + 1)] }));
  const again = {
    name: localize({ en: 'Yes, and not be asked again…', zh: '是，以后不再询问…' }),
    value: 'once',
    words: ALWAYS,
    opens,
  } as const;
  const name = keeps === undefined ? { en: 'Yes, this once', zh: '是，仅此一次' } : { en: 'Yes, keep it', zh: '是，保留' };
  const once = { name: localize(name), value: 'once', words: YES } as const;
  const rules = lasting.map((choice, at) => ({ ...choice, words: at === 0 ? ALWAYS : [String(at + 1)] }));
  const yes = byRuleAlone === true ? rules : lasting.length === 0 ? [once] : [once, again];
  return [
    { name: noText(), value: 'no', words: NO },
    ...yes,
    { name: localize({ en: 'No, and say why', zh: '否，并说明原因' }), value: SAY_WHY, words: ['w'] },
  ];
}

type SessionOffer = NonNullable<PermissionRequest['session']>;

const sessionName = (offer: SessionOffer): string =>
  localize({ en: `For the rest of this session: ${offer}`, zh: `本会话余下时间内：${sessionNamesZh[offer]}` });

const sessionNamesZh: Readonly<Record<SessionOffer, string>> = {
  'exactly this': '正好这个',
  'this host': '此主机',
  'all edits in the working folder': '当前文件夹中的所有修改',
};

const ALWAYS: readonly string[] = ['a', 'always'];

function offerName(offer: PermissionOffer): string {
  const always = ({ en, zh }: Bilingual): string => localize({ en: `Always: ${en}`, zh: `始终允许：${zh}` });
  if (offer.kind === 'read_only_commands') return always({ en: 'every command that is proven to only read', zh: '所有经证明只读的命令' });
  const { tool, command, prefix, file, folder, host } = offer.rule;
  if (host !== undefined) return always({ en: `pages of ${safeLine(host)}`, zh: `${safeLine(host)} 的页面` });
  const alwaysHere = ({ en, zh }: Bilingual): string =>
    folder === undefined ? always({ en, zh }) : localize({ en: `Always in this folder: ${en}`, zh: `在此文件夹中始终允许：${zh}` });
  if (tool.startsWith(MCP_PREFIX) && file === undefined)
    return alwaysHere(
      tool.endsWith('*')
        ? { en: 'every tool of this server', zh: '此服务器的所有工具' }
        : { en: 'this tool, whatever it is given', zh: '此工具，无论参数是什么' },
    );
  if (command !== undefined && offer.rule.irreversible === true)
    return alwaysHere({ en: 'exactly this command, also when it cannot be undone', zh: '仅此命令，即使无法撤销' });
  if (command !== undefined) return alwaysHere({ en: 'exactly this command', zh: '仅此命令' });
  if (prefix === undefined) return always({ en: 'exactly this file', zh: '仅此文件' });
  return alwaysHere({
    en: `commands that begin with "${safeLine(prefix)}", if the rest is known to be harmless`,
    zh: `以“${safeLine(prefix)}”开头、其余部分已知无害的命令`,
  });
}
