import { type Bilingual, localize } from '../../domain/language.ts';
import { IN_SANDBOX, type PermissionAnswer, type PermissionOffer, type PermissionRequest } from '../../domain/permission.ts';
import { callName } from '../../domain/session/call-name.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { countChanges, diffLines, moreOfDiff } from '../text/diff-text.ts';
import type { Drawing } from '../text/paint.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import { NO, type Questions, type TypableChoice, YES } from './questions.ts';

/** The call whole and exact, everything invisible made visible. What stands whole in the first row is not said again. */
export const permissionRows = (request: PermissionRequest, drawing: Drawing): readonly string[] => permissionView(request, drawing).rows;

/** Of the difference of a harmless edit that takes more than `mostRows`, the beginning. */
export function permissionView(
  request: PermissionRequest,
  drawing: Drawing,
  mostRows = Number.POSITIVE_INFINITY,
): { readonly rows: readonly string[]; readonly isCut: boolean } {
  const { paint, columns } = drawing;
  const width = Math.max(10, columns - INDENT.length);
  const notices = [
    ...(request.irreversible === undefined ? [] : [irreversibleText(request.irreversible)]),
    ...(request.caution === undefined ? [] : [cautionText(request.caution)]),
  ];
  const tail = notices.flatMap((text) => wrap(text, width)).map((line) => paint.notice(`${INDENT}${line}`));
  // What is left may be long: what it is and why that is asked stands right above the question.
  const kept = request.keeps === undefined ? [] : wrap(localize(safeBoth(request.keeps)), columns);
  const command = commandOf(request);
  const head = request.keeps === undefined ? headRows(request, command, drawing) : [];
  const isTitle = request.title === `${request.tool} ${request.preview}`;
  if (request.preview === '' || isTitle || command !== undefined) return { rows: [...head, ...tail, ...kept], isCut: false };
  const shown =
    request.access === 'write'
      ? diffLines(request.preview, { ...drawing, columns: width, name: request.title })
      : exactText(request.preview.replace(/\n$/, ''))
          .split('\n')
          .flatMap((line) => wrap(line, width));
  const room = Math.max(MIN_ROWS, mostRows - head.length);
  const isCut = request.access === 'write' && isHarmless(request) && shown.length > room;
  const more = isCut ? [paint.quiet(moreOfDiff(true)(shown.length - room + 1))] : [];
  const body = [...(isCut ? shown.slice(0, room - 1) : shown), ...more].map((line) => `${INDENT}${line}`);
  return { rows: [...head, ...body, ...tail, ...kept], isCut };
}

const MIN_ROWS = 4;

const INDENT = '    ';

const commandOf = ({ tool, preview }: PermissionRequest): string | undefined =>
  tool === RUN_COMMAND ? exactText(preview.replace(/\n$/, '')) : undefined;

const RUN_COMMAND = 'run_command';

function headRows(request: PermissionRequest, command: string | undefined, { paint, columns }: Drawing): readonly string[] {
  const location = request.outside ? localize({ en: ' (outside the working folder)', zh: '（在当前文件夹之外）' }) : '';
  const asks = request.helper === undefined ? '' : `${localize({ en: 'Helper', zh: '子代理' })} ${safeLine(request.helper)} · `;
  const isBelow = request.access === 'run' && request.preview !== '';
  const name = command === undefined ? exactText(callName(isBelow ? request.tool : request.title)).replaceAll('\n', '\\n') : `$ ${command}`;
  const counts = request.access === 'write' && command === undefined ? countsText(request.preview) : '';
  const rows = `${asks}${name}${counts}${location}`.split('\n').flatMap((line) => wrap(line, Math.max(10, columns - MARK.length)));
  return rows.map((row, at) => {
    const end = location !== '' && at === rows.length - 1 && row.endsWith(location) ? row.length - location.length : row.length;
    return `${at === 0 ? paint.notice(MARK) : ' '.repeat(MARK.length)}${paint.strong(row.slice(0, end))}${paint.notice(row.slice(end))}`;
  });
}

const MARK = '● ';

function countsText(preview: string): string {
  const { added, removed } = countChanges(preview);
  return added + removed === 0 ? '' : `  +${added}${removed === 0 ? '' : ` -${removed}`}`;
}

const safeBoth = ({ en, zh }: Bilingual): Bilingual => ({ en: safeLine(en), zh: safeLine(zh) });

const cautionText = ({ en, zh }: Bilingual): string =>
  localize({ en: `Look closely: ${safeLine(en)}.`, zh: `请仔细看：${safeLine(zh)}。` });

const irreversibleText = ({ en, zh }: Bilingual): string =>
  localize({ en: `Cannot be undone: ${safeLine(en)}`, zh: `无法撤销：${safeLine(zh)}` });

type Asking = Pick<Questions, 'decide' | 'type'> & {
  readonly isWhole: boolean;
  readonly stop: () => void;
};

/** Asks whether it may run; a no may come with words for the model, and one by Esc ends the turn. */
export async function askToAllow(
  request: PermissionRequest,
  { decide, type, isWhole, stop }: Asking,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const question = localize(request.keeps === undefined ? questions[request.access] : KEEP_IT);
  const choices = permissionChoices(request);
  const start = isWhole && isHarmless(request) ? 0 : choices.findIndex(({ value }) => value === 'no');
  const answer = await decide(question, choices, signal, { left: STOP, start, isRow: true, typed: refusal });
  if (answer === STOP) stop();
  if (answer === STOP) return 'no';
  if (answer !== SAY_WHY) return answer;
  const why = (await type(localize({ en: 'No. What should it do instead?', zh: '否。应该改做什么？' }), signal))?.trim() ?? '';
  return why === '' ? 'no' : refusal(why);
}

const refusal = (why: string): PermissionAnswer => ({ kind: 'refusal', why });

export const SAY_WHY = 'say_why';
const STOP = 'stop';

/** An edit in the folder, or a command in the sandbox, of which nothing runs later and all can be undone. */
const isHarmless = ({ access, outside, caution, irreversible, keeps, session }: PermissionRequest): boolean =>
  (access === 'write' || session === IN_SANDBOX) && !outside && [caution, irreversible, keeps].every((each) => each === undefined);

const questions: Readonly<Record<PermissionRequest['access'], Bilingual>> = {
  read: { en: 'Allow it?', zh: '允许吗？' },
  write: { en: 'Make this change?', zh: '进行此更改吗？' },
  run: { en: 'Run it?', zh: '运行吗？' },
};
const KEEP_IT: Bilingual = { en: 'Keep it? It runs by itself later.', zh: '要保留吗？之后会自动运行。' };

/** The same numbers in every question: 1 yes, 2 a lasting yes, or the list of them, 3 no, 4 no with words. */
export function permissionChoices({
  session,
  offers,
  byRuleAlone,
  keeps,
  isHabit,
}: PermissionRequest): readonly TypableChoice<PermissionAnswer | typeof SAY_WHY | typeof STOP>[] {
  const ofSession = session === undefined ? [] : [{ name: localize(sessionNames[session]), value: 'session' } as const];
  const ofRules = offers.map((offer) => ({ name: offerName(offer), value: offer }));
  const lasting = isHabit === true ? [...ofRules.slice(0, 1), ...ofSession, ...ofRules.slice(1)] : [...ofSession, ...ofRules];
  const [first] = lasting;
  const yes = localize(keeps === undefined ? { en: 'Yes', zh: '是' } : { en: 'Yes, keep it', zh: '是，保留' });
  const again = {
    name: localize({ en: '2 Yes, and do not ask again…', zh: '2 是，以后不再询问…' }),
    value: 'once',
    words: [...ALWAYS, '2'],
  } as const;
  const opens = lasting.map((choice, at) => ({
    ...choice,
    name: `${at + 1} ${choice.name}`,
    words: [`${at + 1}`, ...(at === 0 ? ALWAYS : [])],
  }));
  const isOne = lasting.length === 1 && (byRuleAlone === true || session === 'all edits in the working folder');
  return [
    ...(byRuleAlone === true ? [] : [{ name: `1 ${yes}`, value: 'once', words: [...YES, '1'] } as const]),
    ...(first === undefined ? [] : isOne ? [{ ...first, name: `2 ${first.name}`, words: again.words }] : [{ ...again, opens }]),
    { name: localize({ en: '3 No', zh: '3 否' }), value: 'no', words: [...NO, '3'] },
    { name: localize({ en: '4 No, because…', zh: '4 否，因为…' }), value: SAY_WHY, words: ['w', '4'] },
  ];
}

const sessionNames: Readonly<Record<NonNullable<PermissionRequest['session']>, Bilingual>> = {
  'exactly this': { en: 'Exactly this, for this session', zh: '本会话中：正好这个' },
  'this host': { en: 'This host, for this session', zh: '本会话中：此主机' },
  'all edits in the working folder': { en: 'Yes, all edits of this session', zh: '是，本会话的所有修改' },
  [IN_SANDBOX]: { en: 'Everything that stays in the sandbox, for this session', zh: '本会话中：所有不离开沙箱的命令' },
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
        : { en: 'this tool, with any arguments', zh: '此工具，无论参数是什么' },
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
