import { type Bilingual, localize } from '../../domain/language.ts';
import { pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { wrap, wrapIndented } from '../text/text-width.ts';

export type ServerRow = {
  readonly name: string;
  readonly target: string;
  readonly source: 'user' | 'project';
  /** Nothing is known of a server before it has answered once. */
  readonly tools: number | undefined;
  readonly changed: number;
  readonly status: string;
  readonly signedIn: boolean;
  readonly problem: Bilingual | undefined;
  readonly leftOut: readonly LeftOutRow[];
};

export type LeftOutRow = { readonly name: string; readonly why: Bilingual };

/** Texts are on one line, without anything that a terminal would obey. */
export type ToolRow = { readonly name: string; readonly description: string };

export type ChangedRow = ToolRow & {
  readonly before: string | undefined;
  readonly schema: string;
  readonly schemaBefore: string | undefined;
};

const noServersText: Bilingual = {
  en: 'There are no MCP servers. sanbot mcp add NAME -- COMMAND adds one; docs/mcp.md says more.',
  zh: '没有 MCP 服务器。sanbot mcp add NAME -- COMMAND 添加一个；详见 docs/mcp.md。',
};

/** `approve` is what agrees to changed tools where this is read. */
export function serversText(rows: readonly ServerRow[], columns: number, approve = 'sanbot mcp approve'): string {
  if (rows.length === 0) return `${wrap(localize(noServersText), columns).join('\n')}\n`;
  const head = [
    { title: { en: 'server', zh: '服务器' } },
    { title: { en: 'runs or calls', zh: '运行或调用' }, minWidth: 16 },
    { title: { en: 'from', zh: '来源' } },
    { title: { en: 'tools', zh: '工具' } },
    { title: { en: 'state', zh: '状态' } },
  ] as const;
  const cells = rows.map(({ name, target, source, tools, status, signedIn }) => [
    safeLine(name),
    safeLine(target),
    localize(source === 'user' ? { en: 'you', zh: '你' } : { en: 'this project', zh: '本项目' }),
    tools === undefined ? '–' : String(tools),
    localize({ en: status, zh: chineseStatuses[status] ?? status }) + (signedIn ? localize({ en: ', signed in', zh: '，已登录' }) : ''),
  ]);
  return `${table(head, cells, columns)}${linesOf(
    rows.flatMap((row) => serverNotes(row, approve)),
    columns,
  )}`;
}

const serverNotes = ({ name, problem, changed, leftOut }: ServerRow, approve: string): readonly string[] => [
  ...(problem === undefined
    ? []
    : [localize({ en: `${name} does not answer: ${safeLine(problem.en)}`, zh: `${name} 没有响应：${safeLine(problem.zh)}` })]),
  ...(changed === 0
    ? []
    : [
        localize({
          en: `${changed} of the tools of ${name} changed and are not used: ${approve} ${name}`,
          zh: `${name} 有 ${changed} 个工具发生变化，暂不使用：${approve} ${name}`,
        }),
      ]),
  ...leftOut.map((row) => `${name}: ${leftOutText(row)}`),
];

const leftOutText = ({ name, why }: LeftOutRow): string =>
  localize({ en: `${safeLine(name)} cannot be used: ${why.en}`, zh: `${safeLine(name)} 无法使用：${why.zh}` });

/** The JSON has the English names. */
const chineseStatuses: Readonly<Record<string, string>> = {
  'not connected': '未连接',
  connecting: '连接中',
  connected: '已连接',
  'does not answer': '没有响应',
};

export type ToolRows = { readonly tools: readonly ToolRow[]; readonly leftOut: readonly LeftOutRow[] };

export const toolsText = (server: string, { tools, leftOut }: ToolRows, columns: number): string =>
  linesOf(
    [
      localize({
        en: `${safeLine(server)} answers, and has ${pluralize(tools.length, 'tool')}.`,
        zh: `${safeLine(server)} 有响应，有 ${tools.length} 个工具。`,
      }),
      ...tools.map(({ name, description }) => `  ${safeLine(name)}${localize({ en: ': ', zh: '：' })}${safeLine(description)}`),
      ...leftOut.map((row) => `  ${leftOutText(row)}`),
    ],
    columns,
  );

const linesOf = (lines: readonly string[], columns: number): string =>
  lines.flatMap((line) => wrapIndented(line, columns).map((row) => `${row}\n`)).join('');

const endpointNames: Readonly<Record<string, Bilingual>> = {
  issuer: { en: 'who signs you in', zh: '登录方' },
  authorization: { en: 'the page for your browser', zh: '浏览器打开的页面' },
  token: { en: 'where codes and tokens go', zh: '授权码和令牌发往' },
  registration: { en: 'where SanBot registers itself', zh: 'SanBot 在此注册' },
};

type Endpoints = Readonly<Partial<Record<'issuer' | 'authorization' | 'token' | 'registration', string | undefined>>>;
type SignInPlaces = { readonly endpoints: Endpoints; readonly before: Endpoints | undefined; readonly sendsSecret: boolean };

export function signInWhere(server: string, { endpoints, before, sendsSecret }: SignInPlaces): string {
  const names = ['issuer', 'authorization', 'token', 'registration'] as const;
  const lines = names.flatMap((name): readonly string[] => {
    const [now, was] = [endpoints[name], before?.[name]];
    if (now === undefined && was === undefined) return [];
    const none = localize({ en: '(none)', zh: '（无）' });
    const changed =
      before === undefined || was === now
        ? ''
        : localize({ en: `  (was ${safeLine(was ?? none)})`, zh: `（原为 ${safeLine(was ?? none)}）` });
    return [`  ${localize(endpointNames[name] ?? { en: name, zh: name })}: ${safeLine(now ?? none)}${changed}`];
  });
  const secret = localize({
    en: '  The client secret of your settings goes to the third of these addresses.',
    zh: '  你设置中的客户端密钥会发往其中第三个地址。',
  });
  const head =
    before === undefined
      ? localize({ en: `${server} signs people in at these addresses:`, zh: `${server} 通过以下地址登录：` })
      : localize({ en: `${server} has other addresses than those you agreed to:`, zh: `${server} 的地址与你同意过的不同：` });
  return [head, ...lines, ...(sendsSecret ? [secret] : []), ''].join('\n');
}

export const signInText = {
  open: (address: string): string =>
    localize({
      en: `Sign in here with your browser; this waits for five minutes:\n${address}`,
      zh: `请用浏览器在此登录；等待五分钟：\n${address}`,
    }),
  done: (server: string, tools: number): string =>
    localize({
      en: `You are signed in to ${server}. It answers, and has ${pluralize(tools, 'tool')}.\n`,
      zh: `已登录 ${server}。它有响应，有 ${tools} 个工具。\n`,
    }),
  notNeeded: (server: string, tools: number): string =>
    localize({
      en: `${server} asks for no sign-in. It answers, and has ${pluralize(tools, 'tool')}.\n`,
      zh: `${server} 不需要登录。它有响应，有 ${tools} 个工具。\n`,
    }),
  signedOut: (server: string): string =>
    localize({
      en: `You are signed out of ${server}: the tokens are deleted here. The server may have a page to end it there too.\n`,
      zh: `已退出登录 ${server}：登录所得的凭据已在此删除。服务器上可能另有页面可以注销。\n`,
    }),
  wasNotSignedIn: (server: string): string => localize({ en: `You were not signed in to ${server}.\n`, zh: `你没有登录 ${server}。\n` }),
};

const changeTexts = {
  en: { isNew: ' (new)', said: 'said: ', says: 'says: ', took: 'took: ', takes: 'takes: ' },
  zh: { isNew: '（新）', said: '原说明：', says: '说明：', took: '原参数：', takes: '参数：' },
};

export function changedText(server: string, rows: readonly ChangedRow[], columns: number): string {
  const text = localize(changeTexts);
  const lines = rows.flatMap(({ name, description, before, schema, schemaBefore }) => [
    `  ${safeLine(name)}${before === undefined ? text.isNew : ''}`,
    ...(before === undefined || before === description ? [] : [`    ${text.said}${safeLine(before)}`]),
    `    ${text.says}${safeLine(description)}`,
    ...(schemaBefore === undefined || schemaBefore === schema ? [] : [`    ${text.took}${safeLine(schemaBefore)}`]),
    `    ${text.takes}${safeLine(schema)}`,
  ]);
  const heading = localize({
    en: `Of the MCP server ${safeLine(server)}, this is not what you agreed to:`,
    zh: `MCP 服务器 ${safeLine(server)} 的以下内容与你同意过的不同：`,
  });
  return linesOf([heading, ...lines], columns);
}
