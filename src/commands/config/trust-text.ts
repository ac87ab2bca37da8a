import { type Bilingual, localize } from '../../domain/language.ts';
import type { FolderTrust } from '../../runtime/trust/trust.ts';
import type { TrustedFolder } from '../../store/trusted-folders.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

export function trustRequestText({ folder, state, changed, request }: FolderTrust): string {
  const { file, settings, refused, hooks, servers, instructions, skills, agents, commands, problem } = request;
  const rows: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [localize({ en: 'settings', zh: '设置' }), settings],
    [
      localize({ en: 'ignored settings', zh: '忽略的设置' }),
      refused.map((key) => localize({ en: `${key} (yours alone to set)`, zh: `${key}（只能由你设置）` })),
    ],
    [
      localize({ en: 'hooks (commands that run by themselves)', zh: '钩子（自动运行的命令）' }),
      hooks.map(({ event, command }) => `${event}: ${command}`),
    ],
    [
      localize({ en: 'MCP servers (programs that it starts, addresses that it calls)', zh: 'MCP 服务器（启动的程序、访问的地址）' }),
      servers.map(({ name, does }) => `${name}: ${does}`),
    ],
    [localize({ en: 'instruction files', zh: '指令文件' }), instructions],
    [localize({ en: 'skills', zh: '技能' }), skills],
    [localize({ en: 'agents (instructions of helpers)', zh: '代理（子代理的指令）' }), agents],
    [localize({ en: 'commands of its own', zh: '自定义命令' }), commands],
  ];
  const lists = rows.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [localize({ en: `  ${title}:`, zh: `  ${title}：` }), ...lines.map((line) => `    ${safeLine(line)}`)],
  );
  const broken =
    problem === undefined || file === undefined
      ? []
      : [
          localize({
            en: `  ${safeLine(file)} cannot be used: ${safeLine(problem.en)}`,
            zh: `  ${safeLine(file)} 无法使用：${safeLine(problem.zh)}`,
          }),
        ];
  const asked = [...lists, ...broken];
  const start =
    state === 'changed'
      ? localize({
          en: `The ${changed.map((each) => changedNames[each].en).join(' and the ')} of ${safeLine(folder)} have changed since you trusted it. They are not used until you agree to them.`,
          zh: `自你信任 ${safeLine(folder)} 以来，其${changed.map((each) => changedNames[each].zh).join('和')}已更改。在你同意之前不会使用。`,
        })
      : localize({
          en: `You have not trusted ${safeLine(folder)}. ${asked.length === 0 ? 'Its files ask for nothing so far.' : 'Its files ask SanBot to use:'}`,
          zh: `你尚未信任 ${safeLine(folder)}。${asked.length === 0 ? '其文件目前没有任何要求。' : '其文件要求 SanBot 使用：'}`,
        });
  return `${[start, ...asked].join('\n')}\n`;
}

const changedNames = {
  hooks: { en: 'hooks', zh: '钩子' },
  mcpServers: { en: 'MCP servers', zh: ' MCP 服务器' },
  commands: { en: 'commands', zh: '命令' },
} as const;

export function instructionsNotice({ state, request }: FolderTrust, { areRead }: { readonly areRead: boolean }): readonly Bilingual[] {
  const { instructions } = request;
  if (state !== 'untrusted' || instructions.length === 0) return [];
  const named = instructions.slice(0, 5).map(safeLine);
  const isMore = instructions.length > 5;
  const names = {
    en: `${named.join(', ')}${isMore ? ` and ${instructions.length - 5} more` : ''}`,
    zh: `${named.join('、')}${isMore ? ` 等 ${instructions.length} 个文件` : ''}`,
  };
  if (areRead)
    return [
      {
        en: `Instructions are read from ${names.en}, though you have not trusted this folder.`,
        zh: `已读取 ${names.zh} 中的指令，尽管你尚未信任此文件夹。`,
      },
    ];
  return [
    {
      en: `Instructions in ${names.en} are not read: in bypass mode only those of a trusted folder are (sanbot trust add, or --trust).`,
      zh: `未读取 ${names.zh} 中的指令：bypass 模式只读取受信任文件夹的指令（sanbot trust add 或 --trust）。`,
    },
  ];
}

export const trustedFoldersText = (folders: readonly TrustedFolder[], columns: number): string =>
  folders.length === 0
    ? localize({ en: 'No folder is trusted.\n', zh: '没有受信任的文件夹。\n' })
    : table(
        [
          { title: localize({ en: 'folder', zh: '文件夹' }), minWidth: 20 },
          { title: localize({ en: 'repository', zh: '仓库' }), minWidth: 12 },
          { title: localize({ en: 'since', zh: '信任日期' }) },
        ],
        folders.map(({ folder, repository, at }) => [safeLine(folder), safeLine(repository ?? '–'), at.slice(0, 10)]),
        columns,
      );
