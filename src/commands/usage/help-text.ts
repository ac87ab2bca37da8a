/**
 * How the program is called: the help of a command, what is said of a wrong command line, and `sanbot completion`.
 *
 * In come the grammar that the commands declare, and the library's own words. Out go texts in the language of the interface, and scripts for
 * shells. All of it is made from the grammar, so that it cannot name what is not there.
 *
 * It promises that a help is nowhere wider than the terminal, that its columns go by what a terminal shows, and that every word of it is in
 * one language.
 */

import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { padEnd, textWidth, wrap } from '../../terminal/text/text-width.ts';

export const helpForm = {
  displayWidth: textWidth,
  styleTitle: (title: string): string =>
    helpTitles[title]?.() ?? localize(groups.find(({ heading }) => heading.en === title)?.heading ?? sameInBoth(title)),
  styleUsage: localizePlaceholders,
  styleSubcommandTerm: localizePlaceholders,
  optionDescription: withFacts,
  argumentDescription: withFacts,
  boxWrap: (text: string, columns: number): string => wrap(text, columns).join('\n'),
  formatItem: helpItem,
};

const helpTitles: Readonly<Record<string, () => string>> = {
  'Usage:': () => localize({ en: 'Usage:', zh: '用法：' }),
  'Arguments:': () => localize({ en: 'Arguments:', zh: '参数：' }),
  'Options:': () => localize({ en: 'Options:', zh: '选项：' }),
  'Commands:': () => localize({ en: 'Commands:', zh: '命令：' }),
};

/** Under which heading the program's own help lists a command, in English, as the library asks for it. */
export const headingOf = (command: string): string => groups.find(({ names }) => names.includes(command))?.heading.en ?? 'Commands:';

const groups: readonly { readonly heading: Bilingual; readonly names: readonly string[] }[] = [
  {
    heading: { en: 'Sessions:', zh: '会话：' },
    names: ['history', 'context', 'compact', 'rollback', 'changes', 'sessions', 'search', 'show', 'export', 'import'],
  },
  { heading: { en: 'Memory:', zh: '记忆：' }, names: ['memory', 'consolidate', 'sync', 'hub'] },
  {
    heading: { en: 'Settings:', zh: '设置：' },
    names: ['setup', 'models', 'config', 'permissions', 'mcp', 'agents', 'trust', 'acp', 'completion'],
  },
  {
    heading: { en: 'Figures and care:', zh: '数据与维护：' },
    names: ['events', 'metrics', 'report', 'doctor', 'clean', 'purge', 'update', 'demo', 'help'],
  },
];

export const helpOptionText = () => localize({ en: 'print this help', zh: '显示此帮助' });
export const helpCommandText = () => localize({ en: 'print the help for a command', zh: '显示某个命令的帮助' });

function localizePlaceholders(line: string): string {
  return line
    .replace('[options]', localize({ en: '[options]', zh: '[选项]' }))
    .replace('[command]', localize({ en: '[command]', zh: '[命令]' }))
    .replace('[command | message]', localize({ en: '[command | message]', zh: '[命令 | 消息]' }))
    .replace('[message]', localize({ en: '[message]', zh: '[消息]' }));
}

type Described = {
  readonly description: string;
  readonly argChoices?: readonly string[] | undefined;
  readonly defaultValue?: unknown;
  readonly defaultValueDescription?: string | undefined;
};

function withFacts({ description, argChoices, defaultValue, defaultValueDescription }: Described): string {
  const choices = argChoices?.map((choice) => JSON.stringify(choice)).join(', ');
  const preset = defaultValue === undefined ? undefined : (defaultValueDescription ?? JSON.stringify(defaultValue));
  const facts = [
    ...(choices === undefined ? [] : [localize({ en: `choices: ${choices}`, zh: `可选值：${choices}` })]),
    ...(preset === undefined ? [] : [localize({ en: `default: ${preset}`, zh: `默认：${preset}` })]),
  ];
  if (facts.length === 0) return description;
  return localize({ en: `${description} (${facts.join(', ')})`, zh: `${description}（${facts.join('；')}）` });
}

/** Beside a narrower column, a description stands below its term. */
const MIN_DESCRIPTION_COLUMNS = 24;

type HelpWidth = { readonly helpWidth?: number | undefined };

function helpItem(term: string, termWidth: number, description: string, { helpWidth = 80 }: HelpWidth): string {
  const column = termWidth + 4;
  if (description === '') return `  ${term}`;
  if (helpWidth - column < MIN_DESCRIPTION_COLUMNS)
    return [`  ${term}`, ...wrap(description, helpWidth - 6).map((line) => `      ${line}`)].join('\n');
  const [first = '', ...more] = wrap(description, helpWidth - column);
  return [`  ${padEnd(term, termWidth)}  ${first}`, ...more.map((line) => `${' '.repeat(column)}${line}`)].join('\n');
}

export type Examples = Readonly<Record<string, Bilingual>>;

export const startText = (lines: Examples, helpWidth: number): string => `${itemsText(lines, helpWidth)}\n`;

export const examplesText = (lines: Examples, helpWidth: number): string =>
  `\n${localize({ en: 'Examples:', zh: '示例：' })}\n${itemsText(lines, helpWidth)}`;

function itemsText(lines: Examples, helpWidth: number): string {
  const width = Math.max(...Object.keys(lines).map(textWidth));
  return Object.entries(lines)
    .map(([line, does]) => helpItem(line, width, localize(does), { helpWidth }))
    .join('\n');
}

/** Within the terminal also those lines of a help that no rule has broken (a usage, an example); what follows of them stands further in. */
export const fitHelp = (help: string, columns: number): string =>
  help
    // The library puts a blank behind the word, where a full-width colon has its own.
    .replace('用法： ', '用法：')
    .split('\n')
    .map((line) => {
      if (textWidth(line) <= columns) return line;
      const indent = /^ */.exec(line)?.[0] ?? '';
      const [first = '', ...more] = wrap(line, columns);
      return [first, ...wrap(more.join(' '), columns - indent.length - 4).map((rest) => `${indent}    ${rest}`)].join('\n');
    })
    .join('\n');
