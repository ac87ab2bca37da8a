import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { type PermissionMode, permissionModes, type RuleKind, ruleKinds } from '../../domain/permission.ts';
import { permissionsText } from '../views/permissions-text.ts';
import { printLine, type SlashCommand } from './command.ts';

const usage = {
  en: 'Write /permissions allow, ask or deny TOOL [PATTERN], allow --irreversible run_command COMMAND, /permissions remove NUMBER, /permissions readonly ask or run, or /permissions with a mode: ask, accept-edits or read-only.',
  zh: '用法：/permissions allow、ask 或 deny TOOL [PATTERN]，allow --irreversible run_command COMMAND，/permissions remove NUMBER，/permissions readonly ask 或 run，或 /permissions 加模式：ask、accept-edits 或 read-only。',
};

/** `/permissions` shows the mode and the rules; with words after it, it changes them. The list follows each change. */
export const slashPermissions: SlashCommand = {
  name: 'permissions',
  argumentHint: { en: '[mode or rule]', zh: '[模式或规则]' },
  example: sameInBoth('/permissions allow run_command npm test *'),
  description: { en: 'mode and rules for what may run; change them', zh: '查看或更改权限模式和规则' },
  choices: ({ permissions, settings }) => [
    ...modeChoices.map(({ text, does }) => ({ text, detail: localize(does) })),
    ...permissions.view().rules.map(({ number, kind, rule }) => ({ text: `remove ${number}`, detail: `${kind} ${rule.tool}` })),
    ...readOnlyChoices.map(({ text, does }) => ({ text, detail: localize(does) })),
    ...(['allow', 'ask', 'deny'] as const).flatMap((kind) =>
      settings.tools().map(({ name }) => ({ text: `${kind} ${name}`, detail: localize(ruleTexts[kind](name)) })),
    ),
  ],
  run: (argument, { chat: { permissions }, ui }) => {
    const irreversible = IRREVERSIBLE.test(argument);
    const [, word = '', first = '', rest = ''] = /^(\S*)\s*(\S*)\s*([\s\S]*)$/.exec(argument.replace(IRREVERSIBLE, 'allow ')) ?? [];
    const kind = ruleKinds.find((each) => each === word);
    const value = (['ask', 'run'] as const).find((each) => each === first);
    const mode = first === '' ? permissionModes.find((each) => each === word) : undefined;
    if (mode !== undefined) permissions.changeMode(mode);
    else if (kind !== undefined && first !== '') permissions.add(kind, { tool: first, pattern: rest.trim(), irreversible });
    else if (word === 'remove' && /^\d{1,6}$/.test(first) && rest === '') permissions.remove(Number(first));
    else if (word === 'readonly' && value !== undefined && rest === '') permissions.setReadOnlyCommands(value);
    else if (word !== '') return printLine(ui, 'bad', usage);
    ui.screen.block(permissionsText(permissions.view(), ui.columns()));
  },
};

/** A rule that allows also what cannot be undone. */
const IRREVERSIBLE = /^allow\s+--irreversible\s+/;

const modeChoices: readonly { readonly text: PermissionMode; readonly does: Bilingual }[] = [
  { text: 'ask', does: { en: 'mode: ask before changes and commands', zh: '模式：更改和命令前先询问' } },
  { text: 'accept-edits', does: { en: 'mode: edits in this folder without asking', zh: '模式：此文件夹内的编辑不询问' } },
  { text: 'read-only', does: { en: 'mode: change and run nothing', zh: '模式：不更改也不运行' } },
];

const readOnlyChoices: readonly { readonly text: string; readonly does: Bilingual }[] = [
  { text: 'readonly ask', does: { en: 'ask before commands that only read', zh: '只读命令也询问' } },
  { text: 'readonly run', does: { en: 'run commands that are proven to only read', zh: '直接运行经证明只读的命令' } },
];

const ruleTexts: Readonly<Record<RuleKind, (tool: string) => Bilingual>> = {
  allow: (tool) => ({ en: `never ask about ${tool}`, zh: `不再询问 ${tool}` }),
  ask: (tool) => ({ en: `ask about ${tool} each time`, zh: `每次都询问 ${tool}` }),
  deny: (tool) => ({ en: `never run ${tool}`, zh: `从不运行 ${tool}` }),
};
